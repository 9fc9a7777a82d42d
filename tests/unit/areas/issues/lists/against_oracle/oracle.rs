//! The meaning of filters, in plain Rust.

use super::super::ListPlace;
use super::super::filter::{
    Assignee, DueFilter, Exclusions, Filter, Labels, Milestone, Person, Reaction, Scope, Span, State,
};
use super::super::search::Search;
use super::world::{Dice, EMOJI, MEMBERS, PEOPLE, PROJECTS, ROOT, Stored, TODAY};
use crate::areas::words::words_of;
use std::collections::BTreeSet;

/// The level of a caller, or of an anonymous one, in a project.
fn access(caller: Option<i64>, project: i64) -> i64 {
    match caller {
        Some(ROOT) => 60,
        Some(13) if project == 5 => 50,
        Some(id) if project != 5 => MEMBERS.iter().find(|(member, _)| *member == id).map_or(0, |(_, access)| *access),
        _ => 0,
    }
}

pub fn sees(caller: Option<i64>, project: i64) -> bool {
    let from = if caller.is_none_or(|id| id == 14) { 20 } else { 10 };
    access(caller, project) > 0 || PROJECTS.iter().any(|(id, visibility, _)| *id == project && *visibility >= from)
}

fn is(person: &Person, id: Option<i64>) -> bool {
    id.is_some()
        && match person {
            Person::Int(wanted) => id == Some(*wanted),
            Person::Text(name) => id.map(|id| format!("u{id}")).as_ref() == Some(name),
            _ => false,
        }
}

fn has_milestone(wanted: &Milestone, issue: &Stored) -> bool {
    let number = issue.milestone.map(|id| id % 10);
    match wanted {
        Milestone::None => number.is_none(),
        Milestone::Any => number.is_some(),
        Milestone::Titled(title) => number.is_some_and(|number| *title == format!("v{}", number + 1)),
        Milestone::Upcoming(_) => number == Some(0),
        Milestone::Started(_) => number == Some(0) || number == Some(1),
        Milestone::Own(id) => issue.milestone == Some(*id),
    }
}

fn is_assigned(wanted: &Assignee, issue: &Stored) -> bool {
    match wanted {
        Assignee::None => issue.assignee.is_none(),
        Assignee::Any => issue.assignee.is_some(),
        Assignee::Is(person) => is(person, issue.assignee),
    }
}

fn within(span: Span, time: i64) -> bool {
    span.from.is_none_or(|from| time >= from) && span.to.is_none_or(|to| time <= to)
}

fn finds(search: &Search, issue: &Stored) -> bool {
    let texts = [(search.title, &issue.title), (search.description, &issue.description)];
    let holds = |word: &String| {
        let in_word = |text: &str| match word.chars().all(|letter| letter <= '\u{2ff}') {
            true => text.starts_with(word),
            false => text.contains(word),
        };
        let in_text = |text: &str| text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).any(in_word);
        texts.iter().any(|(looked_at, text)| *looked_at && in_text(text))
    };
    !search.words.is_empty() && search.words.iter().all(holds)
}

fn reacts(wanted: &Reaction, caller: Option<i64>, issue: &Stored) -> bool {
    let given = |(_, turn): &&(&str, i64)| caller.is_some_and(|id| PEOPLE.contains(&id) && (issue.id + id) % turn == 0);
    match wanted {
        Reaction::None => !EMOJI.iter().any(|emoji| given(&emoji)),
        Reaction::Any => EMOJI.iter().any(|emoji| given(&emoji)),
        Reaction::Named(name) => EMOJI.iter().filter(given).any(|(known, _)| known == name),
    }
}

pub fn takes(filter: &Filter, whose: ListPlace, caller: Option<i64>, issue: &Stored) -> bool {
    let archived = PROJECTS.iter().any(|(id, _, archived)| *id == issue.project && *archived);
    let theirs = caller.is_some() && (caller == Some(issue.author) || caller == issue.assignee);
    let not = &filter.not;
    sees(caller, issue.project)
        && (!issue.confidential || access(caller, issue.project) >= 20 || theirs)
        && match whose {
            ListPlace::Project => issue.project == 2 || issue.project == 3,
            ListPlace::Group => issue.project != 5 && !(archived && filter.active),
            ListPlace::Caller | ListPlace::Anywhere => !(archived && filter.active),
        }
        && filter.state.is_none_or(|state| (state == State::Closed) == issue.closed)
        && match filter.scope {
            Scope::All => true,
            Scope::CreatedByMe => Some(issue.author) == caller,
            Scope::AssignedToMe => caller.is_some() && issue.assignee == caller,
        }
        && match &filter.labels {
            None => true,
            Some(Labels::None) => issue.labels.is_empty(),
            Some(Labels::Any) => !issue.labels.is_empty(),
            Some(Labels::AnyOf(titles)) => !titles.is_disjoint(&issue.labels),
            Some(Labels::AllOf(titles)) => titles.is_subset(&issue.labels),
        }
        && filter.milestone.as_ref().is_none_or(|wanted| has_milestone(wanted, issue))
        && filter.author.as_ref().is_none_or(|person| is(person, Some(issue.author)))
        && filter.assignee.as_ref().is_none_or(|wanted| is_assigned(wanted, issue))
        && filter.closed_by.is_none_or(|id| issue.closed_by == Some(id))
        && filter.confidential.is_none_or(|wanted| issue.confidential == wanted)
        && filter.iids.as_ref().is_none_or(|numbers| numbers.contains(&issue.iid))
        && within(filter.created, issue.created)
        && within(filter.updated, issue.updated)
        && match &filter.due {
            None => true,
            Some(DueFilter::None) => issue.due.is_none(),
            Some(DueFilter::Any) => issue.due.is_some(),
            Some(DueFilter::Between(from, to)) => issue.due.as_ref().is_some_and(|due| due >= from && due <= to),
        }
        && filter.reaction.as_ref().is_none_or(|wanted| reacts(wanted, caller, issue))
        && filter.search.as_ref().is_none_or(|search| finds(search, issue))
        && !filter.nothing
        && not.labels.is_disjoint(&issue.labels)
        && !not.milestone.as_ref().is_some_and(|wanted| has_milestone(wanted, issue))
        && !not.author.as_ref().is_some_and(|person| is(person, Some(issue.author)))
        && !not.assignee.as_ref().is_some_and(|person| is(person, issue.assignee))
        && !not.iids.contains(&issue.iid)
}

