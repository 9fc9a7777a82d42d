//! The head of a list, and the texts of the two statements that are made of it: its page and its total.

/// The most rows that a total counts of a list without filters, and of one with filters, unless the list says otherwise.
const COUNTED: &str = "10000";
const COUNTED_OF_FILTERED: &str = "1000";

#[derive(Debug, Default)]
pub struct List {
    /// `-- shows: ReleaseRow of release_rows`: the type of a row, and the table or view that has its columns. Without a
    /// view the list's own text has them.
    pub shows: String,
    view: Option<String>,
    /// `-- beside: p.iid`: more columns of the answer, of the list's rows `p`.
    beside: String,
    /// `-- weighs: release_lengths`, or `-- weighs: ref_lengths by project_id, name`: the view with the bytes of a row.
    lengths: Option<String>,
    by: String,
    /// `-- order: created_at desc, id desc`, `-- order: title text`, `-- order: number either way`.
    pub keys: Vec<Key>,
    pub way: Way,
    /// `-- order: p.id inside`: the list's text has its rows in this order already.
    is_sorted: bool,
    /// `-- filters: state, name`: binds that are null unless the request filters by them. The list has a column `fits`.
    pub filters: Vec<String>,
    /// `-- looks: 1000`: the most rows that a page without a cursor looks at, if the filters are costly.
    pub looks: Option<String>,
    pub total: Total,
}

#[derive(Debug)]
pub struct Key {
    /// As the list's text names it, such as `e.id`.
    source: String,
    pub is_text: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub enum Way {
    #[default]
    Up,
    Down,
    Either,
}

/// `-- total: none`, `-- total: 1000`, or the name of a statement.
#[derive(Debug, Default, PartialEq)]
pub enum Total {
    #[default]
    Counted,
    UpTo(String),
    Of(String),
    None,
}

impl Key {
    fn read(text: &str) -> Key {
        let text = text.trim();
        let (source, is_text) = text.strip_suffix(" text").map_or((text, false), |source| (source, true));
        Key { source: source.to_owned(), is_text }
    }

    /// As the rows of the list name it.
    fn name(&self) -> &str {
        if self.is_of_order() { "sort_key" } else { self.source.rsplit('.').next().unwrap_or_default() }
    }

    /// Whether each order of the file has a key of its own here.
    pub fn is_of_order(&self) -> bool {
        self.source == "{sort_key}"
    }
}

impl List {
    /// Whether the line was one of a list's head.
    pub fn read(&mut self, word: &str, value: &str) -> bool {
        let value = value.trim();
        match word {
            "shows" => {
                let (shows, view) = value.split_once(" of ").map_or((value, None), |(shows, view)| (shows, Some(view)));
                (self.shows, self.view) = (shows.to_owned(), view.map(str::to_owned));
            }
            "beside" => {
                let comma = if self.beside.is_empty() { "" } else { ", " };
                self.beside = format!("{}{comma}{value}", self.beside);
            }
            "weighs" => {
                let (lengths, by) = value.split_once(" by ").unwrap_or((value, ""));
                (self.lengths, self.by) = (Some(lengths.to_owned()), by.to_owned());
            }
            "order" => {
                let inner = value.strip_suffix(" inside");
                self.is_sorted = inner.is_some();
                let value = inner.unwrap_or(value);
                let (keys, way) = match value.strip_suffix(" either way") {
                    Some(keys) => (keys, Way::Either),
                    None if value.split(", ").all(|key| key.ends_with(" desc")) => (value, Way::Down),
                    None => (value, Way::Up),
                };
                let key = |key: &str| Key::read(if way == Way::Down { key.trim_end_matches(" desc") } else { key });
                (self.keys, self.way) = (keys.split(", ").map(key).collect(), way);
            }
            "filters" => self.filters = value.split(", ").map(str::to_owned).collect(),
            "looks" => self.looks = Some(value.to_owned()),
            "total" if value == "none" => self.total = Total::None,
            "total" if value.starts_with(|letter: char| letter.is_ascii_digit()) => {
                self.total = Total::UpTo(value.to_owned());
            }
            "total" => self.total = Total::Of(value.to_owned()),
            _ => return false,
        }
        true
    }

