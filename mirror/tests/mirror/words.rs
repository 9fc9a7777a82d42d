//! Dates, names and messages of every form.

use crate::oracle::check;
use crate::repo::Repo;

#[test]
fn time_zones_keep_their_minutes() {
    let repo = Repo::new();
    repo.commit_at("1500000000 +0545", "1500000001 -0330");
    repo.commit_at("0 +0000", "1 +1400");
    let commits = check(&repo);
    assert_eq!((commits[0].author_zone.as_str(), commits[0].committer_zone.as_str()), ("+0545", "-0330"));
    assert_eq!((commits[1].authored_at, commits[1].committed_at), (0, 1));
}

#[test]
fn dates_before_1970_and_broken_ones_are_read_from_the_commit_itself() {
    let repo = Repo::new();
    repo.commit_raw(b"author A <a@b> -86400 +0530\ncommitter C <c@d> -1 -0800\n\nold\n");
    repo.commit_raw(b"author A <a@b> 12 +051800\ncommitter C <c@d> 99999999999999999999 +0100\n\nodd\n");
    repo.commit_raw(b"author A\ncommitter C <c@d> 5\n\nbroken\n");
    let commits = check(&repo);
    let dates = |at: usize| {
        let commit = &commits[at];
        (commit.authored_at, commit.author_zone.as_str(), commit.committed_at, commit.committer_zone.as_str())
    };
    assert_eq!(dates(0), (-86_400, "+0530", -1, "-0800"));
    assert_eq!((dates(1).0, dates(1).1, dates(1).2), (12, "+0000", 0));
    assert_eq!(dates(2), (0, "+0000", 5, "+0000"));
}

#[test]
fn messages_and_names_in_other_encodings_become_utf8() {
    let repo = Repo::new();
    repo.commit_raw(
        b"author Jos\xe9 <j@x> 1 +0000\ncommitter Jos\xe9 <j@x> 1 +0000\nencoding ISO-8859-1\n\ncaf\xe9\n",
    );
    repo.commit_raw(b"author Jos\xe9 <j@x> 2 +0000\ncommitter C <c@x> 2 +0000\n\nundeclared caf\xe9\n");
    repo.commit_raw(
        b"author J <j@x> 3 +0000\ncommitter C <c@x> 3 +0000\nencoding no-such\n\nunknown caf\xe9\n",
    );
    repo.commit_raw(
        "author J <j@x> 4 +0000\ncommitter C <c@x> 4 +0000\nencoding Shift_JIS\n\n\u{8}".as_bytes(),
    );
    repo.commit_raw(
        b"author J <j@x> 5 +0000\ncommitter C <c@x> 5 +0000\nencoding Shift_JIS\n\n\x93\xfa\x96\x7b\n",
    );
    let commits = check(&repo);
    assert_eq!((commits[0].author_name.as_str(), commits[0].message.as_str()), ("José", "café\n"));
    assert_eq!(commits[1].author_name, "Jos\u{fffd}");
    assert_eq!(commits[1].message, "undeclared caf\u{fffd}\n");
    assert_eq!(commits[4].message, "日本\n");
}

#[test]
fn messages_of_odd_form_are_kept_as_they_are() {
    let repo = Repo::new();
    for message in
        ["\n\nblank lines first\n", "no line feed", "trailing  \n\n\n", "\ttab\n\0cut off", "x\r\ny\r\n", ""]
    {
        let head = "author  <> 1 +0000\ncommitter <c> <c@x> 1 +0000\n\n";
        repo.commit_raw(&[head.as_bytes(), message.as_bytes()].concat());
    }
    let commits = check(&repo);
    assert_eq!(commits[0].message, "\n\nblank lines first\n");
    assert_eq!(commits[1].message, "no line feed");
}

#[test]
fn a_message_over_a_mebibyte_is_cut_and_the_next_commit_whole() {
    let repo = Repo::new();
    let head = "author A <a@b> 1 +0000\ncommitter C <c@x> 1 +0000\n\n";
    repo.write("a", "a\n").commit_raw((head.to_owned() + &"é\n".repeat(1_000_000)).as_bytes());
    repo.write("a", "b\n").commit("next");
    let commits = repo.read();
    assert!(commits[0].message.len() <= 1024 * 1024 && commits[0].message.len() > 1024 * 1024 - 4);
    assert_eq!(commits[1].message, "next\n");
    assert_eq!((commits[0].additions, commits[1].deletions), (1, 1));
}
