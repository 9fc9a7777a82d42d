//! Lists of the server. A list goes on and ends, and its hashes are hashes, because git reads them.

use edgeforge_wire::contents::{Objects, Stored};
use edgeforge_wire::text::{cut, is_hash};
use edgeforge_wire::{Commits, Mirror};
use serde::de::DeserializeOwned;

use super::Server;
use crate::error::{Error, Result};
use crate::text::{printable, segment};

/// Bytes of all pages of a list: 10 million objects have about as many.
const LONGEST_LIST: usize = 1 << 30;

impl Server<'_> {
    /// Reads all pages. `messages`: with the messages of tags.
    pub fn refs(&self, messages: bool) -> Result<Mirror> {
        let mut all: Option<Mirror> = None;
        let mut after = String::new();
        let mut read = 0;
        loop {
            let path = match (after.is_empty(), messages) {
                (true, false) => "/mirror".to_owned(),
                _ => format!("/mirror?after={}&messages={messages}", segment(&after)),
            };
            let mut page: Mirror = self.page(&path, &mut read)?;
            let next = self.next(page.next.take(), &after, page.refs.len())?;
            let hashes = page.refs.iter().flat_map(|of| [Some(&of.sha), of.tag_sha.as_ref()]).flatten();
            self.check(hashes.chain(&page.forgotten).chain(page.unreferenced.iter().map(|of| &of.sha)))?;
            match &mut all {
                Some(all) => all.refs.append(&mut page.refs),
                None => all = Some(page),
            }
            match next {
                Some(name) => after = name,
                None => return Ok(all.unwrap_or_default()),
            }
        }
    }

    /// The bytes of the project, if the token may see them.
    pub fn bytes(&self) -> Result<Option<i64>> {
        Ok(self.page::<Mirror>("/mirror", &mut 0)?.bytes)
    }

    /// `read`: as in [`Server::page`].
    pub fn commits(&self, after: &str, read: &mut usize) -> Result<Commits> {
        let page: Commits = self.page(&format!("/mirror/commits?after={after}"), read)?;
        self.check(page.commits.iter().map(|commit| &commit.id).chain(&page.next))?;
        let next = self.next(page.next, after, page.commits.len())?;
        Ok(Commits { next, ..page })
    }

    pub fn all_objects(&self) -> Result<Vec<Stored>> {
        let (mut all, mut after, mut read) = (Vec::new(), String::new(), 0);
        loop {
            let page: Objects = self.page(&format!("/mirror/objects?after={after}"), &mut read)?;
            self.check(page.objects.iter().map(|object| &object.id).chain(&page.next))?;
            let next = self.next(page.next, &after, page.objects.len())?;
            all.extend(page.objects);
            match next {
                Some(hash) => after = hash,
                None => return Ok(all),
            }
        }
    }

    /// A page of a list. `read`: the bytes of its pages so far. A server without end would fill the memory.
    fn page<T: DeserializeOwned>(&self, path: &str, read: &mut usize) -> Result<T> {
        let answer = self.transport.request("GET", path, None)?;
        *read += answer.body.len();
        match answer.status {
            200 if *read > LONGEST_LIST => Err(self.endless()),
            200 => self.parsed(&answer),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// The `next` of a page with `count` records: each page goes on, and is not empty.
    fn next(&self, next: Option<String>, after: &str, count: usize) -> Result<Option<String>> {
        let stands = |next: &String| next.as_str() <= after || count == 0;
        if next.as_ref().is_some_and(stands) { Err(self.endless()) } else { Ok(next) }
    }

    fn endless(&self) -> Error {
        Error::Server(format!("{} answered with a list that does not end; check --url", self.transport.project))
    }

    /// Refuses what is no hash, because git reads lines of hashes and options.
    pub(super) fn check<'h>(&self, mut hashes: impl Iterator<Item = &'h String>) -> Result<()> {
        match hashes.find(|hash| !is_hash(hash)) {
            None => Ok(()),
            Some(other) => {
                let other = printable(cut(other, 80));
                Err(Error::Server(format!("{} answered with {other}, which is no hash", self.transport.project)))
            }
        }
    }
}
