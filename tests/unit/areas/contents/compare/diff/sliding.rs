use super::Slider;
use crate::areas::contents::compare::diff::{Side, patch};
use std::path::PathBuf;
use std::process::Command;

fn patch_of(old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(|text| Side { path: b"f", bytes: Some(text.as_bytes()) });
    patch(old, new, &mut 100_000_000).unwrap()
}

fn text(lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |text, line| text + line + "\n")
}

/// The lines of a patch, without its head.
fn drawn(old: &[&str], new: &[&str]) -> Vec<String> {
    patch_of(&text(old), &text(new)).lines().skip(3).map(str::to_owned).collect()
}

/// What is drawn if lines are added at the end of a file: behind so many other lines and a block, and before blank lines.
fn added(others: usize, block: &[&str], added: &[&str], blanks: usize) -> Vec<String> {
    let others: Vec<String> = (0..others).map(|line| format!("line {line}")).collect();
    let mut old: Vec<&str> = others.iter().map(String::as_str).collect();
    old.extend(block);
    let mut new = [&old, added].concat();
    old.resize(old.len() + blanks, "");
    new.resize(new.len() + blanks, "");
    drawn(&old, &new)
}

#[test]
fn a_block_added_at_the_end_of_a_file_stands_where_git_puts_it() {
    let block = ["f() {", "\tx", "}"];
    let (blank_last, blank_first) = (["f() {", "\tx", "}", ""], ["", "f() {", "\tx", "}"]);
    for others in [3, 251, 252, 253, 254, 255, 256, 508, 509, 510, 511, 512] {
        let found = |block, new, blanks| added(others, block, new, blanks);
        let before_blank = [" \tx", " }", " ", "+f() {", "+\tx", "+}", "+"];
        assert_eq!(found(&blank_last, &blank_last, 0), before_blank, "{others}");
        assert_eq!(found(&block, &blank_first, 1), before_blank, "{others}");
        let before_blanks = [" \tx", " }", " ", "+f() {", "+\tx", "+}", "+", " "];
        assert_eq!(found(&block, &blank_first, 2), before_blanks, "{others}");
        let at_the_end = [" f() {", " \tx", " }", "+", "+f() {", "+\tx", "+}"];
        assert_eq!(found(&block, &blank_first, 0), at_the_end, "{others}");
    }
}

#[test]
fn a_block_begins_at_its_least_indented_line() {
    let block = ["  if a", "    x", "  else", "    y"];
    let at_the_end = ["     x", "   else", "     y", "+  if a", "+    x", "+  else", "+    y"];
    assert_eq!(added(3, &block, &block, 0), at_the_end);
    let block = ["  it", "      a", "    b"];
    let before_blank = ["   it", "       a", "     b", "+  it", "+      a", "+    b", " "];
    assert_eq!(added(3, &block, &block, 1), before_blank);
}

#[test]
fn what_was_removed_slides_before_what_was_added() {
    let found = drawn(&["a", "a", "b", "b", "b"], &["b", "a", "a", "a", "a", "b", "b"]);
    assert_eq!(found, ["+b", "+a", "+a", " a", " a", "-b", " b", " b"]);
}

#[test]
fn a_change_slides_over_100_lines_at_most() {
    let lines = |equal: usize| format!("a\n{}\t\tb\n", "\tx\n".repeat(equal));
    for (equal, head) in [(100, "@@ -1,4 +1,204 @@"), (101, "@@ -99,5 +99,205 @@ a")] {
        let patch = patch_of(&lines(equal), &lines(equal + 200));
        assert_eq!(patch.lines().nth(2), Some(head));
    }
}

#[test]
fn of_many_blank_lines_20_are_looked_at() {
    let sliding = Slider { indents: vec![None] };
    let mut looked = 0;
    let found = sliding.blanks([0; 1000].iter().inspect(|_| looked += 1));
    assert_eq!((found, looked), ((20, Some(0)), 20));
}

#[test]
fn changes_of_random_blocks_stand_where_git_puts_them() {
    compare_with_git(200, 7, blocks);
}

