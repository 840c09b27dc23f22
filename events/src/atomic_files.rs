//! Files that are written completely or not at all.

use overboard_formats::io_words::reason;
use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, TempPath};

/// The beginning of the names of drafts; six letters or digits follow.
pub const DRAFT: &str = ".tmp";

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It exists already.
    #[error("{path}: already exists; it was not overwritten", path = .0.display())]
    Exists(PathBuf),
    /// The system reported an error.
    #[error("{path}: {why}", path = path.display(), why = reason(.source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
}

impl FileError {
    /// An error with this file.
    #[must_use]
    pub fn of(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists(path.to_owned()),
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }

    /// What an error with this file becomes.
    pub fn on(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::of(path, source)
    }
}

/// Writes a file by a draft beside it, which then replaces an existing file. What is not an ordinary file, such as
/// `/dev/null` or a pipe, is written to directly and never replaced.
///
/// # Errors
/// Those of the file system and of `write`; an existing file stays as it was.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut replacement = Replacement::of(path)?;
    write(&mut replacement)?;
    replacement.finish()
}

/// Lets nobody but its owner read a file; where a file has no such permissions, its folder says who reads it.
///
/// # Errors
/// Those of the file system.
pub fn for_its_owner(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, Permissions::from_mode(0o600))
    }
    #[cfg(not(unix))]
    {
        path.metadata().map(drop)
    }
}

/// What will replace a file, or be a new one, once all of it is written; the same as [`replace`] for a text that is made
/// bit by bit. If this value is dropped unfinished, an existing file stays as it was.
pub struct Replacement(Place);

/// Where a replacement is written.
enum Place {
    /// To a draft, which gets this name and these permissions.
    Draft(Draft, PathBuf, Option<Permissions>),
    /// Directly to what is no ordinary file.
    There(File),
}

impl Replacement {
    /// An empty one for this path.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn of(path: &Path) -> io::Result<Self> {
        let Ok(target) = path.canonicalize() else {
            return Ok(Self(Place::Draft(
                Draft::beside(path)?,
                path.to_owned(),
                None,
            )));
        };
        // A file that may not be written may not be replaced either.
        let there = OpenOptions::new().write(true).open(&target)?;
        if !there.metadata()?.is_file() {
            return Ok(Self(Place::There(there)));
        }
        let permissions = there.metadata()?.permissions();
        // Windows does not replace a file that is open.
        drop(there);
        let draft = Draft::beside(&target)?;
        Ok(Self(Place::Draft(draft, target, Some(permissions))))
    }

    const fn file(&mut self) -> &mut File {
        match &mut self.0 {
            Place::Draft(draft, ..) => &mut draft.file,
            Place::There(file) => file,
        }
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// Those of the file system; an existing file stays as it was.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Place::Draft(draft, target, permissions) => draft.replace(&target, permissions),
            Place::There(_) => Ok(()),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Writes a new file by a draft beside it; never replaces an existing one.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], and those of the file system and of `write`.
pub fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut draft = Draft::beside(path)?;
    write(&mut draft.file)?;
    draft.create(path)
}

/// A file that is being written and has no name until it is complete. On Linux the system itself removes it when its
/// writer ends, however that happens, if the file system supports files without names. Elsewhere it has a name that
/// begins with [`DRAFT`], and is left behind only by a writer that is killed.
pub struct Draft {
    file: File,
    folder: PathBuf,
    /// Its name, if it must have one.
    name: Option<TempPath>,
}

/// The folder that contains a path.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

