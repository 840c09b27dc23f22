//! Where the programs come from: the old one from the commit named in `old-house.txt`, the new one from the working
//! tree.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use thiserror::Error;

/// Why the programs cannot be built.
#[derive(Debug, Error)]
pub enum HouseError {
    #[error("cannot run {0}: {1}")]
    NotRun(String, io::Error),
    #[error("{0} failed:\n{1}")]
    Failed(String, String),
    #[error("{0}: {1}")]
    File(String, io::Error),
    #[error("{0} does not name a commit")]
    NoCommit(String),
    #[error(
        "the old commit {0} is not in this clone, which may be shallow; `git fetch --unshallow` or `git fetch \
         origin {0}` fetches it"
    )]
    Missing(String),
    #[error("cannot read the metadata of the workspace: {0}")]
    Metadata(String),
}

/// The repository in which the guard was started.
pub struct House {
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// The commit of the old program.
    pub commit: String,
}

fn run<S: AsRef<OsStr>>(
    program: &str,
    args: &[S],
    folder: &Path,
    shown: bool,
) -> Result<String, HouseError> {
    let name = format!(
        "{program} {}",
        args.iter()
            .map(|arg| arg.as_ref().to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ")
    );
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null());
    if shown {
        // A build takes minutes, so its progress is shown.
        command.stderr(Stdio::inherit());
    }
    let output = command
        .output()
        .map_err(|error| HouseError::NotRun(name.clone(), error))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(HouseError::Failed(
            name,
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        ))
    }
}

fn git(args: &[&str], folder: &Path) -> Result<String, HouseError> {
    run("git", args, folder, false)
}

/// The commit named in a text; lines that begin with `#` are comments.
fn commit_in(text: &str) -> Option<&str> {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))
}

impl House {
    /// The repository of the current folder.
    pub fn here() -> Result<Self, HouseError> {
        let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"], Path::new("."))?);
        let file = root.join("tests/guard/old-house.txt");
        let text = fs::read_to_string(&file)
            .map_err(|error| HouseError::File(file.display().to_string(), error))?;
        let commit = commit_in(&text)
            .ok_or_else(|| HouseError::NoCommit(file.display().to_string()))?
            .to_owned();
        if git(&["cat-file", "-e", &format!("{commit}^{{commit}}")], &root).is_err() {
            return Err(HouseError::Missing(commit));
        }
        let metadata = run(
            cargo().as_str(),
            &["metadata", "--no-deps", "--format-version", "1"],
            &root,
            false,
        )?;
        let metadata: serde_json::Value = serde_json::from_str(&metadata)
            .map_err(|error| HouseError::Metadata(error.to_string()))?;
        let target = metadata["target_directory"]
            .as_str()
            .ok_or_else(|| HouseError::Metadata("it names no target directory".into()))?
            .into();
        Ok(Self {
            root,
            target,
            commit,
        })
    }

    /// The sources of the old program, in a worktree below `target/`, which git ignores.
    pub fn old_source(&self) -> Result<PathBuf, HouseError> {
        let source = self.target.join("old-house/source");
        let name = source.display().to_string();
        let wanted = git(
            &["rev-parse", &format!("{}^{{commit}}", self.commit)],
            &self.root,
        )?;
        // In a folder that is not a worktree, git would describe the repository around it.
        let is_there = source.join(".git").exists()
            && git(&["rev-parse", "HEAD"], &source).is_ok_and(|head| head == wanted)
            && git(&["status", "--porcelain"], &source).is_ok_and(|changes| changes.is_empty());
        if !is_there {
            if source.exists() {
                fs::remove_dir_all(&source)
                    .map_err(|error| HouseError::File(name.clone(), error))?;
            }
            // A folder that was deleted by other means, as by `cargo clean`, is still in git's list of worktrees.
            git(&["worktree", "prune"], &self.root)?;
            git(
                &["worktree", "add", "--force", "--detach", &name, &wanted],
                &self.root,
            )?;
        }
        Ok(source)
    }

    /// The old program, built if need be.
    pub fn old_program(&self, source: &Path) -> Result<PathBuf, HouseError> {
        let build = self.target.join("old-house/build");
        let program = build.join("release").join(name());
        let note = build.join("commit");
        let wanted = git(&["rev-parse", "HEAD"], source)?;
        let is_there =
            program.is_file() && fs::read_to_string(&note).is_ok_and(|commit| commit == wanted);
        if !is_there {
            let folder = build.display().to_string();
            let args = [
                "build",
                "--release",
                "--locked",
                "--package",
                "overboard",
                "--target-dir",
                &folder,
            ];
            run(&cargo(), &args, source, true)?;
            fs::write(&note, &wanted)
                .map_err(|error| HouseError::File(note.display().to_string(), error))?;
        }
        Ok(program)
    }

    /// The new program, built from the working tree.
    pub fn new_program(&self) -> Result<PathBuf, HouseError> {
        let target = self.target.display().to_string();
        let args = [
            "build",
            "--release",
            "--package",
            "overboard",
            "--target-dir",
            &target,
        ];
        run(&cargo(), &args, &self.root, true)?;
        Ok(self.target.join("release").join(name()))
    }
}

/// The cargo that started the guard, or the one on the path.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

fn name() -> String {
    format!("overboard{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_follows_comments() {
        assert_eq!(commit_in("# a\n\n abc \n"), Some("abc"));
        assert_eq!(commit_in("# a\n"), None);
    }
}
