//! Where pages are written that nobody has named, and how they are opened and embedded.

use super::{Reader, root};
use crate::{browser::Browser, run::tool};
use serde_json::json;
use std::{fs, path::Path, process::Output};

/// Runs `view` in a folder.
fn view(folder: &Path, words: &[&str]) -> Output {
    tool()
        .current_dir(folder)
        .arg("view")
        .args(words)
        .output()
        .unwrap()
}

#[test]
fn a_page_that_nobody_has_named_is_named_after_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = root().join("examples/overchess.npgn");
    let file = file.to_str().unwrap();
    let written = view(folder.path(), &[file]);
    assert_eq!(
        (written.status.code(), &*written.stdout),
        (Some(0), &b"overchess.html\n"[..])
    );
    let page = folder.path().join("overchess.html");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>"));
    // It gives way to a later one.
    let again = view(folder.path(), &["--at", "2b", file]);
    assert_eq!(again.status.code(), Some(0));
    assert_ne!(fs::read_to_string(&page).unwrap(), text);
    // What somebody else wrote is not overwritten, unless -o names it.
    let text = "<!DOCTYPE html><title>Mine</title>";
    fs::write(&page, text).unwrap();
    let again = view(folder.path(), &[file]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));
    assert_eq!(fs::read_to_string(&page).unwrap(), text);
    let named = view(folder.path(), &["-o", "overchess.html", "--at", "2w", file]);
    assert_eq!((named.status.code(), &*named.stdout), (Some(0), &b""[..]));
    assert_ne!(fs::read_to_string(&page).unwrap(), text);
    // Standard input has no name.
    let output = tool()
        .current_dir(folder.path())
        .args(["view", "-"])
        .stdin(fs::File::open(file).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"game.html\n");
}

/// The program that opens files is asked to open the page, and nothing waits for it.
#[cfg(target_os = "linux")]
#[test]
fn a_page_is_opened_in_the_browser() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let opener = folder.path().join("xdg-open");
    fs::write(
        &opener,
        "#!/bin/sh\nprintf '%s\\n' \"$1\" > \"$OPENED.new\" && mv \"$OPENED.new\" \"$OPENED\"\n",
    )
    .unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let opened = folder.path().join("opened");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let run = |words: &[&str], path: &str| {
        tool()
            .current_dir(folder.path())
            .args(words)
            .env("PATH", path)
            .env("OPENED", &opened)
            .output()
            .unwrap()
    };
    let file = root().join("examples/history.pgn");
    let file = file.to_str().unwrap();
    assert_eq!(run(&["view", "--open", file], &path).status.code(), Some(0));
    for _ in 0..500 {
        if opened.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let page = folder.path().join("history.html").canonicalize().unwrap();
    assert_eq!(
        fs::read_to_string(&opened).unwrap().trim(),
        page.display().to_string()
    );
    // Without such a program the page is there all the same, and the exit code says that it was not opened.
    let none = run(&["view", "--open", "-o", "other.html", file], "/nowhere");
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("xdg-open"));
    assert!(folder.path().join("other.html").exists());
    let refused = run(&["view", "--open", "-o", "-", file], &path);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0));
}

/// The lines that docs/view.md gives for somebody's own page.
fn snippet() -> String {
    let page = fs::read_to_string(root().join("docs/view.md")).unwrap();
    let (_, rest) = page.split_once("```html\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn a_page_can_be_embedded_in_another() {
    let mut reader = Reader::start();
    reader.write(&root().join("examples/overchess.npgn"), 1);
    let outer = reader.folder.path().join("outer.html");
    fs::write(
        &outer,
        format!(
            "<!DOCTYPE html><title>A club</title><p>Our game:</p>{}",
            snippet()
        ),
    )
    .unwrap();
    reader.browser.open(&outer, "", (1000, 900));
    let tree = reader.browser.call("Page.getFrameTree", &json!({}));
    let frame = tree["frameTree"]["childFrames"][0]["frame"]["id"].clone();
    let world = reader
        .browser
        .call("Page.createIsolatedWorld", &json!({"frameId": frame}));
    let inside = |browser: &mut Browser, expression: &str| {
        let asked = json!({"expression": expression, "returnByValue": true, "contextId": world["executionContextId"]});
        browser.call("Runtime.evaluate", &asked)["result"]["value"].clone()
    };
    let browser = &mut reader.browser;
    let current = "document.querySelector('#moves [aria-current]').getAttribute('href')";
    assert_eq!(inside(browser, current), "#g1/2w");
    inside(browser, "document.getElementById('next').click()");
    assert_ne!(inside(browser, current), "#g1/2w");
    assert_eq!(
        inside(
            browser,
            "document.documentElement.scrollWidth <= innerWidth"
        ),
        true
    );
    assert_eq!(
        browser.js("location.hash"),
        "",
        "the page around it keeps its address"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}
