use super::filter::{Assignee, Day, DueFilter, Filter, Labels, Milestone, Person, Reaction, Scope, Span};
use super::index_ranges::{Driver, ReadOrder};
use super::statements::{self, FilterBinds, ListPlace};
use crate::kernel::error::Result;
use crate::kernel::paging::{EVER, Key, Page};
use crate::kernel::policy;
use crate::kernel::store::{Statement, Value};
use serde_json::{Value as Json, json};

edgeforge_row::statements!(pub(super) mod totals: "src/areas/issues/lists/totals.sql");

/// Issues that a page reads beyond its size. Few in tests, so that pages end early.
const LOOK: i64 = if cfg!(test) { 3 } else { 1000 };
/// The same for a list by update whose narrow ranges hold too much to sort.
const WIDE_LOOK: i64 = 5 * LOOK;
const MOST_SORTED: i64 = if cfg!(test) { 40 } else { 5000 };
/// Issues that a page with a number reads, and a total without a counter, if they are checked against one filter.
pub const MOST_COUNTED: i64 = 10_000;
/// The same for a list of many projects.
const MOST_COUNTED_WIDELY: i64 = 4000;
/// The same for a total of v4 of many projects whose filters have no index.
const FEW_COUNTED: i64 = 1000;
/// The same for a search, and for a page of a search beyond its size. A search reads descriptions.
const MOST_SEARCHED: i64 = 300;
/// A list of many projects looks for the rarest of these in each project.
const MOST_TITLES: usize = 2;
const MOST_BY_DAY: i64 = 1000;
pub const MOST_PROJECTS: i64 = 1000;

impl Filter {
    /// The keys before the first row, and the time where the list ends.
    pub fn beginning(&self) -> ([Key; 2], i64) {
        let Span { from, to } = self.span();
        let clamp = |time: i64| time.clamp(-EVER, EVER);
        let (from, to) = (clamp(from.unwrap_or(-EVER)), clamp(to.unwrap_or(EVER)));
        let goes_up = self.ascending && self.by_day.is_none();
        if goes_up { ([from, 0].map(Key::Int), to) } else { ([to, EVER].map(Key::Int), from) }
    }

