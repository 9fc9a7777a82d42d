//! Trees and files that grow.

use super::world::{Stock, root};
use crate::support::contents::{Object, blob, tree};
use crate::support::git::commit;
use serde_json::json;

/// Name, size, and what makes the tree of that size. Returns the path of the file that requests name.
pub type Growth = (&'static str, &'static str, fn(&Stock, i64) -> String);

pub const CONTENTS: &[Growth] = &[
    ("files of a tree", "128 256 512 12000 15000", |stock, size| {
        let file = blob("two\n");
        let names: Vec<String> = (0..size).map(|n| format!("f{n:05}")).collect();
        let files: Vec<(&str, &Object)> =
            ["a"].into_iter().chain(names.iter().map(String::as_str)).map(|name| (name, &file)).collect();
        push(stock, size, &root(&files), std::slice::from_ref(&file))
    }),
    ("directories of a tree", "128 256 512", |stock, size| {
        let file = blob("two\n");
        let (mut objects, mut entries) =
            (vec![file.clone()], vec![("100644".to_owned(), "a".to_owned(), file.id().to_owned())]);
        for n in 0..size {
            let name = format!("d{n:05}");
            let directory = root(&[(&name, &file)]);
            entries.push(("40000".to_owned(), name, directory.id().to_owned()));
            objects.push(directory);
        }
        let entries: Vec<(&str, &[u8], &str)> =
            entries.iter().map(|(mode, name, id)| (mode.as_str(), name.as_bytes(), id.as_str())).collect();
        push(stock, size, &tree(&entries), &objects)
    }),
    ("bytes of a file", "40000 80000 160000", |stock, size| {
        let file = blob((0..size / 10).map(|n| format!("{n:09}\n")).collect::<String>());
        push(stock, size, &root(&[("a", &file)]), std::slice::from_ref(&file))
    }),
    ("changed lines of a file", "400 800 1600", |stock, size| {
        let file = blob((0..size).map(|n| format!("{n}\n")).collect::<String>());
        push(stock, size, &root(&[("a", &file)]), std::slice::from_ref(&file))
    }),
    ("rules of .gitattributes", "128 256 512 12000 15000", |stock, size| {
        let rules = blob((0..size).map(|n| format!("*x{n}* text\n")).collect::<String>());
        let file = blob("two\n");
        push(stock, size, &root(&[(".gitattributes", &rules), ("a", &file)]), &[rules.clone(), file.clone()])
    }),
    ("depth of a path", "16 32 64 128 256", |stock, size| {
        let file = blob("two\n");
        let mut objects = vec![file.clone(), root(&[("a", &file)])];
        for _ in 0..size {
            let below = objects.last().unwrap();
            objects.push(tree(&[("40000", b"d", below.id())]));
        }
        let top = objects.pop().unwrap();
        push(stock, size, &top, &objects);
        "d%2F".repeat(size as usize) + "a"
    }),
];

/// Makes this the tree of `master`.
fn push(stock: &Stock, size: i64, root: &Object, objects: &[Object]) -> String {
    let world = &stock.world;
    let commit = commit(1000 + size as u32, &[2]).with(|commit| commit.tree = root.id().to_owned());
    let name = format!("refs/heads/m{size}");
    let sha = commit.sha.clone();
    world.push(&[commit], &[(&name, &sha)]);
    world.server.tamper(&format!("update refs set commit_id = (select id from commits where sha = '{sha}') where name = 'refs/heads/master'; delete from refs where name = '{name}'"));
    world.send_objects(&[objects, std::slice::from_ref(root)].concat());
    world.note(json!({ "extent": "history" }));
    "a".to_owned()
}
