use super::file::{Content, raw};
use super::reader::{Node, Reader};
use super::sql;
use super::tree::{Listing, check_length};
use crate::areas::commits::changes;
use crate::areas::commits::diffs::StoredDiff;
use crate::areas::commits::v3::Base;
use crate::kernel::{Call, Error, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Parameters, Default)]
#[param(default)]
struct TreeParams {
    path: String,
    ref_name: Option<String>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    recursive: bool,
}

/// The whole list. Empty if there is no such directory.
pub async fn tree(call: &Call<'_>) -> Result<Reply> {
    let query = |asked: &TreeParams| sql::at { name: asked.ref_name.clone().or(asked.git_ref.clone()) };
    let (TreeParams { path, recursive, .. }, entry, at) = call.authorize_with(call.filters(), query).await?;
    let reader = Reader::of(call, &entry, at, "Tree")?;
    let path = super::reader::normalized(&path);
    let node = reader.find(&path).await?.filter(Node::is_tree);
    let found = match node {
        Some(node) => Listing::read(&reader, (&node.id, &path), recursive, &mut |_, _| Ok(true)).await?,
        None => Listing::default(),
    };
    check_length(found.iter())?;
    Ok(Reply::json(200, &found))
}

#[derive(Parameters)]
struct BlobParams {
    filepath: String,
}

/// The bytes of a file of a commit.
pub async fn blob(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let (BlobParams { filepath }, entry, at) = call.authorize_with(call.creation(), |_| sql::at { name: sha }).await?;
    let reader = Reader::of(call, &entry, at, "Commit")?;
    let node = reader.find(&filepath).await?.filter(|node| !node.is_tree());
    let node = node.ok_or_else(|| Error::missing("File"))?;
    Ok(raw(call, &reader, &node, &filepath, filepath.rsplit('/').next()).await?.1)
}

#[derive(Parameters)]
struct FileParams {
    file_path: String,
    #[param(rename = "ref")]
    git_ref: String,
}

#[derive(Serialize)]
struct File {
    file_name: String,
    file_path: String,
    size: u64,
    encoding: &'static str,
    /// Streamed by [`Content::reply`].
    content: &'static str,
    #[serde(rename = "ref")]
    git_ref: String,
    blob_id: String,
    commit_id: String,
    last_commit_id: String,
}

pub async fn file(call: &Call<'_>) -> Result<Reply> {
    let query = |FileParams { file_path, git_ref }: &FileParams| {
        (sql::at { name: git_ref.clone() }, changes::first(Some(git_ref), file_path))
    };
    let (FileParams { file_path, git_ref }, entry, (at, rows)) = call.authorize_with(call.creation(), query).await?;
    let reader = Reader::of(call, &entry, at, "Commit")?;
    let node = reader.find(&file_path).await?.filter(|node| !node.is_tree());
    let node = node.ok_or_else(|| Error::missing("File"))?;
    let last_commit_id = changes::last(call, rows, &file_path).await?.unwrap_or_default();
    let content = Content::open(call, &reader, &node, &file_path).await?;
    let file = File::new(file_path, git_ref, node, &reader, last_commit_id, content.about.size);
    Ok(content.reply(&reader, &file))
}

impl File {
    fn new(
        file_path: String,
        git_ref: String,
        node: Node,
        reader: &Reader<'_>,
        last_commit_id: String,
        size: u64,
    ) -> File {
        File {
            file_name: file_path.rsplit('/').next().unwrap_or_default().to_owned(),
            file_path,
            size,
            encoding: "base64",
            content: "",
            git_ref,
            blob_id: node.id,
            commit_id: reader.at.sha.clone(),
            last_commit_id,
        }
    }
}

#[derive(Parameters)]
struct Ends {
    from: String,
    to: String,
}

#[derive(Serialize)]
struct Comparison {
    commit: Option<Base>,
    commits: Vec<Base>,
    diffs: Vec<StoredDiff>,
    compare_timeout: bool,
    compare_same_ref: bool,
}

pub async fn compare(call: &Call<'_>) -> Result<Reply> {
    let ends: Result<Ends> = call.creation();
    if ends.is_err() {
        call.authorize(()).await?;
    }
    let Ends { from, to } = ends?;
    let (compared, _) = super::compare::compare_commits(call, [&from, &to], false).await?;
    Ok(Reply::json(200, &Comparison::new(compared)))
}

impl Comparison {
    fn new(compared: super::compare::CompareResult) -> Comparison {
        Comparison {
            commit: compared.commits.last().cloned().map(Base::new),
            commits: compared.commits.into_iter().map(Base::new).collect(),
            diffs: compared.files,
            compare_timeout: compared.is_cut,
            compare_same_ref: compared.is_same,
        }
    }
}
