use crate::kernel::{Call, Reply, Result};

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &super::current(call).await?))
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &super::update(call, || call.edit_and_errors()).await?))
}
