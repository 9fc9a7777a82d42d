use super::*;
use crate::areas::issues::mentions;
use crate::areas::markdown::{MOST, rendered};

/// Numbers in an order that a seed decides.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }

    /// A line of marks that open or close something, of tasks and of mentions.
    fn line(&mut self) -> String {
        let place = ["", "", "", "  ", "    ", "> ", "- ", "* ", "1. ", "2) ", "10. ", "\t", "# ", "- > "];
        let mark = ["", "", "[ ] ", "[x] ", "[X] ", "- [ ] ", "```", "~~~", "`````", "```` text ````", "``` a`b"];
        let text = ["", "`", "``", "*", "**", "_", "~~", "[", "](/x)", "\n", " a ", "a", " | "];
        let mut line = String::from(self.of(&place)) + self.of(&mark);
        for _ in 0..self.roll(5) {
            line += self.of(&text);
            let name = self.roll(40);
            line += &[format!("@u{name}"), format!(" @u{name} "), format!("@U{name}_b"), String::new()][self.roll(4)];
        }
        line
    }
}

/// The HTML without what is in code and in links, and a line break for each tag, which ends a name.
fn text_of(html: &str) -> String {
    let (mut text, mut hidden, mut rest) = (String::new(), 0, html);
    while let Some((before, tag)) = rest.split_once('<') {
        let (name, after) = tag.split_once('>').unwrap();
        text += if hidden == 0 { before } else { "" };
        match name.split(' ').next().unwrap() {
            "code" | "a" => hidden += 1,
            "/code" | "/a" => hidden -= 1,
            _ => {}
        }
        text.push('\n');
        rest = after;
    }
    text + rest
}

fn names_in(text: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    // the first part has no `@` in front of it
    let parts = text.split('@').zip(text.split('@').skip(1));
    let names = parts.filter(|(before, _)| !before.ends_with(is_name)).filter_map(|(_, after)| {
        let name: String = after.chars().take_while(|letter| is_name(*letter)).collect();
        (!name.is_empty()).then(|| name.to_lowercase())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn tasks_and_mentions_are_those_that_the_html_shows() {
    let mut found = (0, 0);
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let lines: Vec<String> = (0..20).map(|_| dice.line()).collect();
        let text = lines.join("\n");
        let html = rendered(&text, None, MOST).unwrap();
        let done = html.matches("checked").count();
        let boxes = html.matches("type=\"checkbox\"").count();
        let (all, ticked) = (tasks(&text).count(), tasks(&text).filter(|is_done| *is_done).count());
        assert_eq!((all, ticked), (boxes, done), "{seed}:\n{text}\n{html}");
        let names = names_in(&text_of(&html));
        assert_eq!(mentions(&[&text]), names, "{seed}:\n{text}\n{html}");
        found = (found.0 + boxes, found.1 + names.len());
    }
    assert!(found.0 > 200 && found.1 > 1000, "{found:?}");
}

#[test]
fn a_hostile_text_of_a_megabyte_is_read() {
    let filled = |text: &str| text.repeat(1_048_576 / text.len());
    for part in
        ["[", "`", ">", "*a", "- ", "![](", "<", "<!--", "<code>", "\\@", "@a ", "http://", "- [ ] a\n", "&#64;"]
    {
        let text = format!("[x]@\n\n{}", filled(part));
        // one that is quadratic would not end
        let (tasks, shown) = (tasks(&text).count(), shown(&text).count());
        assert!(tasks + shown <= text.len(), "{part}");
    }
}
