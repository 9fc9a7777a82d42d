//! The list of license templates in v3, without pages. An isolate renders it once for each state of the blob.

use super::template::{License, read_list};
use super::{LISTED, ListLicenses, broken, not_loaded};
use crate::kernel::{Call, Reply, Result};
use std::cell::RefCell;
use std::rc::Rc;

struct ReadyList {
    /// Kept alive, so that no other blob gets this address, which `Rc::ptr_eq` compares.
    blob: Rc<str>,
    body: String,
    fault: Option<String>,
}

thread_local! {
    static READY: RefCell<[Option<ReadyList>; 2]> = const { RefCell::new([None, None]) };
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let filter: ListLicenses = call.filters()?;
    let Some(blob) = call.store.read_blob(LISTED).await? else {
        call.complain(not_loaded());
        return Ok(Reply::json_text(200, "[]".to_owned()));
    };
    let (body, fault) = ready(&blob, filter.popular);
    fault.into_iter().for_each(|fault| call.complain(fault));
    Ok(Reply::json_text(200, body))
}

fn ready(blob: &Rc<str>, popular: bool) -> (String, Option<String>) {
    READY.with_borrow_mut(|[all, popular_ones]| {
        let last = if popular { popular_ones } else { all };
        let known = last.take().filter(|known| Rc::ptr_eq(&known.blob, blob));
        let ready = last.insert(known.unwrap_or_else(|| make(blob, popular)));
        (ready.body.clone(), ready.fault.clone())
    })
}

fn make(blob: &Rc<str>, popular: bool) -> ReadyList {
    let (mut licenses, wrong) = read_list(blob);
    licenses.retain(|license: &License| license.featured || !popular);
    ReadyList { blob: blob.clone(), body: Reply::json(200, &licenses).body, fault: wrong.map(broken) }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/licenses/v3.rs"]
mod tests;
