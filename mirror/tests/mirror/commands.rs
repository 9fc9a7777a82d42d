use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::peer::{Peer, TOKEN};
use crate::repo::{Repo, messages};
use crate::sync::assert_equal;

/// The dates are those that `Repo` gives its commits.
pub fn shown(commit: &Value) -> Value {
    let message = commit["message"].as_str().unwrap();
    let numbers = (commit["additions"].as_u64().unwrap(), commit["deletions"].as_u64().unwrap());
    json!({
        "id": commit["id"],
        "short_id": &commit["id"].as_str().unwrap()[..8],
        "title": message.lines().next().unwrap_or("--no commit message"),
        "message": message,
        "author_name": commit["author_name"],
        "author_email": commit["author_email"],
        "authored_date": "2017-07-14T04:40:00+02:00",
        "created_at": "2017-07-14T04:41:40+02:00",
        "committed_date": "2017-07-14T04:41:40+02:00",
        "parent_ids": commit["parents"],
        "stats": {"additions": numbers.0, "deletions": numbers.1, "total": numbers.0 + numbers.1},
        "status": null,
    })
}

fn token_file(repo: &Repo) -> PathBuf {
    let file = repo.scratch.0.join("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    file
}

fn install(repo: &Repo, peer: &Peer) -> Output {
    let mut program = repo.program(peer, "install");
    program.env_remove("EDGEFORGE_TOKEN").arg("--token-file").arg(token_file(repo)).output().unwrap()
}

fn bare_program(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_edgeforge-mirror"));
    program.env_remove("EDGEFORGE_TOKEN").args(arguments).output().unwrap()
}

#[test]
fn a_push_to_an_installed_repository_is_on_the_server_when_it_ends() {
    let (mirror, work, peer) = (Repo::bare(), Repo::grown(3), Peer::new());
    let output = install(&mirror, &peer);
    assert!(output.status.success(), "{}", messages(&output));
    let mut push = work.command();
    push.args(["push", "-q", mirror.path.to_str().unwrap(), "main", "main:refs/heads/side"]);
    let pushed = push.output().unwrap();
    assert!(messages(&pushed).contains("sent 3 commits"), "{}", messages(&pushed));
    assert_equal(&mirror, &peer);
    assert_eq!(mirror.git(&["config", "edgeforge.project"]), "ann/proj");
}

#[test]
fn install_may_be_repeated_and_leaves_anothers_hook_alone() {
    let (mirror, peer) = (Repo::bare(), Peer::new());
    assert!(install(&mirror, &peer).status.success());
    assert!(install(&mirror, &peer).status.success());
    let hook = mirror.path.join("hooks/post-receive");
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
    fs::write(&hook, "#!/bin/sh\necho mine\n").unwrap();
    mirror.git(&["config", "--unset", "edgeforge.server"]);
    let output = install(&mirror, &peer);
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("post-receive already exists"));
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\necho mine\n");
    assert!(
        !mirror.git(&["config", "--list", "--local"]).contains("edgeforge.server"),
        "nothing was configured"
    );
}

#[test]
fn install_wants_a_bare_repository_its_own_hooks_and_every_option() {
    let peer = Peer::new();
    let output = install(&Repo::new(), &peer);
    assert!(messages(&output).contains("is not a bare repository"), "{}", messages(&output));
    let mirror = Repo::bare();
    let output = mirror.program(&peer, "install").output().unwrap();
    assert_eq!(
        (output.status.code(), messages(&output).contains("install needs --token-file")),
        (Some(2), true)
    );
    mirror.git(&["config", "core.hooksPath", "/somewhere"]);
    assert_eq!(install(&mirror, &peer).status.code(), Some(3));
}

