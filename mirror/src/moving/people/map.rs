//! The map file, in which a person says who is who.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{Map, NOBODY, NOT_MADE, People, Rules};
use crate::console::Console;
use crate::error::{Error, Result};
use crate::moving::common::unusable;

impl People {
    pub(super) fn read_map(&self, rules: &Rules<'_>) -> Result<Map> {
        let Some(path) = rules.map.map(Path::new) else { return Ok(Map::new()) };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            // a dry run writes it
            Err(error) if rules.is_dry && error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::Usage(format!("{}: {error}", path.display()))),
        };
        let mut mapped = Map::new();
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<_> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let wrong = |why: String| Err(Error::Usage(format!("{}, line {number}: {why}", path.display())));
            let (there, here) = match *words {
                [] => continue,
                [there, here] => (there, here),
                _ => return wrong("give a user name or number there, and a user name here or -".to_owned()),
            };
            let by_name = self.known.iter().find(|(_, of)| of.username.eq_ignore_ascii_case(there)).map(|(id, _)| *id);
            let Some(id) = by_name.or_else(|| there.parse().ok()) else {
                return wrong(format!("nobody in the archive is called {there}"));
            };
            let here = if here == "-" { Some(&0) } else { self.here.by_username.get(&here.to_lowercase()) };
            match here {
                Some(here) if mapped.insert(id, *here).is_none_or(|before| before == *here) => {}
                Some(_) => return wrong(format!("{there} has two lines")),
                None => return wrong(format!("there is no user {} here", words.last().unwrap_or(&""))),
            }
        }
        Ok(mapped)
    }

    /// Adds those who lack to the map file, as comments, so that a person decides.
    pub fn suggest(&self, file: &str, console: &Console) -> Result<()> {
        let path = Path::new(file);
        let mut text = fs::read_to_string(path).unwrap_or_default();
        let before = text.len();
        if text.is_empty() {
            text = "# user name or number there, user name here or - for a placeholder\n".to_owned();
        }
        for (id, (here, how)) in self.found.iter().collect::<BTreeMap<_, _>>() {
            let Some(person) = self.known.get(id).filter(|_| *here == NOT_MADE && *id != NOBODY) else { continue };
            let there = if person.username.is_empty() { id.to_string() } else { person.username.clone() };
            let same = self.here.by_username.contains_key(&person.username.to_lowercase());
            let here = if same { there.as_str() } else { "-" };
            let hint = match *how {
                _ if same => "the same user name; remove the mark if it is the same person",
                "to be made" => "to be made, without a line here",
                _ => "to be a placeholder; remove the mark and write a user name for - if you know the person",
            };
            let line = format!("# {there} {here}   # {}: {hint}", person.name.replace(['\n', '#'], " "));
            if !text.contains(&line) {
                let _ = writeln!(text, "{line}");
            }
        }
        if text.len() > before {
            fs::write(path, text).map_err(unusable(path))?;
            console.say(&format!("wrote {file}: fill it in, and give it with --map"));
        }
        Ok(())
    }
}
