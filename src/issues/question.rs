//! How a list's statement is told what it is asked for.

use super::filter::{
    Assignee, Day, Due, Filter, Labels, Milestone, Person, Scope, Span, State, Whose, Without,
};
use super::words;
use crate::page::Key;
use crate::policy;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How many matches are counted where no counter knows the total.
pub const MOST_COUNTED: i64 = 10_000;

/// Projects that `scope=all` reads of.
pub const MOST_PROJECTS: i64 = 1000;

/// Words of a search whose rarest is looked for.
const MOST_WORDS: usize = 3;

/// So many issues of one word are read at once; of more, the list is walked. Few in tests, so that both happen.
const FEW: i64 = if cfg!(test) { 30 } else { 200 };

/// Times before and after every time.
pub const END: i64 = 1 << 53;

impl Person {
    fn json(&self) -> Value {
        match self {
            Person::Id(id) => json!(id),
            Person::Name(name) => json!(name),
            Person::Caller => Value::Null,
        }
    }
}

/// What postings of kind 2 are under that are not under a label: see the migrations.
const AUTHOR: i64 = -3;
const ASSIGNEE: i64 = -4;

impl Filter {
    /// The person whose postings the list goes by.
    fn person(&self, whose: Whose) -> Option<(i64, &Person)> {
        match (self.scope, &self.assignee, &self.author) {
            (Scope::CreatedByMe | Scope::AssignedToMe, ..) if whose == Whose::Caller => None,
            (Scope::AssignedToMe, ..) => Some((ASSIGNEE, &Person::Caller)),
            (Scope::CreatedByMe, ..) => Some((AUTHOR, &Person::Caller)),
            (Scope::All, Some(Assignee::Is(person)), _) => Some((ASSIGNEE, person)),
            (Scope::All, _, Some(person)) => Some((AUTHOR, person)),
            (Scope::All, ..) => None,
        }
    }

    /// Whether the list goes by people, not by labels and milestones.
    fn personal(&self, whose: Whose) -> bool {
        self.person(whose).is_some() || (whose == Whose::Caller && self.scope == Scope::AssignedToMe)
    }

    /// Whether it is a list of numbers in one project: each is looked for by itself.
    pub fn numbered(&self, whose: Whose) -> bool {
        whose == Whose::Project && self.iids.is_some()
    }

    /// The span of the time that the list is ordered by.
    fn span(&self) -> Span {
        if self.by_update { self.updated } else { self.created }
    }

    /// The way that the list is walked: 1 oldest first, -1 newest first. What is sorted by a day is looked for among the
    /// newest.
    pub fn way(&self) -> i64 {
        if self.ascending && self.by_day.is_none() { 1 } else { -1 }
    }

    /// The keys that come before every row.
    pub fn beginning(&self) -> [Key; 2] {
        let span = self.span();
        let keys =
            if self.way() > 0 { [span.from.unwrap_or(-END), 0] } else { [span.to.unwrap_or(END), END] };
        keys.map(|key| Key::Int(key.clamp(-END, END)))
    }

    fn titles(&self) -> Option<&BTreeSet<String>> {
        match &self.labels {
            Some(Labels::AnyOf(titles) | Labels::AllOf(titles)) => Some(titles),
            _ => None,
        }
    }