#[test]
#[ignore = "a proof: make prove"]
fn changes_of_2000_random_files_stand_where_git_puts_them() {
    compare_with_git(2000, 1, blocks);
}

#[test]
fn the_lines_that_stay_in_a_random_file_are_those_of_git() {
    let [old, new] = [["o0", "", "o2", "o3", "o4"].as_slice(), &["", ""]];
    assert_eq!(drawn(old, new), ["-o0", " ", "-o2", "-o3", "-o4", "+"]);
    compare_with_git(400, 3, |state| edited(state, 12, 40, 8));
}

/// Long ones, so that the search ends before it has found the fewest lines.
#[test]
#[ignore = "a proof: make prove"]
fn the_lines_that_stay_in_5000_random_files_are_those_of_git() {
    compare_with_git(5000, 5, |state| edited(state, 12, 40, 8));
    compare_with_git(60, 11, |state| edited(state, 3000, 6000, 600));
    compare_with_git(6, 17, runs);
}

fn roll(state: &mut u64, most: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % most
}

/// Random lines of a few kinds, and the same after random changes: lines and blocks that come, go and are copied. One in
/// six is another text.
fn edited(state: &mut u64, kinds: usize, length: usize, changes: usize) -> (String, String) {
    let kinds = 1 + roll(state, kinds);
    let line = |state: &mut u64| match roll(state, kinds) {
        kind if kind % 7 == 0 => String::new(),
        kind if kind % 7 == 1 => format!("{}l{kind}", " ".repeat(kind % 5)),
        kind if kind % 7 == 2 => format!("\t{}}}", "\t".repeat(kind % 3)),
        kind => format!("o{kind}"),
    };
    let text = |state: &mut u64| -> Vec<String> { (0..roll(state, length)).map(|_| line(state)).collect() };
    let old = text(state);
    let mut new = if roll(state, 6) == 0 { text(state) } else { old.clone() };
    for _ in 0..roll(state, changes) {
        let at = roll(state, new.len() + 1);
        let end = (at + roll(state, 6)).min(new.len());
        match roll(state, 3) {
            0 => new.insert(at, line(state)),
            1 => drop(new.drain(at..end)),
            _ => {
                let (block, to) = (new[at..end].to_vec(), roll(state, new.len() + 1));
                new.splice(to..to, block);
            }
        }
    }
    [old, new].map(|lines| lines.join("\n") + if roll(state, 6) == 0 { "" } else { "\n" }).into()
}

/// Texts of so many lines that a search may end behind a run of equal ones.
fn runs(state: &mut u64) -> (String, String) {
    let (mut old, mut new) = (String::new(), String::new());
    let longest = 3 + roll(state, 8);
    let line = |state: &mut u64| format!("{}\n", roll(state, 900));
    for _ in 0..1100 {
        for text in [&mut old, &mut new] {
            (0..roll(state, longest)).for_each(|_| *text += &line(state));
        }
        // two runs, of which a third change places
        let mut equal = [(); 2].map(|()| (0..8 + roll(state, 18)).map(|_| line(state)).collect::<String>());
        old += &equal.concat();
        if roll(state, 3) == 0 {
            equal.reverse();
        }
        new += &equal.concat();
    }
    (old, new)
}

/// Two folders, so that one process of git compares all files.
struct Folders(PathBuf);

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folders {
    fn new(name: usize) -> Folders {
        let folders = Folders(std::env::temp_dir().join(format!("edgeforge-sliding-{}-{name}", std::process::id())));
        for side in ["a", "b"] {
            std::fs::create_dir_all(folders.0.join(side)).unwrap();
        }
        folders
    }

    /// The patches in the order of the names, each without its first two lines.
    fn patches(&self, option: &str) -> Vec<String> {
        let mut git = Command::new("git");
        git.args(["diff", "--no-index", "--no-ext-diff", "--no-prefix", option, "a", "b"]).current_dir(&self.0);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_DIR", "/dev/null");
        let output = git.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let patches = text.split("diff --git ").skip(1);
        patches.map(|patch| patch.splitn(3, '\n').nth(2).unwrap().to_owned()).collect()
    }
}