    fn conditions(&self, driver: Driver, whose: ListPlace) -> FilterBinds {
        let not = &self.not;
        let mut people: Vec<Json> = Vec::new();
        let mut add = |role: &str, wanted: i64, person: &Person| match person {
            Person::Id(id) => people.push(json!([role, wanted, id, 0])),
            Person::Name(name) => people.push(json!([role, wanted, name, 1])),
        };
        self.author.iter().for_each(|person| add("author", 1, person));
        not.author.iter().for_each(|person| add("author", 0, person));
        not.assignee.iter().for_each(|person| add("assignee", 0, person));
        if let Some(Assignee::Is(person)) = &self.assignee {
            add("assignee", 1, person);
        }
        self.closed_by.iter().for_each(|id| add("closed_by", 1, &Person::Id(*id)));
        let (mut labels, titles): (Vec<Json>, _) = match &self.labels {
            Some(Labels::AllOf(all)) => (all.iter().map(|title| json!([[title], 1])).collect(), Some(all)),
            Some(Labels::AnyOf(any)) => (vec![json!([any, 1])], Some(any)),
            _ => (Vec::new(), None),
        };
        let most_titles = if whose == ListPlace::Project { usize::MAX } else { MOST_TITLES };
        if !not.labels.is_empty() {
            labels.push(json!([not.labels, 0]));
        }
        let text = |list: Vec<Json>| Value::from((!list.is_empty()).then(|| json!(list).to_string()));
        let iids = match &self.iids {
            Some(iids) => Some((iids.difference(&not.iids).copied().collect::<Vec<i64>>(), 1)),
            None if not.iids.is_empty() => None,
            None => Some((not.iids.iter().copied().collect(), 0)),
        };
        let today = |milestone: &Option<Milestone>| match milestone {
            Some(Milestone::Upcoming(today) | Milestone::Started(today)) => Some(today.clone()),
            _ => None,
        };
        let plan = |with: fn(&Milestone) -> bool| {
            let is = |milestone: &Option<Milestone>| milestone.as_ref().is_some_and(with);
            if is(&self.milestone) { Some(1) } else { is(&not.milestone).then_some(0) }
        };
        let bound = |time: Option<i64>, end: i64| time.unwrap_or(end).clamp(-EVER, EVER).into();
        let (due, due_from, due_to) = match &self.due {
            None => (None, None, None),
            Some(DueFilter::None) => (Some(0), None, None),
            Some(DueFilter::Any) => (Some(1), None, None),
            Some(DueFilter::Between(from, to)) => (None, Some(from), Some(to)),
        };
        let search = self.search.as_ref();
        FilterBinds {
            active: i64::from(self.active).into(),
            assigned: match self.assignee {
                Some(Assignee::None) => 0.into(),
                Some(Assignee::Any) => 1.into(),
                _ => Value::Null,
            },
            confidential_level: policy::confidential_level().into(),
            created_from: bound(self.created.from, -EVER),
            created_to: bound(self.created.to, EVER),
            due: due.into(),
            due_from: due_from.into(),
            due_to: due_to.into(),
            exact: i64::from(self.is_exact(driver)).into(),
            has_iid: iids.as_ref().map(|(_, wanted)| *wanted).into(),
            iids: iids.map(|(iids, _)| json!(iids).to_string()).into(),
            in_description: search.map(|search| i64::from(search.description)).into(),
            in_title: search.map(|search| i64::from(search.title)).into(),
            labeled: match self.labels {
                Some(Labels::None) => 0.into(),
                Some(Labels::Any) => 1.into(),
                _ => Value::Null,
            },
            labels: text(labels),
            milestone: match &self.milestone {
                Some(Milestone::Titled(title)) => title.into(),
                Some(Milestone::Own(id)) => (*id).into(),
                _ => Value::Null,
            },
            mine: match self.scope {
                Scope::All => Value::Null,
                Scope::CreatedByMe => "author".into(),
                Scope::AssignedToMe => "assignee".into(),
            },
            not_milestone: match &not.milestone {
                Some(Milestone::Titled(title)) => title.into(),
                _ => Value::Null,
            },
            people: json!(people).to_string().into(),
            planned: match (&self.milestone, &not.milestone) {
                (Some(Milestone::None), _) | (_, Some(Milestone::Any)) => 0.into(),
                (Some(Milestone::Any), _) | (_, Some(Milestone::None)) => 1.into(),
                _ => Value::Null,
            },
            reacted: self.reaction.as_ref().map(|reaction| i64::from(*reaction != Reaction::None)).into(),
            reaction: match &self.reaction {
                Some(Reaction::Named(name)) => name.into(),
                _ => Value::Null,
            },
            started: plan(|milestone| matches!(milestone, Milestone::Started(_))).into(),
            titles: titles
                .map(|titles| json!(titles.iter().take(most_titles).collect::<Vec<_>>()).to_string())
                .into(),
            today: today(&self.milestone).or_else(|| today(&not.milestone)).into(),
            upcoming: plan(|milestone| matches!(milestone, Milestone::Upcoming(_))).into(),
            updated: i64::from(self.by_update).into(),
            updated_from: bound(self.updated.from, -EVER),
            updated_to: bound(self.updated.to, EVER),
            wide: (MOST_PROJECTS + 1).into(),
            words: search.map(|search| json!(search.patterns()).to_string()).into(),
            ..FilterBinds::default()
        }
    }

