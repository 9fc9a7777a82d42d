//! `install`: the hook and the configuration of a bare repository.

use std::fs;
use std::path::{Path, PathBuf};

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::settings::{check_address, token_in};

/// By this line a hook is known as ours.
const MARK: &str = "# edgeforge-mirror install wrote this file and may write it again.";

/// Writes both; another's hook is left alone.
pub fn install(repository: &Repository, options: &Options, console: &Console) -> Result<()> {
    if !repository.is_bare() {
        let directory = repository.directory().display();
        return Err(Error::Repository(format!("{directory} is not a bare repository")));
    }
    let need = |value: &Option<String>, name: &str| {
        value.clone().ok_or_else(|| Error::Usage(format!("install needs --{name}")))
    };
    let (server, project) = (need(&options.server, "server")?, need(&options.project, "project")?);
    check_address(&server, console)?;
    let file =
        options.token_file.as_ref().ok_or_else(|| Error::Usage("install needs --token-file".to_owned()))?;
    token_in(file, console)?;
    let file = absolute(file)?;

    let hook = hook_path(repository)?;
    match fs::read_to_string(&hook) {
        Ok(text) if text.contains(MARK) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        _ => {
            let hook = hook.display();
            return Err(Error::Repository(format!(
                "{hook} is somebody else's; call edgeforge-mirror sync from it instead"
            )));
        }
    }
    for (key, value) in [
        ("edgeforge.server", server.as_str()),
        ("edgeforge.project", project.as_str()),
        ("edgeforge.tokenFile", &file.display().to_string()),
    ] {
        repository.ask("config", &["--local", "--replace-all", key, value], b"")?;
    }
    write(&hook, &text()?)?;
    console.say(&format!("pushes to {} are sent to {server}", repository.directory().display()));
    Ok(())
}

/// The hook, in the repository itself; `core.hooksPath` may lead to hooks that other repositories share.
fn hook_path(repository: &Repository) -> Result<PathBuf> {
    if repository.user_configures("core.hooksPath")? {
        let text =
            "core.hooksPath leads out of the repository; call edgeforge-mirror sync from its post-receive";
        return Err(Error::Repository(text.to_owned()));
    }
    Ok(repository.directory().join("hooks").join("post-receive"))
}

fn text() -> Result<String> {
    let program = std::env::current_exe()
        .map_err(|error| Error::Usage(format!("this program's own path is not known: {error}")))?;
    let program = program.display().to_string().replace('\'', r"'\''");
    Ok(format!(
        "#!/bin/sh\n{MARK}\n# Sends what was pushed to the server that the configuration names: git config --get-regexp \
         edgeforge\nexec '{program}' sync --repository .\n"
    ))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
}

/// In one step, so that a push never meets half a hook.
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
