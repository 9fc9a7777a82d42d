use crate::areas::commits::changes;
use crate::areas::contents::file::{Content, in_header, raw as raw_of};
use crate::areas::contents::reader::{Node, Reader, normalized};
use crate::areas::contents::sql;
use crate::areas::mirror::proof::FileFacts;
use crate::kernel::{Call, Error, Parameters, Query, Reply, Result};
use serde::Serialize;

#[derive(Parameters)]
struct FileParams {
    #[param(rename = "ref")]
    git_ref: Option<String>,
}

/// The body of [`show`]. All members but the content are headers, too.
#[derive(Serialize)]
struct File {
    file_name: String,
    file_path: String,
    size: u64,
    encoding: &'static str,
    content_sha256: String,
    #[serde(rename = "ref")]
    git_ref: String,
    blob_id: String,
    commit_id: String,
    last_commit_id: String,
    execute_filemode: bool,
    /// Streamed by [`Content::reply`].
    content: &'static str,
}

/// A file that was found.
struct LocatedFile<'a> {
    reader: Reader<'a>,
    node: Node,
    path: String,
    git_ref: Option<String>,
    last_commit_id: String,
}

impl File {
    fn new(located: &LocatedFile<'_>, about: &FileFacts) -> File {
        let LocatedFile { reader, node, path, git_ref, last_commit_id } = located;
        File {
            file_name: path.rsplit('/').next().unwrap_or_default().to_owned(),
            file_path: path.clone(),
            size: about.size,
            encoding: "base64",
            content_sha256: about.sha256.clone(),
            git_ref: git_ref.clone().unwrap_or_default(),
            blob_id: node.id.clone(),
            commit_id: reader.at.sha.clone(),
            last_commit_id: last_commit_id.clone(),
            execute_filemode: node.mode == 0o100_755,
            content: "",
        }
    }

    fn with_headers(&self, reply: Reply) -> Reply {
        reply
            .with("X-Gitlab-File-Name", in_header(&self.file_name))
            .with("X-Gitlab-File-Path", in_header(&self.file_path))
            .with("X-Gitlab-Size", self.size.to_string())
            .with("X-Gitlab-Encoding", self.encoding)
            .with("X-Gitlab-Content-Sha256", self.content_sha256.clone())
            .with("X-Gitlab-Ref", in_header(&self.git_ref))
            .with("X-Gitlab-Blob-Id", self.blob_id.clone())
            .with("X-Gitlab-Commit-Id", self.commit_id.clone())
            .with("X-Gitlab-Last-Commit-Id", self.last_commit_id.clone())
            .with("X-Gitlab-Execute-Filemode", self.execute_filemode.to_string())
    }
}

/// The path and the ref of a request. `needs_ref`: 400 if the ref is absent.
fn read(call: &Call<'_>, path: &str, needs_ref: bool) -> Result<(String, Option<String>)> {
    let FileParams { git_ref } = call.filters()?;
    call.params()?.refuse_blank(&["ref"])?;
    if git_ref.is_none() && needs_ref {
        return Err(Error::framework("ref is missing, ref is empty"));
    }
    // the original passes over a slash in front of a path of bytes
    let path = if needs_ref { path } else { path.strip_prefix('/').unwrap_or(path) };
    if path.starts_with('/') || path.split('/').any(|name| name == "..") {
        return Err(Error::framework("file_path should be a valid file path"));
    }
    Ok((path.to_owned(), git_ref))
}

async fn locate<'a>(call: &'a Call<'a>, path: &str, needs_ref: bool) -> Result<LocatedFile<'a>> {
    let query = |(path, git_ref): &(String, Option<String>)| {
        let name = git_ref.as_deref();
        (sql::at { name }, changes::first(name, path)).prepare()
    };
    let ((path, git_ref), entry, (at, changes)) = call.authorize_with(read(call, path, needs_ref), query).await?;
    let reader = Reader::of(call, &entry, at, "Commit")?;
    let found = if path == normalized(&path) { reader.find(&path).await? } else { None };
    let node = found.filter(|node| !node.is_tree()).ok_or_else(|| Error::missing("File"))?;
    // empty if none of the commits that are looked at changed the path
    let last_commit_id = changes::last(call, changes, &path).await?.unwrap_or_default();
    Ok(LocatedFile { reader, node, path, git_ref, last_commit_id })
}

pub async fn show(call: &Call<'_>, path: &str) -> Result<Reply> {
    let located = locate(call, path, true).await?;
    let LocatedFile { reader, node, path, .. } = &located;
    let content = Content::open(call, reader, node, path).await?;
    let file = File::new(&located, &content.about);
    Ok(file.with_headers(content.reply(reader, &file)))
}

pub async fn raw(call: &Call<'_>, path: &str) -> Result<Reply> {
    let located = locate(call, path, false).await?;
    let LocatedFile { reader, node, path, .. } = &located;
    let (about, reply) = raw_of(call, reader, node, path, path.rsplit('/').next()).await?;
    Ok(File::new(&located, &about).with_headers(reply))
}

/// Always 501: the server does not compute who wrote which line.
pub async fn blame(call: &Call<'_>, _: &str) -> Result<Reply> {
    call.authorize(()).await?;
    let text = "501 Not Implemented - this server does not compute who wrote each line: ask git blame in a clone";
    Err(Error::Refused(501, text.to_owned()))
}