impl Draft {
    /// An empty draft in the folder of this path.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        if let Some(file) = nameless::file(folder) {
            return Ok(Self {
                file,
                folder: folder.to_owned(),
                name: None,
            });
        }
        let mut builder = Builder::new();
        builder.prefix(DRAFT);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Without the name of the draft, which would mean nothing to the user.
        let draft = builder
            .tempfile_in(folder)
            .map_err(|error| match error.kind() {
                kind @ io::ErrorKind::NotFound => io::Error::new(kind, "its folder does not exist"),
                kind @ io::ErrorKind::PermissionDenied => {
                    io::Error::new(kind, "its folder cannot be written to")
                }
                kind => kind.into(),
            })?;
        let (file, name) = draft.into_parts();
        Ok(Self {
            file,
            folder: folder.to_owned(),
            name: Some(name),
        })
    }

    /// The open file.
    pub const fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the draft this name in its folder, replacing an existing file, with these permissions.
    ///
    /// # Errors
    /// Those of the file system; an existing file stays as it was.
    pub fn replace(self, path: &Path, permissions: Option<Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            self.file.set_permissions(permissions)?;
        }
        self.file.sync_all()?;
        let name = match self.name {
            Some(name) => name,
            // A file without a name cannot replace another in one step, so it gets a name first.
            None => {
                let named = |path: &Path| nameless::name(&self.file, path);
                Builder::new()
                    .prefix(DRAFT)
                    .make_in(&self.folder, named)?
                    .into_temp_path()
            }
        };
        name.persist(path).map_err(|error| error.error)
    }

    /// Gives the draft this name in its folder, unless it exists already.
    fn create(self, path: &Path) -> io::Result<()> {
        match self.name {
            Some(name) => name.persist_noclobber(path).map_err(|error| error.error),
            None => nameless::name(&self.file, path),
        }
    }
}

/// Files without names (`O_TMPFILE`).
#[cfg(target_os = "linux")]
mod nameless {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use std::{fs::File, io, os::fd::AsRawFd, path::Path};

    /// A new one in a folder; `None` if its file system does not support them or it could not get a name later.
    pub fn file(folder: &Path) -> Option<File> {
        let mode = Mode::from_raw_mode(0o666);
        let file = open(
            folder,
            OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC,
            mode,
        )
        .ok()
        .map(File::from)?;
        Path::new(&known_as(&file)).exists().then_some(file)
    }

    /// Gives it a name, unless that exists already.
    pub fn name(file: &File, path: &Path) -> io::Result<()> {
        Ok(linkat(
            CWD,
            known_as(file),
            CWD,
            path,
            AtFlags::SYMLINK_FOLLOW,
        )?)
    }

    /// Its path in `/proc`, by which it can be linked.
    fn known_as(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}

/// Files without names, which this system does not have.
#[cfg(not(target_os = "linux"))]
mod nameless {
    use std::{fs::File, io, path::Path};

    pub fn file(_: &Path) -> Option<File> {
        None
    }

    pub fn name(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Those entries of a folder that can be read; none if it cannot be.
pub(crate) fn entries(folder: &Path) -> Vec<fs::DirEntry> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.flatten().collect()
}

/// Folders that were created for files to come. Dropping this value removes those that are still empty.
#[derive(Debug)]
pub struct Made(Vec<PathBuf>);

/// Creates a folder and its missing parents.
///
/// # Errors
/// Those of the file system.
pub fn folder(path: &Path) -> io::Result<Made> {
    let missing = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let made = Made(missing.map(Path::to_owned).collect());
    fs::create_dir_all(path)?;
    Ok(made)
}

impl Drop for Made {
    fn drop(&mut self) {
        // The innermost first; one that is not empty cannot be removed, nor can those around it.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// Whatever happens to the writer, even if it is killed, nothing can remain.
    #[test]
    fn what_is_not_whole_has_no_name() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("round.csv");
        let seen = |_: &mut dyn Write| -> io::Result<()> {
            if nameless::file(room.path()).is_some() {
                assert!(names(room.path()).iter().all(|name| name == "round.csv"));
            }
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(create(&path, seen).is_err() && replace(&path, seen).is_err());
        assert_eq!(names(room.path()), Vec::<String>::new());
        create(&path, |out| out.write_all(b"1")).unwrap();
        assert_eq!(
            create(&path, |_| Ok(())).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        assert!(replace(&path, seen).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"1");
        replace(&path, |out| out.write_all(b"2")).unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), names(room.path()).len()),
            (b"2".to_vec(), 1)
        );
    }

    #[test]
    fn folders_to_which_nothing_comes_go_again() {
        let room = tempfile::tempdir().unwrap();
        let deep = room.path().join("a/b/c");
        drop(folder(&deep).unwrap());
        assert_eq!(names(room.path()), Vec::<String>::new());
        let made = folder(&deep).unwrap();
        fs::write(room.path().join("a/kept"), "").unwrap();
        drop(made);
        assert_eq!(names(&room.path().join("a")), ["kept"]);
        drop(folder(room.path()).unwrap());
        assert!(room.path().exists());
    }
}
