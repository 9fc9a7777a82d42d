//! What each route would cost if repositories were in a database of their own (docs/growing.md): the table there is made from
//! the tables that SQLite opens for each statement that the book's requests send.

use crate::book::script;
use crate::support::{Server, Sqlite, spec, templated};
use edgeforge::inputs::heads;
use edgeforge::quota::Quotas;
use edgeforge::store::Statement;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The tables that would be in a database of repositories.
const REPOSITORY: [&str; 21] = [
    "branch_counts",
    "branch_queue",
    "commit_comments",
    "commits",
    "deployments",
    "diffs",
    "environments",
    "forgotten_commits",
    "heads_of_statuses",
    "mirrors",
    "parents",
    "refs",
    "staged_swaps",
    "status_counts",
    "status_heads",
    "statuses",
    // made anew in each database
    "expectations",
    "idempotency_keys",
    "stored",
    "object_sweeps",
    "sweeps",
];
/// Of these every database has its own, so they bind nobody to one.
const EVERYWHERE: [&str; 5] = ["expectations", "idempotency_keys", "object_sweeps", "stored", "sweeps"];

/// How often SQLite opens each table for a statement, and those that it writes.
#[derive(Debug, Default, Clone)]
struct Opened {
    times: BTreeMap<String, u32>,
    written: BTreeSet<String>,
}

/// What all requests of a route did.
#[derive(Debug, Default)]
struct Route {
    trips: u32,
    here: BTreeSet<String>,
    there: BTreeSet<String>,
    written_here: BTreeSet<String>,
    written_there: BTreeSet<String>,
}

fn opened(database: &Sqlite, sql: &str) -> Opened {
    let mut opened = Opened::default();
    for (table, writes) in database.opened(sql) {
        if writes {
            opened.written.insert(table.clone());
        }
        *opened.times.entry(table).or_default() += 1;
    }
    opened
}

/// What a statement opens beside its head.
fn own(database: &Sqlite, statement: &Statement) -> Opened {
    let mut opened_by_all = opened(database, &statement.sql);
    let begins = |text: &str| statement.sql.find(text).is_some_and(|begin| begin < 200);
    let heads = heads();
    let found = heads.iter().filter(|(_, text)| begins(text)).max_by_key(|(_, text)| text.len());
    let Some((name, text)) = found else { return opened_by_all };
    // how a write begins is no statement by itself; it opens what the head of a project does
    let project = heads.iter().find(|(name, _)| *name == "project").map_or("", |(_, text)| text);
    let text = if *name == "write" { project } else { text };
    for (table, times) in opened(database, text).times {
        if let Some(all) = opened_by_all.times.get_mut(&table) {
            *all = all.saturating_sub(times);
        }
    }
    opened_by_all.times.retain(|_, times| *times > 0);
    opened_by_all
}

fn routes() -> BTreeMap<String, Route> {
    let quotas = Quotas { project_bytes: 100_000, instance_bytes: 1 << 40, hourly_writes: 1 << 20 };
    let server = Server::with_objects(|config| config.quotas = quotas);
    server.bucket().bind(false);
    let database = server.database();
    database.record();
    script::run(server);
    let requests = database.requests();
    let recorded = database.recorded();
    let (mut routes, mut known) = (BTreeMap::<String, Route>::new(), BTreeMap::new());
    let mut from = 0;
    for (name, trips, to) in requests {
        let route = routes.entry(name).or_default();
        route.trips = route.trips.max(trips);
        for (statement, _) in &recorded[from..to] {
            let own = known.entry(statement.sql.clone()).or_insert_with(|| own(database, statement));
            let bound = own.times.keys().filter(|table| !EVERYWHERE.contains(&table.as_str()));
            let (there, here): (Vec<_>, Vec<_>) =
                bound.cloned().partition(|table| REPOSITORY.contains(&table.as_str()));
            let written = |tables: &[String]| {
                let written = tables.iter().filter(|table| own.written.contains(*table));
                written.cloned().collect::<Vec<_>>()
            };
            route.written_here.extend(written(&here));
            route.written_there.extend(written(&there));
            route.here.extend(here);
            route.there.extend(there);
        }
        from = to;
    }
    routes.retain(|name, _| !name.ends_with(" -") && !name.contains(" HEAD "));
    routes
}

fn listed(tables: &BTreeSet<String>, written: &BTreeSet<String>) -> String {
    let name = |table: &String| match written.contains(table) {
        true => format!("**{table}**"),
        false => table.clone(),
    };
    tables.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn report() -> String {
    let routes = routes();
    let (apart, others): (Vec<_>, Vec<_>) = routes.iter().partition(|(_, route)| !route.there.is_empty());
    let alone = apart.iter().filter(|(_, route)| route.here.is_empty()).count();
    let people = apart.iter().filter(|(_, route)| route.here.iter().all(|table| table == "users"));
    let both = |route: &Route| !route.written_here.is_empty() && !route.written_there.is_empty();
    let torn = apart.iter().filter(|(_, route)| both(route)).count();
    let mut text = format!(
        "Of {} routes that the requests of the book ask, {} touch no table of repositories, and stay as they are. Of the other {}, {alone} need nothing but these tables behind the door, {} more \
         only the names of people, and {torn} write in both databases.\n\n| route | trips now | apart | in the repositories' database | in the first one, beside the door |\n|---|---|---|---|---|\n",
        routes.len(),
        others.len(),
        apart.len(),
        people.count() - alone,
    );
    for (name, route) in apart {
        let then = match (route.here.is_empty(), both(route)) {
            (_, true) => format!("{} +, torn", route.trips + 1),
            (true, _) => (route.trips + 1).to_string(),
            (false, _) => format!("{} or {}", route.trips + 1, route.trips + 2),
        };
        let (there, here) =
            (listed(&route.there, &route.written_there), listed(&route.here, &route.written_here));
        let name = match name.splitn(3, ' ').collect::<Vec<_>>()[..] {
            [api, verb, pattern] => format!("{api} {verb} {}", templated(pattern)),
            _ => name.clone(),
        };
        writeln!(text, "| `{name}` | {} | {then} | {there} | {here} |", route.trips).unwrap();
    }
    text
}

#[test]
fn the_table_of_routes_in_two_databases_is_as_the_statements_are() {
    if !spec().is_in_process() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/growing.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (begin, end) = ("<!-- routes: made by BLESS=1 cargo test --test api growing -->\n", "<!-- end -->");
    let from = text.find(begin).unwrap() + begin.len();
    let to = from + text[from..].find(end).unwrap();
    let now = report();
    if std::env::var("BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&file, format!("{}{now}{}", &text[..from], &text[to..])).unwrap();
        return;
    }
    assert!(
        text[from..to] == now,
        "docs/growing.md is not as statements are: BLESS=1 cargo test --test api growing\n{now}"
    );
}
