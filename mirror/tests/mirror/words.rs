use crate::oracle::check;
use crate::repo::Repo;

#[test]
fn time_zones_keep_their_minutes() {
    let repo = Repo::new();
    repo.commit_at("1500000000 +0545", "1500000001 -0330");
    repo.commit_at("0 +0000", "1 +1400");
    let commits = check(&repo);
    let zones = (commits[0].object.authored.zone_text(), commits[0].object.committed.zone_text());
    assert_eq!((zones.0.as_str(), zones.1.as_str()), ("+0545", "-0330"));
    assert_eq!((commits[1].object.authored.seconds, commits[1].object.committed.seconds), (0, 1));
}

#[test]
fn dates_before_1970_and_broken_ones_are_read_from_the_commit_itself() {
    let repo = Repo::new();
    repo.commit_raw(b"author A <a@b> -86400 +0530\ncommitter C <c@d> -1 -0800\n\nold\n");
    repo.commit_raw(b"author A <a@b> 12 +051800\ncommitter C <c@d> 99999999999999999999 +0100\n\nodd\n");
    repo.commit_raw(b"author A\ncommitter C <c@d> 5\n\nbroken\n");
    let commits = check(&repo);
    let dates = |at: usize| {
        let (authored, committed) = (commits[at].object.authored, commits[at].object.committed);
        ((authored.seconds, authored.zone_text()), (committed.seconds, committed.zone_text()))
    };
    let date = |seconds, zone: &str| (seconds, zone.to_owned());
    assert_eq!(dates(0), (date(-86_400, "+0530"), date(-1, "-0800")));
    // git shows this date as 1970 and sorts it after all others
    assert_eq!(dates(1), (date(12, "+0000"), date(253_402_297_199, "+0100")));
    assert_eq!(dates(2), (date(0, "+0000"), date(5, "+0000")));
}

#[test]
fn messages_and_names_in_other_encodings_become_utf8() {
    let repo = Repo::new();
    repo.commit_raw(b"author Jos\xe9 <j@x> 1 +0000\ncommitter Jos\xe9 <j@x> 1 +0000\nencoding ISO-8859-1\n\ncaf\xe9\n");
    repo.commit_raw(b"author Jos\xe9 <j@x> 2 +0000\ncommitter C <c@x> 2 +0000\n\nundeclared caf\xe9\n");
    repo.commit_raw(b"author J <j@x> 3 +0000\ncommitter C <c@x> 3 +0000\nencoding no-such\n\nunknown caf\xe9\n");
    repo.commit_raw("author J <j@x> 4 +0000\ncommitter C <c@x> 4 +0000\nencoding Shift_JIS\n\n\u{8}".as_bytes());
    repo.commit_raw(b"author J <j@x> 5 +0000\ncommitter C <c@x> 5 +0000\nencoding Shift_JIS\n\n\x93\xfa\x96\x7b\n");
    let commits = check(&repo);
    assert_eq!((commits[0].texts.author_name.as_str(), commits[0].texts.message.as_str()), ("José", "café\n"));
    assert_eq!(commits[1].texts.author_name, "Jos\u{fffd}");
    assert_eq!(commits[1].texts.message, "undeclared caf\u{fffd}\n");
    assert_eq!(commits[4].texts.message, "日本\n");
}

#[test]
fn messages_of_odd_form_are_kept_as_they_are() {
    let repo = Repo::new();
    for message in ["\n\nblank lines first\n", "no line feed", "trailing  \n\n\n", "\ttab\n\0cut off", "x\r\ny\r\n", ""]
    {
        let head = "author  <> 1 +0000\ncommitter <c> <c@x> 1 +0000\n\n";
        repo.commit_raw(&[head.as_bytes(), message.as_bytes()].concat());
    }
    let commits = check(&repo);
    assert_eq!(commits[0].texts.message, "\n\nblank lines first\n");
    assert_eq!(commits[1].texts.message, "no line feed");
}

#[test]
fn a_message_over_its_limit_is_cut_and_the_next_commit_whole() {
    let repo = Repo::new();
    let head = "author A <a@b> 1 +0000\ncommitter C <c@x> 1 +0000\n\n";
    repo.write("a", "a\n").commit_raw((head.to_owned() + &"é\n".repeat(1_000_000)).as_bytes());
    repo.write("a", "b\n").commit("next");
    let commits = repo.read();
    let escaped = edgeforge_wire::text::escaped_len(&commits[0].texts.message);
    assert!((899_990..=900_000).contains(&escaped), "{escaped}");
    assert_eq!(commits[1].texts.message, "next\n");
    assert_eq!((commits[0].additions, commits[1].deletions), (1, 1));
}
