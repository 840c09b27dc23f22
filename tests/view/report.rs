//! `check --html`: the report has the same content as `--json`, with pictures and a viewer, and loads nothing.

use super::{DESK, HOSTILE, Reader, TELEPHONE, root};
use crate::{
    browser::Browser,
    run::{overboard, printed, tool},
};
use serde_json::Value;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// Games of every kind with findings, some with sub-games or with linked boards.
const FAULTY: [&str; 7] = [
    "examples/faults.pgn",
    "games/examples/MC-6.broken-capture.pgn",
    "games/examples/MG-11.broken-board.pgn",
    "games/examples/OC-8.broken-last-rank.pgn",
    "games/examples/OV-30.broken.pgn",
    "games/examples/SC-25.broken.pgn",
    "examples/history.pgn",
];

/// Writes the report on files. Returns its path, and the lines of `--json`.
fn report(folder: &TempDir, files: &[PathBuf]) -> (PathBuf, Vec<Value>) {
    let page = folder.path().join("report.html");
    let mut args = vec!["check", "--json", "--html", page.to_str().unwrap()];
    args.extend(files.iter().map(|file| file.to_str().unwrap()));
    let (text, _) = printed(&overboard(&args));
    (
        page,
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn faulty() -> Vec<PathBuf> {
    FAULTY.iter().map(|name| root().join(name)).collect()
}

/// The findings in JSON reports, other than notes.
fn findings(reports: &[Value]) -> Vec<&Value> {
    let all = reports
        .iter()
        .filter_map(|report| report["findings"].as_array())
        .flatten();
    all.filter(|finding| finding["severity"] != "note")
        .collect()
}

#[test]
fn a_report_has_the_content_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let (page, mut reports) = report(&folder, &faulty());
    let text = fs::read_to_string(&page).unwrap();
    let summary = reports.pop().unwrap();
    assert!(text.contains(&format!(
        "<strong>{} games</strong>",
        summary["summary"]["games"]
    )));
    // `--json` includes notes, and so does the page.
    let count = reports
        .iter()
        .map(|report| report["findings"].as_array().unwrap().len())
        .sum::<usize>();
    assert_eq!(text.matches("<article").count(), count);
    for finding in findings(&reports) {
        let message = finding["message"].as_str().unwrap();
        let message = message
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;");
        assert!(text.contains(&message), "{message}");
        if let Some(rule) = finding["rule"].as_str() {
            assert!(text.contains(&format!("<summary><b>{rule}</b>")), "{rule}");
        }
    }
    assert!(!text.contains("http://") && !text.contains("https://"));
    // Exit codes and other output are the same as without the page.
    for name in [
        "examples/faults.pgn",
        "examples/history.pgn",
        "games/examples/OV-30.broken.pgn",
    ] {
        let name = root().join(name).display().to_string();
        let alone = overboard(&["check", &name]);
        let both = overboard(&["check", "--html", page.to_str().unwrap(), &name]);
        assert_eq!(alone.status, both.status, "{name}");
        assert_eq!(alone.stdout, both.stdout, "{name}");
    }
}

#[test]
fn a_report_is_complete_for_any_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = root().join("examples/faults.pgn");
    // Standard input is read twice, under its own name.
    let games = fs::File::open(&file).unwrap();
    let output = tool()
        .args(["check", "--html", "-", "-"])
        .stdin(games)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.starts_with("<!DOCTYPE html>") && text.trim_end().ends_with("</html>"));
    assert!(
        text.contains("Report on standard input") && text.contains("data-games=\"g1 g2"),
        "{}",
        &text[..2000]
    );
    let both = overboard(&["check", "--json", "--html", "-", file.to_str().unwrap()]);
    assert_eq!(both.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&both.stderr).contains("standard output takes only one form"));
    // If a page cannot be written, the old one is kept.
    let page = folder.path().join("none").join("report.html");
    let refused = overboard(&[
        "check",
        "--html",
        page.to_str().unwrap(),
        file.to_str().unwrap(),
    ]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(!page.exists());
    // With --quiet, games without errors are left out.
    let page = folder.path().join("quiet.html");
    let history = root().join("examples/history.pgn");
    overboard(&[
        "check",
        "--quiet",
        "--html",
        page.to_str().unwrap(),
        history.to_str().unwrap(),
    ]);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("12 games") && !text.contains("<table class=\"games\">"));
}

