//! The screenshots of the documentation.

use super::{Reader, root};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;
use std::fs;

/// Where a screenshot is taken, and what is done before.
struct Screen {
    name: &'static str,
    example: &'static str,
    at: &'static str,
    size: (u32, u32),
    does: &'static str,
}

const WIDE: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (390, 844);

const SCREENS: [Screen; 4] = [
    Screen {
        name: "sub-game",
        example: "overchess",
        at: "2b.d5.2b",
        size: WIDE,
        does: "",
    },
    Screen {
        name: "one-board",
        example: "olympic",
        at: "14w",
        size: WIDE,
        does: "named('Dark').click(); document.querySelector('.pocket').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    },
    Screen {
        name: "many-boards",
        example: "megachess",
        at: "4w",
        size: WIDE,
        does: "",
    },
    Screen {
        name: "phone",
        example: "linked",
        at: "4A",
        size: PHONE,
        does: "",
    },
];

/// Takes the screenshots of `docs/view.md`: with `UPDATE_DOCS=1` they are written there.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn screens_of_the_documentation() {
    for screen in SCREENS {
        let file = root().join(format!("examples/{}.npgn", screen.example));
        let mut page = Reader::at(&file, &format!("#{}", screen.at), screen.size);
        page.js("window.named = (text) => [...document.querySelectorAll('button')].find((button) => button.textContent === text); 0");
        page.js(&format!("{}; 0", screen.does));
        page.call("Emulation.setScrollbarsHidden", &json!({"hidden": true}));
        let moment = page.js("shown()[0]");
        assert!(moment.as_str().unwrap().ends_with(screen.at), "{moment}");
        let taken = page.call("Page.captureScreenshot", &json!({"format": "png"}));
        let picture = BASE64_STANDARD
            .decode(taken["data"].as_str().unwrap())
            .unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{}", screen.name);
        let kept = root().join(format!("docs/screens/{}.png", screen.name));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&kept, picture).unwrap();
        }
        assert!(kept.exists(), "{}", screen.name);
    }
}