    /// The fault of a head that says too little, or two ways.
    pub fn check(&self) -> Result<(), String> {
        let is_mixed =
            |key: &Key| key.source.split(' ').any(|word| ["asc", "desc", "either", "inside"].contains(&word));
        match () {
            () if self.shows.is_empty() => Err("a list says what it `-- shows:`".to_owned()),
            () if self.keys.is_empty() || self.keys.iter().any(is_mixed) => {
                Err("a list has an `-- order:` whose keys go one way, then `either way`, then `inside`".to_owned())
            }
            () if self.looks.as_ref().is_some_and(|looks| looks.parse::<i64>().is_err()) => {
                Err("`-- looks:` is a number".to_owned())
            }
            () => Ok(()),
        }
    }

    /// The condition `{after}` of the rows behind the page before.
    pub fn after(&self) -> String {
        let sign = self.worded(">", "<", "{beyond}");
        let binds: Vec<String> = (1..=self.keys.len()).map(|at| format!(":after_{at}")).collect();
        match (self.keys.as_slice(), binds.as_slice()) {
            ([key], [bind]) => format!("{} {sign} {bind}", key.source),
            (keys, _) => {
                // SQLite takes no index of an expression for a list of keys alone
                let is_expression = keys.iter().any(Key::is_of_order);
                let range = if is_expression { "{sort_key} between :from and :to and " } else { "" };
                format!("{range}({}) {sign} ({})", self.joined(|key| key.source.clone()), binds.join(", "))
            }
        }
    }

    fn worded(&self, up: &'static str, down: &'static str, either: &'static str) -> &'static str {
        match self.way {
            Way::Up => up,
            Way::Down => down,
            Way::Either => either,
        }
    }

    fn joined(&self, of: impl Fn(&Key) -> String) -> String {
        self.keys.iter().map(of).collect::<Vec<_>>().join(", ")
    }

    fn order(&self, of: impl Fn(&Key) -> String) -> String {
        let way = self.worded("", " desc", " {way}");
        self.joined(|key| of(key) + way)
    }

    /// The rows of the list in its order.
    fn rows(&self, source: &str) -> String {
        if self.is_sorted {
            return source.to_owned();
        }
        let order = self.order(|key| if key.is_of_order() { "sort_key" } else { &key.source }.to_owned());
        format!("{source} order by {order}")
    }

    /// The piece of `src/kernel/pieces.sql` that makes the page, and its arguments.
    pub fn page(&self, source: &str) -> (&'static str, Vec<(&'static str, String)>) {
        let page = match (&self.lengths, self.filters.is_empty()) {
            (None, true) => "plain_page",
            (Some(_), true) => "weighed_page",
            (None, false) => "matching_page",
            (Some(_), false) => "weighed_matching_page",
        };
        let by = if self.by.is_empty() { "id" } else { &self.by };
        let (columns, tables) = match &self.view {
            Some(view) => ("r.*", format!("page p cross join {view} r using ({by})")),
            None => ("p.*", "page p".to_owned()),
        };
        let beside = if self.beside.is_empty() { String::new() } else { format!(", {}", self.beside) };
        let arguments = vec![
            ("rows", self.rows(source)),
            ("lengths", self.lengths.clone().unwrap_or_default()),
            ("by", by.to_owned()),
            ("order", self.order(|key| key.name().to_owned())),
            ("columns", format!("{columns}{beside}")),
            ("tables", tables),
            ("keys", self.joined(|key| format!("p.{}", key.name()))),
            ("page_order", self.order(|key| format!("p.{}", key.name()))),
        ];
        (page, arguments)
    }

    /// The most rows that the total counts. None if the list's own rows are not counted.
    pub fn counted(&self) -> Option<&str> {
        match &self.total {
            Total::Counted if self.filters.is_empty() => Some(COUNTED),
            Total::Counted => Some(COUNTED_OF_FILTERED),
            Total::UpTo(most) => Some(most),
            Total::Of(_) | Total::None => None,
        }
    }

