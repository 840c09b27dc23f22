//! What the packages of a release need is there, and says the same everywhere. `just packages` makes and tries them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The value of the first line `key = "value"` of a file.
fn value(file: &str, key: &str) -> String {
    let start = format!("{key} = \"");
    let text = read(file);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&start))
        .unwrap_or_else(|| panic!("{file} has no {key}"));
    line.split('"').next().unwrap().to_owned()
}

#[test]
fn the_version_is_the_same_everywhere() {
    let version = value("Cargo.toml", "version");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for line in read("Cargo.toml").lines() {
        if line.starts_with("overboard-") && line.contains("path = ") {
            let own = format!("version = \"{version}\"");
            assert!(line.contains(&own), "Cargo.toml: {line}");
        }
    }
    assert!(read("CHANGELOG.md").contains(&format!("\n## [{version}] - ")));
    // Every file that the page names is of this version.
    let page = read("docs/install.md");
    let named: Vec<&str> = page
        .split(['`', ' ', '\n', '/'])
        .filter(|word| word.starts_with("overboard-0") || word.starts_with("overboard_0"))
        .collect();
    assert!(named.len() > 4, "{named:?}");
    for word in named {
        let rest = word["overboard-".len()..].strip_prefix(&*version);
        assert!(rest.is_some_and(|rest| rest.starts_with('-')), "{word}");
    }
}

#[test]
fn the_changelog_keeps_its_form() {
    let text = read("CHANGELOG.md");
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    assert_eq!(heads.first(), Some(&"## [Unreleased]"));
    let version = value("Cargo.toml", "version");
    let (_, section) = text.split_once(&format!("\n## [{version}] - ")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    assert!(section.contains("\n### Rules\n"));
    let words = section.split_whitespace().count();
    assert!(words < 1200, "more than a page: {words} words");
}

#[test]
fn the_oldest_rust_is_the_same_everywhere() {
    let oldest = value("Cargo.toml", "rust-version");
    for (file, text) in [
        ("README.md", format!("{oldest} or later")),
        ("CONTRIBUTING.md", format!("Rust {oldest} or later")),
        ("docs/install.md", format!("Rust {oldest} or later")),
        ("docs/tutorial.md", format!("{oldest} or later")),
        ("packages/Dockerfile", format!("FROM rust:{oldest}-")),
    ] {
        assert!(read(file).contains(&text), "{file} does not say {text:?}");
    }
}

/// The kinds of packages that a Linux machine makes.
fn kinds() -> Vec<String> {
    let script = read("packages/make");
    let (_, rest) = script.split_once("kinds=\"").unwrap();
    let list = rest.split('"').next().unwrap();
    list.split(' ').map(ToString::to_string).collect()
}

#[test]
fn each_package_is_tried_released_and_described() {
    let kinds = kinds();
    assert_eq!(kinds, ["wheel", "archive", "deb", "source"]);
    let (tried, workflow) = (read("packages/try"), read(".github/workflows/release.yml"));
    for kind in &kinds {
        let word = |line: &str| line.split([' ', '"']).any(|word| word == kind);
        assert!(
            tried
                .lines()
                .any(|line| line.contains("kinds=") && word(line))
        );
        assert!(
            workflow
                .lines()
                .any(|line| line.contains("kinds:") && word(line))
        );
    }
    let page = read("docs/install.md");
    for name in [
        ".whl",
        "_amd64.deb",
        ".tar.gz",
        "-source.tar.xz",
        "packages/Dockerfile",
        "SHA256SUMS",
        "cargo install --locked --path cli",
    ] {
        assert!(page.contains(name), "docs/install.md does not name {name}");
    }
    for script in ["packages/make", "packages/try"] {
        let is_read = Command::new("bash")
            .arg("-n")
            .arg(root().join(script))
            .status();
        assert!(is_read.unwrap().success(), "{script}");
    }
}

#[test]
fn the_files_of_the_debian_package_exist() {
    let manifest = read("cli/Cargo.toml");
    let (_, assets) = manifest.split_once("\nassets = [\n").unwrap();
    let mut seen = 0;
    for line in assets.lines().take_while(|line| *line != "]") {
        let source = line.split('"').nth(1).unwrap();
        seen += 1;
        // Those are made with the package.
        if source.contains("target/") {
            continue;
        }
        let folder = source.split("/*").next().unwrap();
        assert!(root().join("cli").join(folder).exists(), "{source}");
    }
    assert!(seen > 6, "{seen} assets");
}

#[test]
fn the_wheel_is_described_like_the_crate() {
    for key in ["name", "description"] {
        assert_eq!(value("pyproject.toml", key), value("cli/Cargo.toml", key));
    }
    let license = value("pyproject.toml", "license");
    assert_eq!(license, value("Cargo.toml", "license"));
    let keywords = |file| {
        let text = read(file);
        let line = text.lines().find(|line| line.starts_with("keywords = "));
        line.unwrap().to_owned()
    };
    assert_eq!(keywords("pyproject.toml"), keywords("Cargo.toml"));
    // The version comes from the crate.
    assert!(read("pyproject.toml").contains("dynamic = [\"version\"]"));
    assert!(
        root()
            .join(value("pyproject.toml", "manifest-path"))
            .exists()
    );
}

/// Each dependency is code that somebody must trust. Thirty are for answering browsers.
#[test]
fn the_program_has_few_dependencies() {
    const MOST: usize = 140 + 30;
    let listed = Command::new(env!("CARGO"))
        .args(["tree", "--package", "overboard", "--edges", "normal"])
        .args(["--prefix", "none", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(listed.status.success(), "{listed:?}");
    let text = String::from_utf8(listed.stdout).unwrap();
    let foreign: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty() && !name.starts_with("overboard"))
        .collect();
    assert!(foreign.len() > 50, "{foreign:?}");
    assert!(foreign.len() <= MOST, "{} of {MOST}", foreign.len());
}

/// Every crate from elsewhere comes from one registry and is known by its checksum.
#[test]
fn dependencies_come_from_the_registry_by_checksum() {
    let lock = read("Cargo.lock");
    let mut sources = BTreeSet::new();
    for package in lock.split("[[package]]").skip(1) {
        let line = |key: &str| package.lines().find(|line| line.starts_with(key));
        let Some(source) = line("source = ") else {
            assert!(line("name = \"overboard").is_some(), "{package}");
            continue;
        };
        assert!(line("checksum = ").is_some(), "{package}");
        sources.insert(source);
    }
    let sources = Vec::from_iter(sources);
    let [only] = sources[..] else {
        panic!("{sources:?}");
    };
    assert!(only.starts_with("source = \"registry+"), "{only}");
}

/// Without `--locked`, cargo takes versions that nobody has tested.
#[test]
fn whoever_installs_gets_the_tested_dependencies() {
    let pages = ["README.md", "docs/tutorial.md", "docs/install.md"];
    for page in pages {
        for line in read(page).lines() {
            let installs = line.contains("cargo install") && line.contains("--path");
            assert!(!installs || line.contains("--locked"), "{page}: {line}");
        }
    }
}
