use crate::areas::contents::reader::{Node, Reader, Revision, normalized};
use crate::areas::contents::sql;
use crate::areas::contents::tree::{Entry, Listing, PathEntry, check_length};
use crate::kernel::call::Entry as Entered;
use crate::kernel::paging::Total;
use crate::kernel::{Call, Error, Page, Parameters, Reply, Result};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use edgeforge_wire::text::is_hash;

/// Entries of a list without pages.
const MOST_UNPAGED: usize = 10_000;

#[derive(Parameters, Clone, Copy, PartialEq)]
enum Pagination {
    Legacy,
    Keyset,
    None,
}

#[derive(Parameters, Default)]
#[param(default)]
struct TreeParams {
    path: Option<String>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    recursive: bool,
    pagination: Option<Pagination>,
    page_token: Option<String>,
}

impl TreeParams {
    fn read(call: &Call<'_>) -> Result<(TreeParams, Page)> {
        let mut asked: TreeParams = call.filters()?;
        if asked.pagination == Some(Pagination::None) && !asked.recursive {
            return Err(Error::framework("pagination cannot be \"none\" unless \"recursive\" is true"));
        }
        asked.git_ref = asked.git_ref.filter(|name| !name.trim().is_empty());
        let path = asked.path.take().unwrap_or_default();
        asked.path = Some(normalized(&path));
        Ok((asked, call.page()?))
    }

    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or_default()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query = |(asked, _): &(TreeParams, Page)| sql::at { name: asked.git_ref.clone() };
    let ((asked, page), entry, at) = call.authorize_with(TreeParams::read(call), query).await?;
    let entries = entries(call, &entry, at, &asked).await?;
    match asked.pagination {
        None | Some(Pagination::Legacy) => numbered(call, &page, &entries),
        Some(Pagination::Keyset) => by_token(call, &page, &asked, &entries),
        Some(Pagination::None) if entries.len() <= MOST_UNPAGED => {
            check_length(entries.iter())?;
            Ok(Reply::json(200, &entries))
        }
        Some(Pagination::None) => Err(Error::unprocessable(format!("more than {MOST_UNPAGED} entries: ask for pages"))),
    }
}

async fn entries(call: &Call<'_>, entry: &Entered, at: Option<Revision>, asked: &TreeParams) -> Result<Listing> {
    let reader = Reader::of(call, entry, at, "Tree")?;
    let Some(Node { id, .. }) = reader.find(asked.path()).await?.filter(Node::is_tree) else {
        return Err(Error::missing("invalid revision or path"));
    };
    Listing::read(&reader, (&id, asked.path()), asked.recursive, &mut |_, _| Ok(true)).await
}

fn page_of(entries: &Listing, skip: usize, size: usize) -> Result<Vec<PathEntry>> {
    let found = || (skip..entries.len()).take(size).filter_map(|at| entries.get(at));
    check_length(found())?;
    Ok(found().collect())
}

fn numbered(call: &Call<'_>, page: &Page, entries: &Listing) -> Result<Reply> {
    let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let size = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown: Vec<Entry> = page_of(entries, skip, size)?.iter().map(Entry::new).collect();
    let total = Total::Both(entries.len() as i64, entries.len() > skip.saturating_add(size));
    call.listing(page, total, &[], None, &shown)
}

/// The token of an entry: its kind and its path.
fn token(entry: &PathEntry) -> String {
    let key = [&[entry.kind.rank()], entry.path.as_slice()].concat();
    format!("{}~", BASE64_URL_SAFE_NO_PAD.encode(key))
}

/// How many entries the pages before have shown. Clients may send the hash of the last entry.
fn passed(word: &str, entries: &Listing) -> Option<usize> {
    if is_hash(word) {
        return Some(entries.iter().position(|entry| entry.id == word)? + 1);
    }
    let key = BASE64_URL_SAFE_NO_PAD.decode(word.strip_suffix('~')?).ok()?;
    let (rank, path) = key.split_first()?;
    Some(entries.passed(*rank, path))
}

fn by_token(call: &Call<'_>, page: &Page, asked: &TreeParams, entries: &Listing) -> Result<Reply> {
    let word = asked.page_token.as_deref().filter(|word| !word.is_empty());
    let passed = word.map_or(Some(0), |word| passed(word, entries));
    let passed = passed.ok_or_else(|| Error::message("400 Bad request - invalid page token"))?;
    let size = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = page_of(entries, passed, size)?;
    let more = entries.len() > passed + shown.len();
    let token = shown.last().filter(|_| more).map(token);
    let items = Reply::json(200, &shown.iter().map(Entry::new).collect::<Vec<_>>());
    Ok(match token {
        Some(token) => items.with("Link", call.next_link("page_token", &token)?),
        None => items,
    })
}