fn compare_with_git(files: usize, state: u64, random: fn(&mut u64) -> (String, String)) {
    let (folders, sides) = random_files(files, state, random);
    let patches = folders.patches("-U3");
    assert_eq!(patches.len(), files);
    for ((name, old, new), wanted) in sides.iter().zip(patches) {
        let [old_side, new_side] = [old, new].map(|text| Side { path: name.as_bytes(), bytes: Some(text.as_bytes()) });
        let found = patch(old_side, new_side, &mut 100_000_000).unwrap();
        assert_eq!(found, wanted, "{old:?} {new:?}");
    }
}

/// So a comparison by another rule would fail.
#[test]
fn the_random_files_tell_the_rules_of_git_apart() {
    let differ = |folders: &Folders, rule: &str| {
        let (patches, others) = (folders.patches("-U3"), folders.patches(rule));
        assert_eq!(patches.len(), others.len());
        patches.iter().zip(&others).filter(|(patch, other)| patch != other).count()
    };
    let (small, _) = random_files(400, 4, |state| edited(state, 12, 40, 8));
    for rule in ["--patience", "--histogram", "--no-indent-heuristic"] {
        let count = differ(&small, rule);
        assert!(count >= 20, "{count} by {rule}");
    }
    let (long, _) = random_files(20, 12, |state| edited(state, 3000, 6000, 600));
    let count = differ(&long, "--minimal");
    assert!(count >= 5, "{count} by --minimal");
}

/// The folders, and the name and both texts of each file.
fn random_files(
    files: usize,
    mut state: u64,
    random: fn(&mut u64) -> (String, String),
) -> (Folders, Vec<(String, String, String)>) {
    let folders = Folders::new(state as usize);
    let write = |side: &str, name: &str, text: &str| {
        std::fs::write(folders.0.join(side).join(name), text).unwrap();
    };
    let mut sides = Vec::new();
    while sides.len() < files {
        let (old, new) = random(&mut state);
        if old != new {
            let name = format!("{:05}", sides.len());
            write("a", &name, &old);
            write("b", &name, &new);
            sides.push((name, old, new));
        }
    }
    (folders, sides)
}

/// A file before and after changes. Each is between equal blocks and apart from the others, so that lines can only be matched
/// in one way but for sliding.
fn blocks(state: &mut u64) -> (String, String) {
    const BLOCKS: [&[&str]; 8] = [
        &["f() {", "\tx", "}"],
        &["f() {", "\tx", "}", ""],
        &["def f", "    x", "", ""],
        &["  if a", "    x", "  else", "    y"],
        &["  {", "    a: 1", "  },"],
        &["\t\tx"],
        &[""],
        &["\tx", "y"],
    ];
    let mut roll = |most: usize| roll(state, most);
    let (mut old, mut new) = (String::new(), String::new());
    for part in 0..1 + roll(4) {
        // no line of another part is equal, also no blank one
        let own = |line: &str| {
            if line.is_empty() { " ".repeat(part) + "\n" } else { format!("{line}{part}\n") }
        };
        let mut apart = String::new();
        for line in 0..roll(if part == 0 { 9 } else { 4 }) {
            apart += &own(&format!("{}{line} of ", " ".repeat(roll(6))));
        }
        if part > 0 {
            apart += &(own("apart ") + &own("").repeat(roll(3)));
        }
        let block = BLOCKS[roll(BLOCKS.len())];
        let first = roll(block.len());
        let most = if roll(9) == 0 { 150 } else { 9 };
        let fewer = roll(most);
        let more = fewer + block.len() * roll(4);
        let lines = |count| block.iter().cycle().skip(first).take(count).map(|line| own(line)).collect::<String>();
        let [in_old, in_new] = if roll(2) == 0 { [fewer, more] } else { [more, fewer] };
        old += &(apart.clone() + &lines(in_old));
        new += &(apart + &lines(in_new));
    }
    let end = "\n".repeat(roll(4) / 2 * roll(3));
    (old + &end, new + &end)
}