    /// The piece that makes the total. None if the list has none, or another statement counts.
    pub fn count(&self, source: &str) -> Option<(&'static str, Vec<(&'static str, String)>)> {
        let most = self.counted()?;
        let count = if self.filters.is_empty() { "count_of_list" } else { "count_of_matching" };
        Some((count, vec![("rows", self.rows(source)), ("most", most.to_owned())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(lines: &[(&str, &str)]) -> List {
        let mut list = List::default();
        for (word, value) in lines {
            assert!(list.read(word, value), "{word}");
        }
        list
    }

    fn argument(list: &List, name: &str) -> String {
        let (_, arguments) = list.page("select id from labels");
        arguments.into_iter().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn a_list_begins_behind_the_keys_of_the_page_before() {
        for (order, after) in [
            ("l.title text", "l.title > :after_1"),
            ("id desc", "id < :after_1"),
            ("e.at desc, e.id desc", "(e.at, e.id) < (:after_1, :after_2)"),
            ("at, id either way", "(at, id) {beyond} (:after_1, :after_2)"),
            (
                "{sort_key}, p.id either way inside",
                "{sort_key} between :from and :to and ({sort_key}, p.id) {beyond} (:after_1, :after_2)",
            ),
        ] {
            assert_eq!(list(&[("order", order)]).after(), after, "{order}");
        }
    }

    #[test]
    fn its_text_is_sorted_unless_it_sorts_itself() {
        let descending = list(&[("order", "l.at desc, l.id desc")]);
        assert_eq!(argument(&descending, "rows"), "select id from labels order by l.at desc, l.id desc");
        assert_eq!(argument(&descending, "keys"), "p.at, p.id");
        let inside = list(&[("order", "{sort_key}, l.id either way inside")]);
        assert_eq!(argument(&inside, "rows"), "select id from labels");
        assert_eq!(argument(&inside, "keys"), "p.sort_key, p.id");
    }

    #[test]
    fn filters_and_lengths_choose_the_page() {
        let of = |lines: &[(&str, &str)]| list(lines).page("").0;
        assert_eq!(of(&[("order", "id")]), "plain_page");
        assert_eq!(of(&[("order", "id"), ("weighs", "lengths")]), "weighed_page");
        assert_eq!(of(&[("order", "id"), ("filters", "state")]), "matching_page");
        assert_eq!(of(&[("order", "id"), ("filters", "state"), ("weighs", "lengths")]), "weighed_matching_page");
    }

    #[test]
    fn a_view_has_the_columns_of_its_rows() {
        let plain = list(&[("order", "id"), ("shows", "Label")]);
        assert_eq!((argument(&plain, "columns").as_str(), argument(&plain, "tables").as_str()), ("p.*", "page p"));
        let of_view = list(&[
            ("order", "name text"),
            ("shows", "Ref of ref_rows"),
            ("beside", "p.a"),
            ("beside", "p.b"),
            ("weighs", "lengths by project_id, name"),
        ]);
        assert_eq!(argument(&of_view, "columns"), "r.*, p.a, p.b");
        assert_eq!(argument(&of_view, "tables"), "page p cross join ref_rows r using (project_id, name)");
    }

    #[test]
    fn a_head_that_says_too_little_or_two_ways_is_refused() {
        let flaw = |lines: &[(&str, &str)]| list(lines).check().is_err();
        let shows = ("shows", "Label");
        assert!(!flaw(&[shows, ("order", "a desc, b desc")]));
        assert!(flaw(&[("order", "id")]) && flaw(&[shows]) && flaw(&[shows, ("order", "id"), ("looks", "many")]));
        for order in ["a desc, b", "a, b desc inside", "a inside either way", "a asc"] {
            assert!(flaw(&[shows, ("order", order)]), "{order}");
        }
    }

    #[test]
    fn a_list_counts_its_rows_unless_something_else_does() {
        let counted = |lines: &[(&str, &str)]| list(lines).counted().map(str::to_owned);
        assert_eq!(counted(&[]).as_deref(), Some("10000"));
        assert_eq!(counted(&[("filters", "state")]).as_deref(), Some("1000"));
        assert_eq!(counted(&[("total", "20")]).as_deref(), Some("20"));
        assert_eq!(counted(&[("total", "none")]), None);
        assert_eq!(list(&[("total", "counters")]).total, Total::Of("counters".to_owned()));
    }
}