    /// How much more the check of an issue costs than that of one filter. One costs up to 18 rows for a page and its total.
    fn weight(&self) -> i64 {
        let words = self.search.as_ref().map_or(0, |search| search.words().len());
        let labels = match &self.labels {
            Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) => titles.len(),
            // these read a label and its title
            Some(Labels::None | Labels::Any) => 2,
            None => 0,
        };
        let milestones = [&self.milestone, &self.not.milestone].into_iter().flatten().count();
        let reactions = usize::from(self.reaction.is_some());
        // one of these is the price of any other filter
        let further = (labels + self.not.labels.len() + milestones + reactions).saturating_sub(1);
        (words.max(1) + further) as i64
    }

    /// Issues that a total without a counter reads, and a page with a number.
    fn most_looked(&self, whose: ListPlace) -> i64 {
        let most = match whose {
            _ if self.search.is_some() => MOST_SEARCHED,
            ListPlace::Project => MOST_COUNTED,
            ListPlace::Group | ListPlace::Caller | ListPlace::Anywhere => MOST_COUNTED_WIDELY,
        };
        // a list by update reads some issues twice: where there are too many to sort, it goes through all in order
        let times = if self.by_update && (self.labels.is_some() || self.milestone.is_some()) { 2 } else { 1 };
        most / (self.weight() * times)
    }

    /// Issues that a page reads beyond its size.
    fn extra(&self, is_again: bool) -> i64 {
        let look = if is_again { WIDE_LOOK } else { LOOK };
        (if self.search.is_some() { look.min(MOST_SEARCHED) } else { look }) / self.weight()
    }

    /// 400 if the page has a number that lies behind more issues than a page reads.
    pub fn check(&self, page: &Page, whose: ListPlace) -> Result<()> {
        if self.is_plain(whose) { Ok(()) } else { page.check_within(self.most_looked(whose)) }
    }

    /// Whether the list has all issues of some sections of a project.
    fn is_plain(&self, whose: ListPlace) -> bool {
        let driver = self.driver(whose);
        whose == ListPlace::Project && driver == Driver::Project && self.is_exact(driver)
    }

    pub fn is_sorted(&self, whose: ListPlace) -> bool {
        let driver = self.driver(whose);
        self.by_day.is_none() && (driver == Driver::Numbers || (self.by_update && driver != Driver::Project))
    }

    /// `is_again`: the first statement returned that there is too much to sort.
    pub fn page(&self, page: &Page, whose: ListPlace, is_again: bool) -> Statement {
        let driver = self.driver(whose);
        let (beginning, until) = self.beginning();
        let ([at, id], skip) = match self.by_day {
            None => page.begin(beginning),
            Some(_) => (beginning.map(Value::from), passed(page)),
        };
        let is_sorted = !is_again && self.is_sorted(whose);
        let reached = skip + page.size + 1;
        let least =
            if (skip > 0 || self.full) && self.search.is_none() { self.most_looked(whose) } else { 0 };
        // `check` refused a page that is not among these
        let most = if skip > 0 && self.search.is_none() { reached.max(least) } else { i64::MAX };
        let sign = if self.ascending { 1 } else { -1 };
        let signed = |value: &Value| match value {
            Value::Int(number) => Value::Int(sign * number),
            other => other.clone(),
        };
        let asked = FilterBinds {
            after_rank: signed(&at),
            after_id: if is_sorted { signed(&id) } else { id },
            after_at: at,
            bound: (MOST_SORTED + 1).into(),
            by_due_date: i64::from(self.by_day == Some(Day::Due)).into(),
            look: if self.by_day.is_some() {
                MOST_BY_DAY
            } else {
                (reached + self.extra(is_again)).max(least).min(most)
            }
            .into(),
            most: (page.size + 1).into(),
            sign: sign.into(),
            skip: skip.into(),
            until: until.into(),
            ..self.conditions(driver, whose)
        };
        let with = |kinds: String| FilterBinds { kinds: kinds.into(), ..asked.clone() };
        let kind = driver.kind();
        if self.by_day.is_some() {
            return statements::by_day(with(self.kinds(driver, kind, ReadOrder::InOrder)));
        }
        if is_sorted {
            return statements::sorted(whose, with(self.kinds(driver, kind, ReadOrder::AsSets)));
        }
        if self.is_plain(whose) {
            let sections = json!(self.sections()).to_string();
            return statements::plain(self.by_update, self.ascending, with(sections));
        }
        if self.by_update {
            let asked = with(self.kinds(driver, "project", ReadOrder::AsSets));
            return statements::by_update(whose, self.ascending, asked);
        }
        let kind = if driver == Driver::Numbers { "project" } else { kind };
        statements::by_creation(whose, self.ascending, with(self.kinds(driver, kind, ReadOrder::InOrder)))
    }

    /// None for a list by a day. v4 counts fewer issues of many projects if it checks each one against a filter.
    pub fn total(&self, whose: ListPlace) -> Option<Statement> {
        if self.by_day.is_some() {
            return None;
        }
        let driver = self.driver(whose);
        if whose == ListPlace::Project && driver == Driver::Project && self.is_counted(driver) {
            let sections = json!(self.sections()).to_string();
            return Some(totals::of_project { sections }.into());
        }
        let is_narrow = whose == ListPlace::Project || driver == Driver::Numbers || self.is_exact(driver);
        Some(self.count(whose, if self.full || is_narrow { MOST_COUNTED } else { FEW_COUNTED }))
    }

    /// Returns a row `total`, `closed`, `looked`. `most` limits the issues that it reads.
    pub fn count(&self, whose: ListPlace, most: i64) -> Statement {
        let most = most.min(self.most_looked(whose));
        let driver = self.driver(whose);
        let by_counter = self.is_counted(driver);
        let is_by_update = driver == Driver::Project && self.by_update && !by_counter;
        let kind = if is_by_update { "updated" } else { driver.kind() };
        let asked = FilterBinds {
            bound: if by_counter { EVER } else { most + 1 }.into(),
            by_counter: i64::from(by_counter).into(),
            kinds: self.kinds(driver, kind, ReadOrder::AsSets).into(),
            ..self.conditions(driver, whose)
        };
        statements::count(whose, asked)
    }

    pub fn width(&self, whose: ListPlace) -> Option<Statement> {
        let asked = || FilterBinds { kinds: "[]".into(), ..self.conditions(self.driver(whose), whose) };
        (whose != ListPlace::Project).then(|| statements::too_wide(whose, asked()))
    }
}

/// The number of issues before this page of a list by a day. The cursor holds that number.
pub fn passed(page: &Page) -> i64 {
    match page.begin([Key::Int(0), Key::Int(0)]) {
        ([Value::Int(number), _], skipped) => number.max(0).saturating_add(skipped),
        _ => 0,
    }
}
