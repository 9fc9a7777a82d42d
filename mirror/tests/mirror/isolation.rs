use crate::peer::Peer;
use crate::repo::Repo;
use crate::sync::assert_equal;

/// Settings that change what `git log` prints.
const HOSTILE: &[(&str, &str)] = &[
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("attr.tree", "HEAD"),
    ("core.abbrev", "7"),
    ("core.bigFileThreshold", "1"),
    ("core.pager", "cat >/dev/null"),
    ("core.quotePath", "false"),
    ("core.whitespace", "trailing-space"),
    ("diff.algorithm", "patience"),
    ("diff.colorMoved", "zebra"),
    ("diff.context", "9"),
    ("diff.external", "echo external"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.indentHeuristic", "false"),
    ("diff.interHunkContext", "50"),
    ("diff.mnemonicPrefix", "true"),
    ("diff.noprefix", "true"),
    ("diff.relative", "true"),
    ("diff.renameLimit", "1"),
    ("diff.renames", "copies"),
    ("diff.submodule", "log"),
    ("diff.suppressBlankEmpty", "true"),
    ("diff.wsErrorHighlight", "all"),
    ("diff.evil.command", "echo evil"),
    ("diff.evil.textconv", "echo evil"),
    ("format.pretty", "oneline"),
    ("i18n.commitEncoding", "ISO-8859-1"),
    ("i18n.logOutputEncoding", "ISO-8859-1"),
    ("log.abbrevCommit", "true"),
    ("log.date", "relative"),
    ("log.decorate", "full"),
    ("log.diffMerges", "combined"),
    ("log.follow", "true"),
    ("log.mailmap", "true"),
    ("log.showRoot", "false"),
    ("log.showSignature", "true"),
    ("notes.displayRef", "*"),
];

fn telling() -> Repo {
    let repo = Repo::new();
    let text: String =
        (0..60).map(|number| format!("line {number}\n{}", if number % 3 == 0 { "\n" } else { "" })).collect();
    repo.write("a.txt", &text)
        .write("b.txt", text.to_uppercase())
        .write("ünïcödé.txt", "x \n")
        .write("moves", "x\nunique\n{\n}\na\n{\n}\nb\n{\n}\n")
        .write(".gitattributes", "*.txt -diff\n")
        .commit("base é");
    repo.write("a.txt", text.replace("line 7\n", "line seven\n").replace("line 20\n", "\n\n")).commit("two hunks");
    repo.write("moves", "a\n{\n}\nunique\n{\n}\n{\n}\nx\nb\n}\n").commit("what patience sees otherwise");
    for (old, new) in [("a.txt", "renamed.txt"), ("ünïcödé.txt", "z/ünïcödé.txt"), ("moves", "z/moved")] {
        std::fs::create_dir_all(repo.path.join("z")).unwrap();
        repo.git(&["mv", old, new]);
        repo.write(new, std::fs::read_to_string(repo.path.join(new)).unwrap() + "changed\n");
    }
    repo.write("copy.txt", text.to_uppercase()).write("b.txt", text.to_uppercase() + "\n\nmore  \n").commit("moved");
    repo.git(&["checkout", "-qb", "side", "HEAD~1"]);
    repo.write("side.txt", b"caf\xe9\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-m", "merge", "side"]);
    repo.commit_raw(
        b"author J\xe9 <ann@example.com> 1 +0000\ncommitter C <c@x> 1 +0000\nencoding ISO-8859-1\n\
          gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n\xe9\n",
    );
    repo
}

