//! No list costs more in a large project than in a small one, with any filter.

use super::super::ListPlace;
use super::super::filter::{Assignee, DueFilter, Exclusions, Filter, Labels, Milestone, Person, Scope, Span, State};
use super::super::search::Search;
use super::world::{index, schema};
use super::{List, ask, few_looks, page};
use crate::areas::words::words_of;
use rusqlite::{Connection, StatementStatus};
use std::collections::BTreeSet;

/// A public project of a public group with this many issues. 11 reads everything, 12 is a guest, 13 a stranger. 11
/// wrote the confidential issues, because lists count one's own.
fn world(issues: i64) -> Connection {
    let connection = schema();
    let run = |sql: &str| connection.execute_batch(sql).unwrap();
    for id in 11..14 {
        run(&format!(
            "insert into namespaces values ({id}, 'user', 'u{id}', 'u{id}');
             insert into users (id, username, name, email, email_key, created_at) values ({id}, 'u{id}', 'u', '{id}', '{id}', 0)"
        ));
    }
    run(&format!(
        "insert into namespaces values (50, 'group', 'g', 'g');
        insert into groups (id, name, path, visibility, created_at) values (50, 'g', 'g', 20, 0);
        insert into group_members (user_id, group_id, access, created_at) values (11, 50, 20, 0), (12, 50, 10, 0);
        insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
        values (2, 50, 11, 'p', 'p', 'g/p', 'g/p', 'p', 20, 0, 0);
        insert into issue_counts (project_id) values (2);
        insert into labels (id, project_id, title, color, created_at) values (1, 2, 'a', '', 0), (2, 2, 'b', '', 0);
        insert into milestones (id, project_id, iid, title, created_at, updated_at, due_date) values (1, 2, 1, 'v1', 0, 0, '2099-01-01');
        with recursive n(n) as (select 1 union all select n + 1 from n where n < {issues})
        insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, state, confidential, due_date, created_at, updated_at)
        select 2, n, 11 + n % 3, iif(n % 2, 11 + n % 3, null), iif(n % 4, null, 1), 'common ' || iif(n > {issues} - 30, 'rare', 'other'), iif(n % 5, 'opened', 'closed'), n % 21 = 0,
          iif(n % 3, '2020-01-01', null), n, n
        from n;
        insert into issue_labels select id, 1 + iid % 2, section, created_at from issues where iid % 6 < 4;
        insert into issue_labels select id, 2 - iid % 2, section, created_at from issues where iid % 6 = 2"
    ));
    index(&connection, "true");
    connection
}

/// SQLite's steps for the first page of twenty.
fn steps(connection: &Connection, caller: Option<i64>, whose: ListPlace, filter: &Filter) -> i32 {
    let asked = few_looks(List::new(filter.clone(), page(None, 20), whose)).page(0);
    let prepared = connection.prepare_cached(&asked.sql).unwrap();
    prepared.reset_status(StatementStatus::VmStep);
    drop(prepared);
    let place = if whose == ListPlace::Project { 2 } else { 50 };
    ask(connection, caller, place, &asked);
    let prepared = connection.prepare_cached(&asked.sql).unwrap();
    assert_eq!(prepared.reset_status(StatementStatus::RePrepare), 0, "{filter:?}");
    prepared.reset_status(StatementStatus::VmStep)
}

fn titles(titles: &[&str]) -> BTreeSet<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

#[test]
fn a_page_costs_the_same_among_few_issues_and_many() {
    let search = |text: &str| Some(Search { words: words_of(text), title: true, description: true });
    let plain = Filter::default;
    let not = |not: Exclusions| Filter { not, ..Filter::default() };
    let filters = [
        plain(),
        Filter { state: Some(State::Closed), by_update: true, ..plain() },
        Filter { labels: Some(Labels::AllOf(titles(&["a"]))), ascending: true, ..plain() },
        Filter { labels: Some(Labels::AllOf(titles(&["a", "b"]))), ..plain() },
        Filter { labels: Some(Labels::Any), milestone: Some(Milestone::Any), ..plain() },
        Filter { labels: Some(Labels::None), milestone: Some(Milestone::Titled("v1".to_owned())), ..plain() },
        Filter { milestone: Some(Milestone::Upcoming("2020-01-01".to_owned())), by_update: true, ..plain() },
        Filter { author: Some(Person::Int(12)), ..plain() },
        Filter { author: Some(Person::Int(12)), assignee: Some(Assignee::None), ..plain() },
        Filter { assignee: Some(Assignee::Is(Person::Text("u13".to_owned()))), by_update: true, ..plain() },
        Filter { assignee: Some(Assignee::Any), confidential: Some(true), ..plain() },
        Filter { scope: Scope::AssignedToMe, ..plain() },
        Filter { scope: Scope::CreatedByMe, labels: Some(Labels::AllOf(titles(&["b"]))), ..plain() },
        Filter { created: Span { from: Some(5), to: Some(500) }, ..plain() },
        Filter { updated: Span { from: None, to: Some(3) }, ..plain() },
        Filter { due: Some(DueFilter::Between("2031-01-01".to_owned(), "2032-01-01".to_owned())), ..plain() },
        not(Exclusions { labels: titles(&["a"]), ..Exclusions::default() }),
        not(Exclusions { author: Some(Person::Int(12)), assignee: Some(Person::Int(11)), ..Exclusions::default() }),
        not(Exclusions { milestone: Some(Milestone::None), ..Exclusions::default() }),
        Filter { search: search("rare"), ..plain() },
        Filter { search: search("common"), ..plain() },
        Filter { search: search("common rar"), by_update: true, ascending: true, ..plain() },
        Filter { search: search("nowhere"), ..plain() },
    ];
    // more issues than a page without a cursor looks at, so that the pages by number have all matches among these
    let [small, large] = [11_000, 22_000].map(world);
    for filter in &filters {
        let caller = if filter.scope == Scope::All { ListPlace::Anywhere } else { ListPlace::Caller };
        for whose in [ListPlace::Project, ListPlace::Group, caller] {
            for caller in [Some(11), Some(12), Some(13), None] {
                let [few, many] = [&small, &large].map(|world| steps(world, caller, whose, filter));
                assert!(many <= few + few / 10 + 300, "{few} and {many} steps: {whose:?} by {caller:?}: {filter:?}");
                assert!(many < 3_000_000, "{many} steps: {whose:?} by {caller:?}: {filter:?}");
            }
        }
    }
}