/// Sheets are judged together: their findings have pictures, and no viewer of a single sheet contradicts them.
#[test]
fn a_report_on_sheets_has_their_findings() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = fs::read_dir(root().join("examples/sheets"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    let (page, mut reports) = report(&folder, &files);
    reports.pop();
    let text = fs::read_to_string(&page).unwrap();
    let count = reports
        .iter()
        .map(|report| report["findings"].as_array().unwrap().len())
        .sum::<usize>();
    assert_eq!(text.matches("<article").count(), count);
}

/// The number of the current step.
const CURRENT: &str = "[...document.querySelectorAll('#moves .m')].findIndex(one => one.hasAttribute('aria-current'))";

/// Waits until an expression is true in the page, while the page is replaced.
fn until(browser: &mut Browser, is_there: &str) {
    for _ in 0..4000 {
        if browser.is("document.readyState === 'complete'") && browser.is(is_there) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("{is_there}");
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn every_finding_opens_at_its_place() {
    let mut browser = Reader::start();
    browser.page = report(&browser.folder, &faulty()).0;
    browser.go("", DESK);
    let links = browser.js("[...document.querySelectorAll('article a.open')].map(link => [link.getAttribute('href'), link.closest('section').id])");
    let links = links.as_array().unwrap().clone();
    let pictures = browser.js("[...document.querySelectorAll('article')].filter(one => one.querySelector('a.open') && !one.querySelector('svg.still')).length");
    assert_eq!(pictures, 0, "each has its board");
    assert!(links.len() > 18, "{links:?}");
    for link in &links {
        let (address, section) = (link[0].as_str().unwrap(), link[1].as_str().unwrap());
        browser.go(address, DESK);
        let moment = address.split_once('/').unwrap().1;
        match moment.strip_prefix('@') {
            Some(number) => assert_eq!(browser.js(CURRENT).to_string(), number),
            None => assert_eq!(browser.js("shown()")[0], *address),
        }
        // Findings are shown beside the board.
        assert_eq!(
            browser.js("document.querySelector('#moves .f') !== null"),
            true,
            "{address}"
        );
        // And back to the report, to the same game.
        browser.js("document.querySelector('.back a').click()");
        until(
            &mut browser,
            &format!("document.querySelector('#report [id=\"{section}\"]') !== null"),
        );
    }
    // So is every game without findings.
    let clean = browser.js("[...document.querySelectorAll('.games a')].map(one => one.getAttribute('href')).filter(address => !address.startsWith('#of-'))");
    assert!(clean.as_array().unwrap().len() > 10, "{clean}");
    browser.go(clean[0].as_str().unwrap(), DESK);
    assert_eq!(browser.js("document.getElementById('stage').hidden"), false);
    browser.go("", DESK);
    // A click on a link opens the viewer just as its address does.
    browser.js("document.querySelector('article a.open').click()");
    until(&mut browser, "document.getElementById('stage') !== null");
    assert_eq!(browser.js("document.getElementById('stage').hidden"), false);
    for size in [DESK, TELEPHONE] {
        browser.go("", size);
        assert_eq!(
            browser.js("document.documentElement.scrollWidth <= innerWidth"),
            true,
            "{size:?}"
        );
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn hostile_text_remains_text_in_a_report() {
    let mut browser = Reader::start();
    let file = browser.folder.path().join("<b>.pgn");
    fs::write(
        &file,
        HOSTILE.replace(
            "2. Nf3",
            "2. Kf6 {</template></script><img src=x onerror=alert(1)>}",
        ),
    )
    .unwrap();
    browser.page = report(&browser.folder, &[file]).0;
    for address in [
        "",
        "#g1/@1",
        "#g1/%3Cimg%20src=x%3E",
        "#<img src=x onerror=alert(1)>",
    ] {
        browser.go(address, DESK);
        assert_eq!(
            browser.js("document.querySelectorAll('img, svg[onload]').length"),
            0
        );
        let title = browser.js("document.title");
        assert!(
            !title.as_str().unwrap().contains(['\u{2028}', '\u{202e}']),
            "{title}"
        );
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

/// axe-core finds nothing serious in the report, in light and dark themes, on a desktop and on a phone.
#[test]
#[ignore = "needs Chromium and axe-core: `just view`"]
fn reports_are_accessible() {
    let mut browser = Reader::start();
    browser.page = report(&browser.folder, &faulty()).0;
    for (size, theme) in [(DESK, "light"), (TELEPHONE, "dark")] {
        for address in ["", "#g1.2/@9"] {
            let found = super::complaints(&mut browser, address, size, theme);
            assert_eq!(
                found.as_array().unwrap().len(),
                0,
                "{address} {theme}: {found:#}"
            );
        }
    }
}
