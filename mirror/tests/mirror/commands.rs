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
    assert!(!mirror.git(&["config", "--list", "--local"]).contains("edgeforge.server"), "nothing was configured");
}

#[test]
fn install_wants_a_bare_repository_its_own_hooks_and_every_option() {
    let peer = Peer::new();
    let output = install(&Repo::new(), &peer);
    assert!(messages(&output).contains("is not a bare repository"), "{}", messages(&output));
    let mirror = Repo::bare();
    let output = mirror.program(&peer, "install").output().unwrap();
    assert_eq!((output.status.code(), messages(&output).contains("install needs --token-file")), (Some(2), true));
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
    let output = bare_program(&["sync", "--repository", path, "--server", "http://127.0.0.1:1", "--project", "1"]);
    assert!(messages(&output).contains("the token is missing; set EDGEFORGE_TOKEN"), "{}", messages(&output));
    let output = bare_program(&["sync", "--token", "x"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_and_version_are_printed() {
    let output = bare_program(&["--help"]);
    assert!(output.status.success() && String::from_utf8(output.stdout).unwrap().contains("Exit codes: 0 done"));
    assert!(bare_program(&["sync", "--help"]).status.success());
    assert!(String::from_utf8(bare_program(&["--version"]).stdout).unwrap().starts_with("edgeforge-mirror 0."));
}

#[test]
fn a_token_file_must_hold_a_token_and_should_be_private() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let file = token_file(&repo);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let said = repo.sync(&peer, &["--token-file", file.to_str().unwrap()]);
    assert!(said.contains("other users can read the token file"), "{said}");
    let mirror = Repo::bare();
    let mut program = mirror.program(&peer, "install");
    let output = program.arg("--token-file").arg(&file).output().unwrap();
    assert_eq!(messages(&output).matches("other users can read").count(), 1, "{}", messages(&output));
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
    assert!(shown.ends_with("! default branch (none) -> main\n3 commits to send, 1 ref to change\n"), "{shown}");
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
    let well =
        "1 ref compared, 0 different\nbranches of 3 commits compared, 0 different\n3 commits compared, 0 different\n";
    assert_eq!(verify(), (Some(0), well.to_owned()));
    let change = |id: &String, key: &str, value: Value| peer.world().commits.get_mut(id).unwrap()[key] = value;
    change(&first, "message", json!("forged\n"));
    change(&second, "diff", json!("[]"));
    peer.world().commits.remove(&third);
    let (code, shown) = verify();
    assert_eq!(code, Some(1));
    assert!(shown.contains(&format!("{first} title: git has \"first\", the server has \"forged\"")), "{shown}");
    assert!(shown.contains(&format!("{second} has a different diff on the server")), "{shown}");
    assert!(shown.contains(&format!("{third} is not on the server")), "{shown}");
    assert!(shown.ends_with("3 commits compared, 3 different\n"), "{shown}");
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
fn install_names_the_next_command_or_runs_it() {
    let (source, peer) = (Repo::grown(3), Peer::new());
    let mirror = Repo::with(&["clone", "-q", "--mirror", source.path.to_str().unwrap()]);
    let said = messages(&install(&mirror, &peer));
    let next = format!("edgeforge-mirror sync --repository {}", mirror.path.display());
    assert!(said.contains(&format!("to send the commits of before, run {next}")), "{said}");
    assert!(peer.world().refs.is_empty());
    let mut program = mirror.program(&peer, "install");
    program.arg("--token-file").arg(token_file(&mirror)).arg("--sync");
    let said = messages(&program.output().unwrap());
    assert!(said.contains("sent 3 commits") && !said.contains("run edgeforge-mirror"), "{said}");
    assert_equal(&mirror, &peer);
}

#[test]
fn an_address_with_the_path_of_the_api_is_cut_before_it() {
    let peer = Peer::new();
    for api in ["/api/v4", "/api/v3/"] {
        let mirror = Repo::bare();
        let mut program = mirror.program(&peer, "install");
        program.args(["--server", &format!("{}{api}", peer.address), "--token-file"]);
        let output = program.arg(token_file(&mirror)).output().unwrap();
        let said = messages(&output);
        assert!(said.contains(&format!("using the server {}, without {}", peer.address, api.trim_end_matches('/'))));
        assert_eq!(mirror.git(&["config", "edgeforge.server"]), peer.address, "{said}");
    }
}

#[test]
fn uninstall_undoes_what_install_did() {
    let (mirror, peer) = (Repo::bare(), Peer::new());
    let before = mirror.git(&["config", "--list", "--local"]);
    let hook = mirror.path.join("hooks/post-receive");
    let uninstall = || bare_program(&["uninstall", "--repository", mirror.path.to_str().unwrap()]);
    let output = uninstall();
    assert!(output.status.success() && messages(&output).contains("nothing is installed"), "{output:?}");
    assert!(install(&mirror, &peer).status.success());
    mirror.git(&["config", "edgeforge.caFile", "/a"]);
    let output = uninstall();
    assert!(output.status.success(), "{}", messages(&output));
    assert!(!hook.exists());
    assert_eq!(mirror.git(&["config", "--list", "--local"]), before);
    assert!(mirror.scratch.0.join("token").exists(), "the token file belongs to the user");
    // a hook of somebody else and settings of another name stay
    install(&mirror, &peer);
    fs::write(&hook, "#!/bin/sh\necho mine\n").unwrap();
    mirror.git(&["config", "edgeforge.mine", "1"]);
    let output = uninstall();
    assert_eq!(output.status.code(), Some(3));
    assert!(messages(&output).contains("has other contents"), "{}", messages(&output));
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\necho mine\n");
    fs::remove_file(&hook).unwrap();
    assert!(uninstall().status.success());
    assert_eq!(mirror.git(&["config", "--get-regexp", "edgeforge"]), "edgeforge.mine 1");
}

#[test]
fn an_address_with_a_query_is_refused() {
    let repo = Repo::grown(1);
    for server in ["http://localhost?x=1", "http://localhost/#f"] {
        let options = ["sync", "--repository", repo.path.to_str().unwrap(), "--project", "1", "--server", server];
        let output = bare_program(&options);
        assert_eq!(output.status.code(), Some(2));
        assert!(messages(&output).contains("is not a server's address"), "{}", messages(&output));
    }
}

#[test]
fn certificates_of_a_folder_are_read() {
    let (repo, peer) = (Repo::grown(1), Peer::new());
    let folder = repo.scratch.0.join("certificates");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("broken.pem"), "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n").unwrap();
    let with = |folders: &str| {
        let mut program = repo.program(&peer, "sync");
        let output = program.env_remove("SSL_CERT_FILE").env("SSL_CERT_DIR", folders).output().unwrap();
        (output.status.code(), messages(&output))
    };
    let (code, said) = with(&format!("/nowhere:{}", folder.display()));
    assert!(code == Some(2) && said.contains("broken.pem cannot be read"), "{said}");
    fs::remove_file(folder.join("broken.pem")).unwrap();
    let (code, said) = with(folder.to_str().unwrap());
    assert!(code == Some(2) && said.contains("contains no PEM certificate"), "{said}");
    assert_eq!(with("").0, Some(0));
}

#[test]
fn recheck_sends_the_message_of_a_tag_again() {
    let (repo, peer) = (Repo::grown(2), Peer::new());
    repo.git(&["tag", "-a", "-m", "one", "v1"]);
    repo.sync(&peer, &[]);
    peer.world().tags.get_mut("refs/tags/v1").unwrap().1 = "forged".to_owned();
    assert!(repo.sync(&peer, &[]).contains("nothing to send"));
    let said = repo.sync(&peer, &["--recheck"]);
    assert!(said.contains("changed 1 ref"), "{said}");
    assert_eq!(peer.world().tags["refs/tags/v1"].1, "one\n");
    assert_equal(&repo, &peer);
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
    assert!(program.env_remove("EDGEFORGE_TOKEN").arg("--token-file").arg(&link).output().unwrap().status.success());
    assert_eq!(mirror.git(&["config", "edgeforge.tokenFile"]), link.to_str().unwrap());
}