pub fn filter(dice: &mut Dice) -> Filter {
    fn titles(dice: &mut Dice) -> BTreeSet<String> {
        (0..1 + dice.roll(2)).map(|_| dice.one(&["a", "b", "c", "c", "nowhere"]).to_owned()).collect()
    }
    fn person(dice: &mut Dice) -> Person {
        let named = dice.one(&[Person::Text("u11".to_owned()), Person::Text("nobody".to_owned())]);
        if dice.roll(3) == 0 { named } else { Person::Int(dice.one(&PEOPLE)) }
    }
    fn assignee(dice: &mut Dice) -> Assignee {
        let person = person(dice);
        dice.one(&[Assignee::None, Assignee::Any, Assignee::Is(person.clone()), Assignee::Is(person)])
    }
    fn milestone(dice: &mut Dice) -> Milestone {
        let today = TODAY.to_owned();
        dice.one(&[
            Milestone::None,
            Milestone::Any,
            Milestone::Titled("v1".to_owned()),
            Milestone::Titled("v9".to_owned()),
            Milestone::Upcoming(today.clone()),
            Milestone::Started(today),
        ])
    }
    fn span(dice: &mut Dice) -> Span {
        Span {
            from: dice.maybe(|dice| dice.roll(12).cast_signed()),
            to: dice.maybe(|dice| 4 + dice.roll(14).cast_signed()),
        }
    }
    fn numbers(dice: &mut Dice) -> BTreeSet<i64> {
        (0..9).map(|_| dice.roll(42).cast_signed()).collect()
    }
    if dice.roll(6) == 0 {
        // a filter whose total comes from counters
        return Filter {
            state: dice.one(&[None, Some(State::Opened), Some(State::Closed)]),
            confidential: dice.maybe(|dice| dice.roll(2) == 0),
            by_update: dice.roll(2) == 0,
            ascending: dice.roll(2) == 0,
            ..Filter::default()
        };
    }
    Filter {
        state: dice.one(&[None, None, Some(State::Opened), Some(State::Closed)]),
        scope: dice.one(&[Scope::All, Scope::All, Scope::CreatedByMe, Scope::AssignedToMe]),
        labels: dice.maybe(|dice| {
            let (some, all) = (titles(dice), titles(dice));
            dice.one(&[Labels::None, Labels::Any, Labels::AnyOf(some), Labels::AllOf(all)])
        }),
        milestone: dice.maybe(milestone),
        author: dice.maybe(person),
        assignee: dice.maybe(assignee),
        closed_by: if dice.roll(20) == 0 { Some(dice.one(&PEOPLE)) } else { None },
        confidential: dice.maybe(|dice| dice.roll(2) == 0),
        iids: dice.maybe(numbers),
        created: span(dice),
        updated: span(dice),
        due: dice.maybe(|dice| {
            let (from, to) = (TODAY.to_owned(), dice.one(&[TODAY, "2020-05-31"]).to_owned());
            dice.one(&[DueFilter::None, DueFilter::Any, DueFilter::Between(from, to)])
        }),
        reaction: dice.maybe(|dice| {
            let named = Reaction::Named(dice.one(&["star", "thumbsup", "nothing"]).to_owned());
            dice.one(&[Reaction::None, Reaction::Any, named])
        }),
        search: dice.maybe(|dice| Search {
            words: words_of(dice.one(&["Two", "tw blue", "RED", "Éa", "%", "nowhere", "rare", "wo", "ИР"])),
            title: dice.roll(3) > 0,
            description: dice.roll(3) > 0,
        }),
        active: dice.roll(2) == 0,
        nothing: dice.roll(40) == 0,
        not: Exclusions {
            labels: dice.maybe(titles).unwrap_or_default(),
            milestone: dice.maybe(milestone),
            author: dice.maybe(person),
            assignee: dice.maybe(person),
            iids: dice.maybe(numbers).unwrap_or_default(),
        },
        by_update: dice.roll(2) == 0,
        by_field: None,
        ascending: dice.roll(2) == 0,
        full: dice.roll(4) == 0,
    }
}
