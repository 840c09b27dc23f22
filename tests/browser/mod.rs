//! A browser, driven through a pipe: Chromium without windows, which `.ci/run` installs, or the one that `CHROMIUM` names.

use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};
use tempfile::TempDir;

/// A browser with one page open.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    calls: u64,
    session: Option<String>,
    /// Messages from the browser that have not been read yet.
    reported: Vec<Value>,
    _profile: TempDir,
}

/// The browser's own services make network requests; a page must not.
const QUIET: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --disable-extensions --remote-debugging-pipe";

impl Browser {
    /// Starts Chromium; it reads and answers through its file descriptors 3 and 4, which are this program's pipes.
    pub fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let name = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium-headless-shell".into());
        let command = format!(
            "exec {name} {QUIET} --user-data-dir=\"$0\" about:blank 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"
        );
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        let mut browser = Self {
            child,
            to,
            from,
            calls: 0,
            session: None,
            reported: Vec::new(),
            _profile: profile,
        };
        let page = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            &json!({"targetId": page["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for part in [
            "Page.enable",
            "Runtime.enable",
            "Network.enable",
            "Log.enable",
        ] {
            browser.call(part, &json!({}));
        }
        browser
    }

    /// Calls a method and waits for the answer.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to
            .write_all(format!("{message}\0").as_bytes())
            .expect("Chromium listens; is it installed?");
        loop {
            let answer = self.hear();
            if answer["id"] == self.calls {
                return answer;
            }
            self.reported.push(answer);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(
            bytes.pop(),
            Some(0),
            "Chromium has ended or did not start; `.ci/run` installs it"
        );
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The value of an expression in the page.
    pub fn js(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Whether an expression is true in the current page; false while one page is replaced by the next.
    pub fn is(&mut self, expression: &str) -> bool {
        let params = json!({"expression": expression, "returnByValue": true});
        self.ask("Runtime.evaluate", &params)["result"]["result"]["value"] == true
    }

    /// Opens a page in a window of this size in pixels.
    pub fn open(&mut self, page: &Path, hash: &str, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", &size);
        // A page that is already open would be scrolled to the fragment and not reloaded.
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.call(
            "Page.navigate",
            &json!({"url": format!("file://{}{hash}", page.display())}),
        );
        while self.js("document.readyState") != "complete"
            || self.js("location.protocol") != "file:"
            || self.js("document.documentElement.dataset.busy !== undefined") == true
        {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// Opens a page that a program serves on this computer, in a window of this size in pixels.
    pub fn visit(&mut self, address: &str, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", &size);
        self.call("Page.navigate", &json!({ "url": address }));
        while !self.is("document.readyState === 'complete' && location.protocol === 'http:'") {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// Clicks at a place in the window.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let code = if key == " " { "Space" } else { key };
        let number = match key {
            "ArrowRight" => 39,
            "ArrowLeft" => 37,
            "Enter" => 13,
            "Escape" => 27,
            "Home" => 36,
            "End" => 35,
            _ => 0,
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let params =
                json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
            self.call("Input.dispatchKeyEvent", &params);
        }
    }

    /// What the page requested from elsewhere, and what it wrote to the console, since the last call.
    pub fn troubles(&mut self) -> Vec<String> {
        self.js("1");
        let reported = std::mem::take(&mut self.reported);
        let is_trouble = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or("");
                let is_page = url.starts_with("file:") && url.contains(".html");
                let is_own = is_page || url.starts_with("http://127.0.0.1:");
                !(is_own || url.starts_with("about:"))
            }
            _ => false,
        };
        reported
            .iter()
            .filter(is_trouble)
            .map(|event| event["params"].to_string())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser has nothing to save.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
