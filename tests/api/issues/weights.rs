//! A list of issues looks at fewer issues where filters read other tables for each of them (behaviour 5.3).

use crate::support::{Server, Visibility, World, contract_v4, templates};

/// Parameters that do not choose issues.
const NO_FILTERS: &[&str] =
    &["id", "sort", "order_by", "page", "per_page", "cursor", "pagination", "with_labels_details", "in"];

/// Each issue of the world fits each filter of the test.
fn world() -> World {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let project = world.project.id;
    world.server.tamper(&format!(
        "insert into labels (id, project_id, title, color, created_at) values (1, {project}, 'bug', '', 0), (2, {project}, 'ui', '', 0);
        insert into milestones (id, project_id, iid, title, created_at, updated_at, start_date, due_date)
        values (1, {project}, 1, 'v1', 0, 0, '2000-01-01', '2999-01-01')"
    ));
    world
}

fn add(world: &World, first: i64, last: i64) {
    let [project, ann] = [world.project.id, world.ann.id];
    world.server.tamper(&format!(
        "with recursive n(n) as (select {first} union all select n + 1 from n where n < {last})
        insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, state, closed_by_id, due_date, created_at, updated_at)
        select {project}, n, {ann}, {ann}, 1, 'common', 'closed', {ann}, date('now', '+1 day'), n, n from n;
        insert into issue_labels select id, 1, section, created_at from issues where iid >= {first};
        insert into awards (issue_id, note_id, user_id, name, created_at)
        select id, 0, {ann}, 'star', 0 from issues where iid >= {first}"
    ));
}

/// Values of the filter that each of these issues fits.
fn values(world: &World, name: &str) -> Vec<String> {
    let (ann, eve) = (&world.ann, &world.eve);
    let values: &[&str] = match name {
        "state" => &["closed", "all"],
        "scope" => &["created_by_me", "assigned_to_me", "all"],
        "labels" => &["bug", "Any"],
        "milestone" => &["v1", "Any"],
        "milestone_id" => &["Any", "Upcoming", "Started"],
        "iid" | "iids" => &["1"],
        "author_id" | "closed_by_id" => &[&ann.id.to_string()],
        "author_username" | "assignee_username" => &[&ann.username],
        "assignee_id" => &[&ann.id.to_string(), "Any"],
        "search" => &["common"],
        "created_after" | "updated_after" => &["1970-01-01T00:00:00Z"],
        "created_before" | "updated_before" => &["2999-01-01T00:00:00Z"],
        "confidential" => &["false"],
        "due_date" => &["any", "tomorrow", "month"],
        "issue_type" => &["issue"],
        "non_archived" => &["true"],
        "my_reaction_emoji" => &["star", "Any"],
        "weight" | "iteration_id" | "iteration_title" | "epic_id" | "health_status" => &["None"],
        "not[labels]" => &["ui"],
        "not[milestone]" => &["v2", "None"],
        "not[milestone_id]" => &["None"],
        "not[iids]" => &["20000"],
        "not[author_id]" | "not[assignee_id]" => &[&eve.id.to_string()],
        "not[author_username]" | "not[assignee_username]" => &[&eve.username],
        _ => panic!("{name}: give it a value here that each issue of this world fits"),
    };
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[test]
fn a_filter_that_reads_another_table_for_each_issue_divides_what_a_list_looks_at() {
    const FEW: i64 = 3000;
    let world = world();
    let ask = |filters: &[(&str, &str)]| {
        let ask = world.v4("GET", "/issues?per_page=1").by(&world.ann);
        filters.iter().fold(ask, |ask, (name, value)| ask.query(name, value))
    };
    let closer = world.ann.id.to_string();
    let plain = ("closed_by_id", closer.as_str());
    // subqueries that run for each issue that is counted, and instructions for each issue
    let reads = |filters: &[(&str, &str)]| {
        let database = world.server.database();
        database.record();
        let (answer, cost) = ask(filters).cost();
        assert_eq!(answer.json.as_array().unwrap().len(), 1, "{filters:?}");
        let sent = database.recorded();
        let plans = sent
            .iter()
            .filter(|(sent, _)| sent.name.ends_with("count"))
            .map(|(sent, _)| database.plan(&sent.sql, true));
        (plans.map(|plan| plan.matches("CORRELATED").count()).sum::<usize>(), cost as i64 / FEW)
    };
    add(&world, 1, FEW);
    let (subqueries, cost) = reads(&[plain]);
    let list = &contract_v4().document["paths"]["/projects/{id}/issues"]["get"]["parameters"];
    let names = list.as_array().unwrap().iter().filter_map(|filter| filter["name"].as_str());
    let mut dear = Vec::new();
    for name in names.filter(|name| !NO_FILTERS.contains(name)) {
        for value in values(&world, name) {
            let (its, steps) = reads(&[plain, (name, &value)]);
            if its > subqueries || steps > cost + 30 {
                dear.push((name, value));
            }
        }
    }
    // one filter counts 10,000, and two count 5,000
    add(&world, FEW + 1, 9000);
    for (name, value) in &dear {
        let other = if *name == "not[labels]" { ("my_reaction_emoji", "star") } else { ("not[labels]", "ui") };
        assert_eq!(ask(&[plain, other]).gives(200).header("X-Total"), Some("9000"), "{other:?}");
        let total = ask(&[plain, other, (name, value)]).gives(200).header("X-Total").map(str::to_owned);
        assert_eq!(total, None, "{name}={value} reads another table for each issue: add it to Filter::weight");
    }
}
