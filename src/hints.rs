//! What a client can do that asked for a path which does not exist (behaviour 5.2). A hint depends on the path
//! alone, never on what the database has.

/// Longer paths are not compared with the routes.
const MOST_SEGMENTS: usize = 10;
/// Bytes.
const LONGEST_SEGMENT: usize = 40;

/// What GitLab has below a project or group and this server leaves out on purpose, and where it is instead.
const ABSENT: [(&[&str], &str); 2] = [
    (
        &["runners", "triggers", "trigger", "pipeline_schedules"],
        "nothing is built here: a build that runs elsewhere posts its result to /projects/:id/statuses/:sha",
    ),
    (
        &["merge_requests", "wikis", "snippets", "registry", "pages", "star", "fork"],
        "this server leaves it out on purpose",
    ),
];

/// The routes of one API: its path, and verbs and patterns.
pub struct Api {
    pub path: &'static str,
    pub routes: &'static [(&'static str, &'static str)],
}

impl Api {
    fn has(&self, path: &[&str]) -> bool {
        self.routes.iter().any(|(_, pattern)| fits(&literals(pattern), path))
    }

    /// The first route that differs from the path by one misspelled word, or that has one word more.
    fn nearest(&self, path: &[&str]) -> Option<String> {
        let (verb, pattern) = self.routes.iter().find(|(_, pattern)| {
            let pattern = literals(pattern);
            is_misspelled(&pattern, path) || lacks_a_word(&pattern, path)
        })?;
        let shown = segments(pattern).map(|segment| match literal(segment) {
            Some(word) => format!("/{word}"),
            None => format!("/:{segment}"),
        });
        Some(format!("{verb} {}{}", self.path, shown.collect::<String>()))
    }
}

pub fn hint(path: &[&str], asked: &Api, other: &Api) -> String {
    const ALL: &str = "/docs lists all endpoints";
    if path.len() > MOST_SEGMENTS || path.iter().any(|segment| segment.len() > LONGEST_SEGMENT) {
        return format!("there is no such endpoint; {ALL}");
    }
    if let Some(reason) = absent(path) {
        return format!("{reason}; docs/v4.md says what is left out, {ALL}");
    }
    if let ["projects", group, _, rest @ ..] = path
        && group.parse::<i64>().is_err()
        && !group.contains('/')
        && asked.has(&[&["projects", ""], rest].concat())
    {
        return format!("a project's path is one segment, its slash is %2F: projects/group%2Fproject; {ALL}");
    }
    if other.has(path) {
        return format!("there is such an endpoint in {}; {ALL}", other.path);
    }
    match asked.nearest(path) {
        Some(nearest) => format!("the nearest endpoint is {nearest}; {ALL}"),
        None => format!("there is no such endpoint; {ALL}"),
    }
}

fn absent(path: &[&str]) -> Option<&'static str> {
    let (["projects" | "groups", _, "repository", word, ..] | ["projects" | "groups", _, word, ..]) = path
    else {
        return None;
    };
    ABSENT.iter().find(|(words, _)| words.contains(word)).map(|(_, reason)| *reason)
}

/// The segments of a route as the table has it: `["projects", id, "labels"]`.
fn segments(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.trim_matches(['[', ']']).split(',').map(str::trim).filter(|segment| !segment.is_empty())
}

fn literal(segment: &str) -> Option<&str> {
    segment.strip_prefix('"')?.strip_suffix('"')
}

/// None stands for any segment.
fn literals(pattern: &str) -> Vec<Option<&str>> {
    segments(pattern).map(literal).collect()
}

fn fits(pattern: &[Option<&str>], path: &[&str]) -> bool {
    let same = |(one, other): (&Option<&str>, &&str)| one.is_none_or(|word| word == *other);
    pattern.len() == path.len() && pattern.iter().zip(path).all(same)
}

/// Whether one word of the path is another one of the pattern with one letter more, less or wrong.
fn is_misspelled(pattern: &[Option<&str>], path: &[&str]) -> bool {
    let mut wrong = pattern.iter().zip(path).filter(|(known, sent)| known.is_some_and(|word| word != **sent));
    let first = wrong.next().is_some_and(|(known, sent)| known.is_some_and(|word| is_alike(word, sent)));
    pattern.len() == path.len() && first && wrong.next().is_none()
}

/// Whether the path is the pattern without one word, and ends as the pattern.
fn lacks_a_word(pattern: &[Option<&str>], path: &[&str]) -> bool {
    let without =
        |at: usize| [pattern.get(..at), pattern.get(at + 1..)].map(Option::unwrap_or_default).concat();
    let words =
        (0..pattern.len().saturating_sub(1)).filter(|at| pattern.get(*at).is_some_and(Option::is_some));
    pattern.len() == path.len() + 1
        && pattern.last().is_some_and(Option::is_some)
        && words.map(without).any(|pattern| fits(&pattern, path))
}

fn is_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| word.to_lowercase().replace('-', "_").into_bytes());
    let most = one.len().max(other.len());
    let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = same(&mut one.iter().zip(&other));
    let end = same(&mut one.iter().rev().zip(other.iter().rev()));
    most > 3 && begin + end + 1 >= most
}

#[cfg(test)]
#[path = "../tests/unit/hints.rs"]
mod tests;
