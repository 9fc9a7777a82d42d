//! Folders, and runs of the program in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::forge::{PROJECT, TOKEN, Target};
use crate::gitlab::{GitLab, PATH, SOURCE_TOKEN, Version, World};
use crate::http::Faults;

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("moving-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_edgeforge-mirror"));
        program.current_dir(&self.0).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        program.env("EDGEFORGE_TOKEN", TOKEN).env("EDGEFORGE_SOURCE_TOKEN", SOURCE_TOKEN).args(arguments);
        program
    }

    pub fn export(&self, gitlab: &GitLab, more: &[&str]) -> Output {
        self.export_to(gitlab, "out", more)
    }

    pub fn export_to(&self, gitlab: &GitLab, to: &str, more: &[&str]) -> Output {
        let fixed =
            ["export", "--from", &gitlab.http.address, "--project", PATH, "--to", to, "--report", "export.json"];
        self.program(&fixed).args(more).output().unwrap()
    }

    pub fn import(&self, target: &Target, more: &[&str]) -> Output {
        self.import_from(target, "out", more)
    }

    pub fn import_from(&self, target: &Target, archive: &str, more: &[&str]) -> Output {
        let fixed = [
            "import",
            "--archive",
            archive,
            "--server",
            &target.http.address,
            "--project",
            PROJECT,
            "--report",
            "import.json",
        ];
        self.program(&fixed).args(more).output().unwrap()
    }

    pub fn report(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.0.join(name)).unwrap()).unwrap()
    }

    pub fn lines(&self, path: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.0.join("out").join(path)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// All files of the archive but the manifest.
    pub fn content(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.0.join("out"), &mut found);
        found.retain(|path, _| !path.ends_with("manifest.json"));
        found.into_iter().map(|(path, bytes)| (path.strip_prefix(&self.0).unwrap().to_owned(), bytes)).collect()
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

pub fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", said(output));
}

/// A folder with an archive of this world.
pub fn exported(world: World) -> (GitLab, Folder) {
    let (gitlab, folder) = (GitLab::new(world, Version::Eighteen, Faults::default()), Folder::new());
    ends_with(&folder.export(&gitlab, &[]), 0);
    (gitlab, folder)
}
