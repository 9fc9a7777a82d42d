use super::kinds::{alt, is_image, markdown};
use crate::kernel::{Call, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct NewUpload {
    alt: String,
    /// The path below the project.
    url: String,
    is_image: bool,
    markdown: String,
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (upload, _) = super::create(call).await?;
    let url = format!("/uploads/{}/{}", upload.secret, upload.filename);
    let name = upload.filename.as_str();
    let (alt, markdown) = (alt(name).to_owned(), markdown(name, &url));
    Ok(Reply::json(201, &NewUpload { alt, is_image: is_image(name), markdown, url }))
}