#[test]
fn configuration_of_repository_user_and_system_changes_nothing() {
    let (repo, plain, hostile) = (telling(), Peer::new(), Peer::new());
    repo.sync(&plain, &[]);
    for (key, value) in HOSTILE {
        repo.git(&["config", key, value]);
    }
    repo.git(&["config", "diff.orderFile", repo.path.join("order").to_str().unwrap()]);
    repo.git(&["config", "core.attributesFile", repo.path.join("attributes").to_str().unwrap()]);
    repo.git(&["config", "mailmap.file", repo.path.join(".mailmap").to_str().unwrap()]);
    repo.write("order", "z/*\nrenamed.txt\n")
        .write("attributes", "*.txt -diff\n")
        .write(".gitattributes", "*.txt diff=evil\n");
    repo.write(".mailmap", "Somebody Else <else@example.com> <ann@example.com>\n");
    repo.git(&["notes", "add", "-m", "a note", "main~1"]);

    let mut user = String::new();
    for (key, value) in HOSTILE {
        let (section, name) = key.rsplit_once('.').unwrap();
        let section = section.split_once('.').map_or(section.to_owned(), |(a, b)| format!("{a} \"{b}\""));
        user += &format!("[{section}]\n\t{name} = {value}\n");
    }
    repo.write("user.config", user);
    let mut program = repo.program(&hostile, "sync");
    program.env("GIT_CONFIG_GLOBAL", repo.path.join("user.config"));
    program.env("GIT_CONFIG_SYSTEM", repo.path.join("user.config"));
    for (name, value) in [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "diff.noprefix"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_DIFF_OPTS", "-u9"),
        ("GIT_EXTERNAL_DIFF", "echo"),
        ("GIT_DIR", "/nowhere"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "other"),
        ("GIT_PAGER", "cat >/dev/null"),
        ("LC_ALL", "de_DE.ISO-8859-1"),
        ("TZ", "Asia/Kathmandu"),
    ] {
        program.env(name, value);
    }
    assert!(program.output().unwrap().status.success());
    assert_equal(&repo, &hostile);
    for (id, commit) in &plain.world().commits {
        assert_eq!(&hostile.world().commits[id], commit);
    }
}

#[test]
fn replaced_and_grafted_commits_are_sent_as_they_were_made() {
    let (repo, plain, peer) = (telling(), Peer::new(), Peer::new());
    repo.sync(&plain, &[]);
    let (second, merge) = (repo.git(&["rev-parse", "main~2"]), repo.git(&["rev-parse", "main~1"]));
    let other = repo.git(&["commit-tree", "main^{tree}", "-m", "replacement"]);
    repo.git(&["replace", &second, &other]);
    repo.write(".git/info/grafts", format!("{merge}\n"));
    repo.sync(&peer, &[]);
    assert_eq!(peer.world().commits, plain.world().commits);
}

#[test]
fn a_repositorys_word_on_files_without_attributes_changes_nothing() {
    let repo = Repo::new();
    let text: String =
        (0..40).map(|number| format!("{}\n", if number == 9 { "$name here  " } else { " line" })).collect();
    repo.write("a.c", &text).write("b", "x\n").commit("base");
    repo.write("a.c", text.clone() + "more\n").write("b", "y\n").commit("change");
    let before = repo.read();
    assert!(before[1].diff.contains("$name here"), "{}", before[1].diff);
    for (key, value) in
        [("binary", "true"), ("xfuncname", "^.*line"), ("funcname", "line"), ("command", "echo"), ("textconv", "echo")]
    {
        repo.git(&["config", &format!("diff.default.{key}"), value]);
        assert_eq!(repo.read(), before, "{key}");
    }
}

#[test]
fn a_bare_repository_is_read_though_the_user_wants_them_named() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let mirror = Repo::with(&["clone", "-q", "--bare", repo.path.to_str().unwrap()]);
    let config = mirror.scratch.0.join("gitconfig");
    std::fs::write(&config, "[safe]\n\tbareRepository = explicit\n").unwrap();
    let output = mirror.program(&peer, "sync").env("GIT_CONFIG_GLOBAL", &config).output().unwrap();
    assert!(output.status.success(), "{}", crate::repo::messages(&output));
    assert_equal(&mirror, &peer);
}

#[test]
fn a_repository_that_others_own_or_whose_name_is_no_utf8_is_read() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let path = repo.scratch.0.join(std::ffi::OsStr::from_bytes(b"caf\xe9\n"));
    std::fs::rename(&repo.path, &path).unwrap();
    let repo = Repo { path, ..repo };
    // nothing can be created in this directory, unless the tests run as root
    let directory = repo.path.join(".git");
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o555)).unwrap();
    repo.sync(&peer, &[]);
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o755)).unwrap();
    let files: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!files.iter().any(|name| name.to_string_lossy().contains("edgeforge")), "{files:?}");
    assert_equal(&repo, &peer);
}

#[test]
fn work_trees_of_one_repository_have_one_lock_and_one_default_branch() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    let other = repo.scratch.0.join("other");
    repo.git(&["worktree", "add", "-q", other.to_str().unwrap()]);
    let held = std::fs::File::open(repo.path.join(".git")).unwrap();
    held.lock().unwrap();
    let mut program = repo.program(&peer, "sync");
    program.arg("--repository").arg(&other).stderr(std::process::Stdio::piped());
    let mut run = program.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(run.try_wait().unwrap().is_none(), "it waits");
    drop(held);
    assert!(run.wait().unwrap().success());
    assert_eq!(peer.world().default_branch.as_deref(), Some("main"), "not what the work tree is at");
}