    /// What every issue of the list has to meet beyond what it stands under: JSON `[[condition, value], ..]` (see
    /// [`super::rest`]).
    fn rest(&self, whose: Whose) -> Vec<Value> {
        let (numbered, personal) = (self.numbered(whose), self.personal(whose));
        let searched = self.search.is_some() && !numbered;
        let unindexed = numbered || personal || searched;
        let mut rest: Vec<Value> = Vec::new();
        let mut add = |name: &str, value: Value| rest.push(json!([name, value]));
        match &self.labels {
            Some(Labels::None) if unindexed => add("unlabeled", json!(1)),
            Some(Labels::Any) if unindexed => add("unlabeled", json!(0)),
            Some(Labels::AnyOf(titles)) if unindexed => add("any_label", listed(titles)),
            _ => {}
        }
        match &self.milestone {
            Some(Milestone::None) if unindexed => add("planned", json!(0)),
            Some(Milestone::Any) if unindexed => add("planned", json!(1)),
            Some(Milestone::Titled(title)) if unindexed => add("milestone", json!(title)),
            Some(Milestone::Own(id)) if unindexed => add("milestone_id", json!(id)),
            Some(Milestone::Upcoming(today)) => add("upcoming", json!(today)),
            Some(Milestone::Started(today)) => add("started", json!(today)),
            _ => {}
        }
        let person = if numbered || searched { None } else { self.person(whose) };
        match self.scope {
            Scope::CreatedByMe if numbered || searched => add("author", Value::Null),
            Scope::AssignedToMe if numbered || (searched && whose != Whose::Caller) => {
                add("assignee", Value::Null)
            }
            Scope::AssignedToMe if whose == Whose::Caller => add("seen", json!(1)),
            _ => {}
        }
        if let Some(author) = self.author.as_ref().filter(|author| person != Some((AUTHOR, author))) {
            add("author", author.json());
        }
        match &self.assignee {
            Some(Assignee::Is(assignee)) if person != Some((ASSIGNEE, assignee)) => {
                add("assignee", assignee.json());
            }
            Some(Assignee::None) => add("assigned", json!(0)),
            Some(Assignee::Any) => add("assigned", json!(1)),
            _ => {}
        }
        if let Some(confidential) = self.confidential.filter(|_| whose == Whose::Caller || unindexed) {
            add("confidential", json!(i64::from(confidential)));
        }
        if let Some(numbers) = self.iids.as_ref().filter(|_| !numbered) {
            add("iids", listed(numbers));
        }
        let spans = [("created", self.created, !self.by_update), ("updated", self.updated, self.by_update)];
        for (name, span, bounds) in spans {
            if !bounds || numbered || searched {
                span.from.into_iter().for_each(|time| add(&format!("{name}_from"), json!(time)));
                span.to.into_iter().for_each(|time| add(&format!("{name}_to"), json!(time)));
            }
        }
        match &self.due {
            Some(Due::None) => add("due", json!(0)),
            Some(Due::Any) => add("due", json!(1)),
            Some(Due::Between(from, to)) => {
                add("due_from", json!(from));
                add("due_to", json!(to));
            }
            None => {}
        }
        if let Some(state) = self.state.filter(|_| searched) {
            add("closed", json!(i64::from(state == State::Closed)));
        }
        self.closed_by.into_iter().for_each(|id| add("closed_by", json!(id)));
        if self.says_nothing() {
            add("nothing", Value::Null);
        }
        if let Some(Labels::AllOf(titles)) = &self.labels
            && (unindexed || (titles.len() > 1 && !self.full))
        {
            rest.push(json!(["labels", listed(titles), titles.len()]));
        }
        if let Some(search) = &self.search {
            let places = i64::from(search.title) + 2 * i64::from(search.description);
            rest.extend(words::searched(&search.text).iter().map(|word| json!(["word", word, places])));
        }
        rest.extend(self.not.rest());
        rest
    }

    /// Whether no issue can be in the list: no text holds a word without letters.
    fn says_nothing(&self) -> bool {
        self.nothing || self.search.as_ref().is_some_and(|search| words::searched(&search.text).is_empty())
    }

    /// The words that are searched for, each with what is behind whatever begins with it; the longest ones.
    fn words(&self) -> Option<Vec<[String; 2]>> {
        let mut words = words::searched(&self.search.as_ref()?.text);
        words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
        words.truncate(MOST_WORDS);
        Some(words.into_iter().map(|word| [word.clone(), format!("{word}\u{10ffff}")]).collect())
    }

    /// Whether the list goes by words.
    pub fn searched(&self, whose: Whose) -> bool {
        self.search.is_some() && !self.numbered(whose)
    }

    /// What issues may stand under: JSON `[label, milestone, hidden, closed]`, null for the label or milestone that the shelf
    /// names. All, and those of hidden issues.
    fn classes(&self, labelled: bool, planned: bool, whose: Whose) -> [Vec<[Option<i64>; 4]>; 2] {
        let either = |named: bool, without: bool, with: bool| match (named, without, with) {
            (true, ..) => vec![None],
            (_, true, _) => vec![Some(0)],
            (_, _, true) => vec![Some(-1)],
            _ => vec![Some(0), Some(-1)],
        };
        let states = match self.state {
            Some(State::Opened) => vec![0],
            Some(State::Closed) => vec![1],
            None => vec![0, 1],
        };
        // what somebody wrote or has to do they see, hidden or not
        let own = whose == Whose::Caller && self.scope != Scope::All;
        let hidden: Vec<i64> = match self.confidential.filter(|_| !own) {
            _ if own => vec![0],
            Some(true) => vec![1],
            Some(false) => vec![0],
            None => vec![0, 1],
        };
        let [mut all, mut of_hidden] = [Vec::new(), Vec::new()];
        if self.says_nothing() {
            return [all, of_hidden];
        }
        let with_milestone =
            matches!(self.milestone, Some(Milestone::Any | Milestone::Upcoming(_) | Milestone::Started(_)));
        let [no_label, no_milestone] =
            [self.labels == Some(Labels::None), self.milestone == Some(Milestone::None)];
        for label in either(labelled, no_label, self.labels == Some(Labels::Any)) {
            for milestone in either(planned, no_milestone, with_milestone) {
                for &closed in &states {
                    let class = |hidden: i64| [label, milestone, Some(hidden), Some(closed)];
                    all.extend(hidden.iter().map(|&hidden| class(hidden)));
                    of_hidden.extend(hidden.contains(&1).then(|| class(1)));
                }
            }
        }
        [all, of_hidden]
    }