#[test]
fn options_that_are_absent_are_read_from_the_configuration() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["config", "edgeforge.server", &format!("{}/", peer.address)]);
    repo.git(&["config", "edgeforge.project", "ann/proj"]);
    repo.git(&["config", "edgeforge.tokenFile", token_file(&repo).to_str().unwrap()]);
    let output = bare_program(&["sync", "--repository", repo.path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", messages(&output));
    assert_equal(&repo, &peer);
}

#[test]
fn what_is_missing_is_named_with_exit_code_two() {
    let repo = Repo::grown(1);
    let path = repo.path.to_str().unwrap();
    let output = bare_program(&["sync", "--repository", path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(messages(&output).contains("give --server or set edgeforge.server"), "{}", messages(&output));
    let output =
        bare_program(&["sync", "--repository", path, "--server", "http://127.0.0.1:1", "--project", "1"]);
    assert!(messages(&output).contains("the token is missing; set EDGEFORGE_TOKEN"), "{}", messages(&output));
    let output = bare_program(&["sync", "--token", "x"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_and_version_are_printed() {
    let output = bare_program(&["--help"]);
    assert!(
        output.status.success() && String::from_utf8(output.stdout).unwrap().contains("Exit codes: 0 done")
    );
    assert!(bare_program(&["sync", "--help"]).status.success());
    assert!(
        String::from_utf8(bare_program(&["--version"]).stdout).unwrap().starts_with("edgeforge-mirror 0.")
    );
}

#[test]
fn a_token_file_must_hold_a_token_and_should_be_private() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let file = token_file(&repo);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let said = repo.sync(&peer, &["--token-file", file.to_str().unwrap()]);
    assert!(said.contains("other users can read the token file"), "{said}");
    fs::write(&file, "two words\n").unwrap();
    let output = repo.program(&peer, "sync").arg("--token-file").arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!messages(&output).contains("two words"));
}

#[test]
fn status_shows_what_differs_and_exits_with_one() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    let status = || {
        let output = repo.program(&peer, "status").output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, shown) = status();
    assert_eq!(code, Some(1));
    assert!(
        shown.ends_with("! default branch (none) -> main\n3 commits to send, 1 ref to change\n"),
        "{shown}"
    );
    repo.sync(&peer, &[]);
    assert_eq!(status(), (Some(0), "0 commits to send, 0 refs to change\n".to_owned()));
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert!(status().1.contains("! refs/heads/main ") && status().1.contains(" (forced)"));
}

#[test]
fn verify_finds_every_difference() {
    let (repo, peer) = (Repo::new(), Peer::new());
    let first = repo.write("a", "one\n").commit("first\n\nbody");
    let second = repo.write("a", "two\n").write("b", b"\0").commit("second");
    let third = repo.commit("");
    repo.sync(&peer, &[]);
    let verify = || {
        let output = repo.program(&peer, "verify").args(["--sample", "10"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let well = "1 ref compared, 0 different\nbranches of 3 commits compared, 0 different\n3 commits compared, 0 different\n";
    assert_eq!(verify(), (Some(0), well.to_owned()));
    let change =
        |id: &String, key: &str, value: Value| peer.world().commits.get_mut(id).unwrap()[key] = value;
    change(&first, "message", json!("forged\n"));
    change(&second, "diff", json!("[]"));
    peer.world().commits.remove(&third);
    let (code, shown) = verify();
    assert_eq!(code, Some(1));
    assert!(
        shown.contains(&format!("{first} title: git has \"first\", the server has \"forged\"")),
        "{shown}"
    );
    assert!(shown.contains(&format!("{second} has a different diff on the server")), "{shown}");
    assert!(shown.contains(&format!("{third} is not on the server")), "{shown}");
    assert!(shown.ends_with("3 commits compared, 3 different\n"), "{shown}");
}

#[test]
fn verify_compares_lists_and_tags_in_both_countings_of_pages() {
    let (repo, peer) = (Repo::grown(250), Peer::new());
    repo.git(&["tag", "v1", "HEAD~1"]);
    repo.git(&["branch", "old", "HEAD~100"]);
    repo.sync(&peer, &[]);
    let verify = || {
        let output = repo.program(&peer, "verify").args(["--sample", "1", "--lists"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for first_page in [0, 1] {
        peer.world().first_page = first_page;
        let shown = verify();
        assert!(shown.ends_with("2 lists of 7 pages and 1 tag compared, 0 different\n"), "{shown}");
    }
    let far = repo.git(&["rev-parse", "HEAD~120"]);
    let tip = repo.head();
    peer.world().commits.get_mut(&far).unwrap()["parents"] = json!([]);
    peer.world().refs.insert("refs/tags/v1".to_owned(), tip.clone());
    let shown = verify();
    let wanted = [
        "refs/heads/main page 2 differs from its commit 22 on".to_owned(),
        "refs/heads/main page 3 differs from its commit 1 on".to_owned(),
        "refs/heads/old page 1 differs from its commit 22 on".to_owned(),
        "refs/heads/old page 2 differs from its commit 1 on".to_owned(),
        format!("refs/tags/v1 git has {}, the server has {tip}", repo.git(&["rev-parse", "v1"])),
        "2 lists of 7 pages and 1 tag compared, 3 different".to_owned(),
    ];
    assert!(wanted.iter().all(|line| shown.contains(line)), "{shown}");
}

#[test]
fn verify_finds_refs_messages_and_branches_that_are_wrong_with_a_hooks_token() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["tag", "-a", "-m", "one", "v1"]);
    repo.git(&["branch", "side"]);
    repo.sync(&peer, &[]);
    peer.world().is_hook = true;
    let verify = || {
        let output = repo.program(&peer, "verify").output().unwrap();
        assert!(messages(&output).contains("a hook's token cannot read them"), "{}", messages(&output));
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let well = "3 refs compared, 0 different\nbranches of 3 commits compared, 0 different\n";
    assert_eq!(verify(), (Some(0), well.to_owned()));
    let first = repo.git(&["rev-parse", "HEAD~2"]);
    {
        let mut world = peer.world();
        world.forged.insert(first.clone(), json!("side"));
        world.tags.get_mut("refs/tags/v1").unwrap().1 = "forged".to_owned();
        world.refs.insert("refs/heads/side".to_owned(), first.clone());
        world.refs.insert("refs/heads/more".to_owned(), first.clone());
        world.default_branch = Some("more".to_owned());
    }
    let (code, shown) = verify();
    assert_eq!(code, Some(1));
    let wanted = [
        "refs/tags/v1 has a different message on the server".to_owned(),
        format!("refs/heads/side: git has {}, the server has {first}", repo.head()),
        "refs/heads/more is only on the server".to_owned(),
        "default branch: git has main, the server has more".to_owned(),
        format!("branch of {first}: git has main, the server has side"),
        "3 refs compared, 4 different".to_owned(),
    ];
    assert!(wanted.iter().all(|line| shown.contains(line)), "{shown}");
}

#[test]
fn a_commit_that_the_server_wants_anew_is_sent_again() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.sync(&peer, &[]);
    let second = repo.git(&["rev-parse", "HEAD~1"]);
    peer.world().forgotten.push(second.clone());
    peer.world().commits.get_mut(&second).unwrap()["diff"] = json!("forged");
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("sent 1 commit again"), "{said}");
    assert_ne!(peer.world().commits[&second]["diff"], "forged");
    assert_equal(&repo, &peer);
}

#[test]
fn what_an_earlier_sync_left_pending_is_gone_on_with() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.sync(&peer, &[]);
    let writes = peer.writes();
    peer.world().pending = 3;
    let said = repo.sync(&peer, &[]);
    assert!(said.contains("the server has assigned the commits to branches"), "{said}");
    assert_eq!((peer.writes() - writes, peer.world().pending), (3, 0));
}

#[test]
fn install_asks_the_server_before_it_writes() {
    let (mirror, peer) = (Repo::bare(), Peer::new());
    let output = install(&mirror, &peer);
    let said = messages(&output);
    assert!(said.contains("found ann/proj on ") && said.contains(" with 0 refs"), "{said}");
    for (option, value, code) in [("--project", "other", 4), ("--server", "http://127.0.0.1:1", 4)] {
        let mirror = Repo::bare();
        let mut program = mirror.program(&peer, "install");
        program.args(["--retries", "0", "--token-file"]).arg(token_file(&mirror)).args([option, value]);
        assert_eq!(program.output().unwrap().status.code(), Some(code));
        assert!(!mirror.path.join("hooks/post-receive").exists());
        assert!(!mirror.git(&["config", "--list", "--local"]).contains("edgeforge"));
    }
}

#[test]
fn install_writes_no_hook_that_others_share_and_keeps_links_as_they_are() {
    let (mirror, peer) = (Repo::bare(), Peer::new());
    let hooks = mirror.path.join("hooks");
    let shared = mirror.scratch.0.join("shared");
    fs::create_dir(&shared).unwrap();
    let _ = fs::remove_dir_all(&hooks);
    std::os::unix::fs::symlink(&shared, &hooks).unwrap();
    assert_eq!(install(&mirror, &peer).status.code(), Some(3));
    assert!(fs::read_dir(&shared).unwrap().next().is_none());
    fs::remove_file(&hooks).unwrap();
    // these settings name the repository's own directory or none
    for path in ["", "hooks", hooks.to_str().unwrap()] {
        mirror.git(&["config", "core.hooksPath", path]);
        assert!(install(&mirror, &peer).status.success(), "{path}");
    }
    let link = mirror.scratch.0.join("current");
    std::os::unix::fs::symlink(token_file(&mirror), &link).unwrap();
    let mut program = mirror.program(&peer, "install");
    assert!(
        program
            .env_remove("EDGEFORGE_TOKEN")
            .arg("--token-file")
            .arg(&link)
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(mirror.git(&["config", "edgeforge.tokenFile"]), link.to_str().unwrap());
}
