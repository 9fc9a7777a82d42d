//! The lists of the caller's projects in v3.

use super::list::{ListProjects, answer, question};
use super::listing::{Question, Whose};
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::Page;
use crate::policy::level;

fn read(call: &Call<'_>) -> Result<(ListProjects, Page)> {
    Ok((call.filters()?, call.page()?))
}

/// The caller's projects, with how many there are.
async fn list_counted(call: &Call<'_>, whose: Whose<'_>, least: Option<i64>) -> Result<Reply> {
    let query = |(filter, page): &(ListProjects, Page)| {
        Question { least, total: true, ..question(filter) }.statement(whose, page)
    };
    let (input, entered) = call.sign_in_with(read(call), query).await?;
    answer(call, &input, &entered)
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    list_counted(call, Whose::Everywhere, Some(level!(Guest))).await
}

/// GET /projects/owned
pub async fn list_owned(call: &Call<'_>) -> Result<Reply> {
    list_counted(call, Whose::Own, None).await
}