    /// What the list's statement asks for: its bind `?7`. `most`: how many issues to look at where no index knows
    /// all that is asked for. `first`: whether it is the first one.
    /// `statistics`: the counts alone.
    pub fn question(&self, whose: Whose, most: i64, first: bool, statistics: bool) -> Value {
        let (person, personal, numbered) = (self.person(whose), self.personal(whose), self.numbered(whose));
        let titles = self.titles().filter(|_| !personal);
        let (title, own) = match &self.milestone {
            Some(Milestone::Titled(title)) if !personal => (Some(title), None),
            Some(Milestone::Own(id)) => (None, Some(*id)),
            _ => (None, None),
        };
        let rest = self.rest(whose);
        let span = self.span();
        let bounded = span != Span::default();
        let created = whose == Whose::Caller && self.scope == Scope::CreatedByMe;
        let plain =
            rest.is_empty() && !bounded && !personal && !numbered && (self.confidential.is_none() || created);
        let counter = match (titles, &self.labels, &self.milestone) {
            _ if !plain => None,
            (None, None, None) if created => Some("author"),
            _ if created => None,
            (None, None, None) => Some("project"),
            (None, None, Some(Milestone::Titled(_) | Milestone::Own(_))) => Some("milestone"),
            (Some(titles), _, None) if titles.len() == 1 => Some("label"),
            _ => None,
        };
        // of several labels that an issue has to bear, it is looked for under one
        let every = titles.filter(|titles| matches!(self.labels, Some(Labels::AllOf(_))) && titles.len() > 1);
        let labels = match titles {
            None => json!([null]),
            Some(titles) if every.is_some() => json!([titles]),
            Some(titles) => titles.iter().map(|title| json!([title])).collect(),
        };
        // an issue may be counted under each of its labels, and in a group as hidden and as somebody's own
        let named = i64::try_from(titles.map_or(1, BTreeSet::len)).unwrap_or(1).max(1);
        let times = if every.is_some() { 5 } else { named * if whose == Whose::Project { 1 } else { 2 } };
        let [opened, closed] =
            [State::Opened, State::Closed].map(|state| self.state.is_none_or(|kept| kept == state));
        let [classes, hidden] =
            self.classes(titles.is_some() || personal, title.is_some() || own.is_some() || personal, whose);
        let sorted = self.by_day.is_some();
        let steps = ((!rest.is_empty() && !numbered) || sorted).then_some(most);
        json!({
            "labels": labels, "names": titles, "every": every, "bears": every.filter(|_| self.full).map(listed),
            "milestone": own, "title": title, "person": person.map(|(role, person)| json!([role, person.json()])),
            "scope": match self.scope { Scope::All => 0, Scope::CreatedByMe => 1, Scope::AssignedToMe => 2 },
            "unnamed": i64::from(titles.is_none() && title.is_none() && own.is_none() && person.is_none()),
            "classes": classes, "hidden_classes": hidden, "iids": self.iids.as_ref().filter(|_| numbered),
            "opened": i64::from(opened), "closed": i64::from(closed), "rest": rest, "steps": steps, "first": i64::from(first), "wide": (whose == Whose::Caller && self.scope == Scope::All).then_some(MOST_PROJECTS),
            "from": span.from.unwrap_or(-END), "to": span.to.unwrap_or(END),
            "day": self.by_day.map(|day| i64::from(day == Day::Due)), "sign": if self.ascending { 1 } else { -1 }, "way": self.way(),
            "updated": i64::from(self.by_update), "active": self.active.then_some(1), "statistics": i64::from(statistics),
            "words": self.words(), "few": FEW, "counter": counter, "most": MOST_COUNTED, "rows": (MOST_COUNTED + 1) * times,
            "hidden": policy::confidential_level(),
        })
    }
}

/// Each behind a comma, and a comma.
fn listed<T: ToString>(values: &BTreeSet<T>) -> Value {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    json!(format!(",{},", values.join(",")))
}

impl Without {
    fn rest(&self) -> Vec<Value> {
        let mut rest = Vec::new();
        if !self.labels.is_empty() {
            rest.push(json!(["not_labels", listed(&self.labels)]));
        }
        if !self.iids.is_empty() {
            rest.push(json!(["not_iids", listed(&self.iids)]));
        }
        rest.extend(self.milestone.as_ref().map(|milestone| match milestone {
            Milestone::None => json!(["planned", 1]),
            Milestone::Any => json!(["planned", 0]),
            Milestone::Titled(title) => json!(["not_milestone", title]),
            Milestone::Upcoming(today) => json!(["not_upcoming", today]),
            Milestone::Started(today) => json!(["not_started", today]),
            Milestone::Own(id) => json!(["not_milestone_id", id]),
        }));
        rest.extend(self.author.as_ref().map(|person| json!(["not_author", person.json()])));
        rest.extend(self.assignee.as_ref().map(|assignee| match assignee {
            Assignee::None => json!(["assigned", 1]),
            Assignee::Any => json!(["assigned", 0]),
            Assignee::Is(person) => json!(["not_assignee", person.json()]),
        }));
        rest
    }
}
