use std::fs;
use std::path::{Path, PathBuf};

use edgeforge_wire::contents::Extent;

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::settings::{checked_address, connect, extent, token_in};
use crate::sync::sync;
use crate::text::count;

/// `install` replaces only hooks that contain this line.
const MARK: &str = "# edgeforge-mirror install wrote this file and may write it again.";

pub fn install(repository: &Repository, options: &Options, console: &Console) -> Result<()> {
    if !repository.is_bare() {
        let directory = repository.directory().display();
        return Err(Error::Repository(format!("{directory} is not a bare repository; install the hook in a bare one")));
    }
    let need = |value: &Option<String>, name: &str| {
        value.clone().ok_or_else(|| Error::Usage(format!("install needs --{name}")))
    };
    let (server, project) = (need(&options.server, "server")?, need(&options.project, "project")?);
    let server = checked_address(&server, console)?;
    let file = options.token_file.as_ref().ok_or_else(|| Error::Usage("install needs --token-file".to_owned()))?;
    let token = token_in(file, console)?;
    let file = absolute(file)?;

    let hook = hook_path(repository)?;
    match fs::read_to_string(&hook) {
        Ok(text) if text.contains(MARK) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        _ => {
            let hook = hook.display();
            return Err(Error::Repository(format!(
                "{hook} already exists and has other contents; add `edgeforge-mirror sync` to it"
            )));
        }
    }
    // checks server, token and project before the first write
    let configured = repository.user_configures("edgeforge.caFile")?;
    let connection = connect(&server, &project, token, options, configured, console)?;
    let found = connection.refs(false)?;
    let branch = found.default_branch.map_or(String::new(), |branch| format!(" and the default branch {branch}"));
    console.say(&format!("found {project} on {server} with {}{branch}", count(found.refs.len() as u64, "ref")));
    let ca_file = options.ca_file.as_deref().map(absolute).transpose()?;
    for (key, value) in [
        ("edgeforge.server", server.as_str()),
        ("edgeforge.project", project.as_str()),
        ("edgeforge.tokenFile", &file.display().to_string()),
        ("edgeforge.contents", extent(options, repository)?.unwrap_or(Extent::Tips).word()),
    ] {
        repository.ask("config", &["--local", "--replace-all", key, value], b"")?;
    }
    if let Some(file) = ca_file {
        let value = file.display().to_string();
        repository.ask("config", &["--local", "--replace-all", "edgeforge.caFile", &value], b"")?;
    }
    write(&hook, &text()?)?;
    console
        .say(&format!("installed the hook: pushes to {} are now sent to {server}", repository.directory().display()));
    if options.sync {
        return sync(repository, &connection, options, console);
    }
    let path = repository.directory().display();
    console.say(&format!("to send the commits of before, run edgeforge-mirror sync --repository {path}"));
    Ok(())
}

/// Removes the hook and the settings that `install` wrote.
pub fn uninstall(repository: &Repository, console: &Console) -> Result<()> {
    let hook = hook_path(repository)?;
    let shown = hook.display();
    let failed = |error| Error::Repository(format!("{shown} cannot be removed: {error}"));
    let mut removed = Vec::new();
    match fs::read_to_string(&hook) {
        Ok(text) if text.contains(MARK) => {
            fs::remove_file(&hook).map_err(failed)?;
            removed.push(format!("the hook {shown}"));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        _ => {
            return Err(Error::Repository(format!(
                "{shown} has other contents; remove `edgeforge-mirror sync` from it, move it away, and run this again"
            )));
        }
    }
    for key in
        ["edgeforge.server", "edgeforge.project", "edgeforge.tokenFile", "edgeforge.caFile", "edgeforge.contents"]
    {
        if let Some(value) = repository.ask_whether("config", &["--local", "--get-all", key])? {
            repository.ask("config", &["--local", "--unset-all", key], b"")?;
            removed.push(format!("{key} ({})", String::from_utf8_lossy(&value).trim_end()));
        }
    }
    match removed.as_slice() {
        [] => console.say("nothing is installed here"),
        _ => console.say(&format!(
            "removed {}; the token is still valid, and the server keeps what it has",
            removed.join(", ")
        )),
    }
    Ok(())
}

/// The hook in the repository's own directory. `install` does not write into a directory of hooks that other
/// repositories share.
fn hook_path(repository: &Repository) -> Result<PathBuf> {
    let own = repository.common().join("hooks");
    let elsewhere = |path: &Path| {
        Err(Error::Repository(format!(
            "the hooks of this repository are in {}, outside of it; call `edgeforge-mirror sync` from post-receive there",
            path.display()
        )))
    };
    if let Some(path) = repository.user_configures("core.hooksPath")?.filter(|path| !path.as_os_str().is_empty()) {
        let path = repository.directory().join(path);
        if resolved(&path) != resolved(&own) {
            return elsewhere(&path);
        }
    }
    if own.exists() && !resolved(&own).starts_with(resolved(repository.common())) {
        return elsewhere(&resolved(&own));
    }
    Ok(own.join("post-receive"))
}

fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn text() -> Result<String> {
    let program = std::env::current_exe().map_err(|error| {
        Error::Usage(format!("the path of this program cannot be found: {error}; run it by its full path"))
    })?;
    let program = program.display().to_string().replace('\'', r"'\''");
    Ok(format!(
        "#!/bin/sh\n{MARK}\n# Sends pushed commits to the server in the configuration: git config --get-regexp edgeforge\nexec '{program}' sync --repository .\n"
    ))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    // keeps a symbolic link, because its target may change
    std::path::absolute(path).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
}

/// Renames the finished file, so that a push never runs half a hook.
fn write(hook: &Path, text: &str) -> Result<()> {
    let failed = |error| Error::Repository(format!("{} cannot be written: {error}", hook.display()));
    if let Some(directory) = hook.parent() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    let new = hook.with_extension("edgeforge-new");
    fs::write(&new, text).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    fs::rename(&new, hook).map_err(failed)
}
