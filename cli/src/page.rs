//! Pages of HTML that can be printed on A4.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use overboard_formats::foreign::{Foreign, visible};
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::{self, Read as _, Write},
    path::Path,
};

const STYLE: &str = "
@page { size: A4; margin: 14mm; }
* { box-sizing: border-box; }
body { font: 11pt/1.35 'Liberation Sans', Arial, Helvetica, sans-serif; color: #111; margin: 1.5rem auto; max-width: 182mm; padding: 0 4mm; }
h1 { font-size: 16pt; margin: 0 0 2mm; }
h2 { font-size: 12.5pt; margin: 6mm 0 2mm; }
p { margin: 0 0 2mm; }
h1, h2, p, td, th, .versus { overflow-wrap: break-word; }
td, th { max-width: 60mm; }
table + p { margin-top: 2mm; }
table + table { margin-top: 4mm; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border: 0.3mm solid #777; padding: 1.2mm 2mm; text-align: left; vertical-align: top; }
th { background: #eee; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
td.number, th.number { text-align: right; width: 1%; white-space: nowrap; }
tr.strong td { font-weight: bold; background: #f6f6f6; }
td.box { width: 16mm; height: 9mm; }
td.line { height: 9mm; }
.moves td { height: 7.4mm; padding: .5mm 2mm; }
.moves td.time { width: 14mm; }
.set-up { width: auto; }
.set-up th { text-align: center; width: 10mm; }
.set-up td { height: 7mm; padding: 0; width: 16mm; }
.slip { line-height: 1.9; margin-bottom: 5mm; padding-bottom: 3mm; border-bottom: 0.3mm dashed #777; break-inside: avoid; }
.card { break-inside: avoid; }
.sheet { break-after: page; }
.sheet:last-child { break-after: auto; }
.card + .card { border-top: 0.3mm dashed #777; margin-top: 12mm; padding-top: 12mm; }
.notes { margin-top: 2mm; }
.versus { display: flex; flex-wrap: wrap; gap: 1mm 6mm; align-items: baseline; font-size: 14pt; margin: 3mm 0; }
.small { font-size: 9pt; color: #444; }
.signatures { display: flex; gap: 8mm; margin-top: 12mm; }
.signatures div { flex: 1; border-top: 0.3mm solid #111; padding-top: 1mm; font-size: 9pt; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
@media screen { .card { overflow-x: auto; } }
@media print {
  body { margin: 0; max-width: none; padding: 0; }
  .card + .card { margin-top: 8mm; padding-top: 8mm; }
  .sheet + .sheet { border: none; margin: 0; padding: 0; }
  h1, h2, tr.strong { break-after: avoid; }
}
";

/// The look of a page, and its script.
pub struct Look<'a> {
    /// Its style sheet.
    pub style: &'a str,
    /// Its script, if it has one.
    pub script: Option<&'a str>,
    /// Whether the script speaks with where the page came from.
    pub connects: bool,
}

/// The content security policy of a page: its own style sheet and script and nothing else, so that no text in it,
/// wherever it came from, can load, run or send anything.
pub fn policy(look: &Look<'_>) -> String {
    let script = look
        .script
        .map(|script| format!("; script-src 'sha256-{}'", hash(script)));
    let connect = if look.connects {
        "; connect-src 'self'"
    } else {
        ""
    };
    format!(
        "default-src 'none'; style-src 'sha256-{}'{}{connect}",
        hash(look.style),
        script.unwrap_or_default()
    )
}

/// By this a browser knows a text that a policy allows.
fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// HTML output without raw invisible characters, wherever its text came from.
pub fn text(markup: Markup) -> String {
    let html = markup.into_string();
    html.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// A page with this title.
pub fn page(title: &Foreign, body: &Markup) -> String {
    let [before, after] = frame(title);
    before + &text(body.clone()) + &after
}

/// A page with its own look, in parts that are written one after the other: it is never held twice.
pub struct PageParts {
    frame: [String; 2],
    parts: Vec<Markup>,
}

impl PageParts {
    /// The page with this title, whose body is of these parts.
    pub fn of(title: &Foreign, parts: Vec<Markup>, look: &Look<'_>) -> Self {
        Self {
            frame: frame_of(title, look),
            parts,
        }
    }

    /// Writes the page. What has been written is dropped.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let [before, after] = self.frame;
        out.write_all(before.as_bytes())?;
        for part in self.parts {
            out.write_all(text(part).as_bytes())?;
        }
        out.write_all(after.as_bytes())
    }

    /// The page as a text.
    pub fn into_text(self) -> String {
        let [before, after] = self.frame;
        before + &self.parts.into_iter().map(text).collect::<String>() + &after
    }
}

/// What stands before the body of a page with this title, and after it.
pub fn frame(title: &Foreign) -> [String; 2] {
    frame_of(
        title,
        &Look {
            style: STYLE,
            script: None,
            connects: false,
        },
    )
}

/// Marks the pages that this program makes.
const MARK: &str = "<meta name=\"generator\" content=\"overboard\">";

/// Whether a file is a page that this program made. A file that cannot be read is none.
pub fn is_ours(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(200).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(MARK)
}

fn frame_of(title: &Foreign, look: &Look<'_>) -> [String; 2] {
    let before = html! {
        (DOCTYPE)
        (PreEscaped("<html lang=\"en\">"))
        (head(title, look))
        (PreEscaped("<body>"))
    };
    let after = html! {
        @if let Some(script) = look.script { script { (PreEscaped(script)) } }
        (PreEscaped("</body></html>"))
    };
    [text(before), text(after) + "\n"]
}

fn head(title: &Foreign, look: &Look<'_>) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            (PreEscaped(MARK))
            meta http-equiv="Content-Security-Policy" content=(policy(look));
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title.shown()) }
            style { (PreEscaped(look.style)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_wherever_it_stands() {
        let name = "Le\u{202e}eds\u{1b}";
        let markup = html! { p title=(name) { (name) "\n<b>" } };
        assert_eq!(
            text(markup),
            "<p title=\"Le\\u{202e}eds\\u{1b}\">Le\\u{202e}eds\\u{1b}\n&lt;b&gt;</p>"
        );
    }

    /// Compared with the output of `printf 'a{}' | openssl dgst -sha256 -binary | base64`.
    #[test]
    fn a_policy_names_the_style_by_its_hash() {
        let hash = "X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=";
        let look = Look {
            style: "a{}",
            script: None,
            connects: false,
        };
        assert_eq!(
            policy(&look),
            format!("default-src 'none'; style-src 'sha256-{hash}'")
        );
        let both = Look {
            style: "",
            script: Some("a{}"),
            connects: false,
        };
        assert!(policy(&both).ends_with(&format!("; script-src 'sha256-{hash}'")));
        let own = policy(&Look {
            style: STYLE,
            script: None,
            connects: false,
        });
        assert!(page(&"cup".into(), &html! {}).contains(&format!("content=\"{own}\"")));
        let look = Look {
            style: "b{}",
            script: Some("a{}"),
            connects: false,
        };
        let page = PageParts::of(&"cup".into(), vec![html! {}], &look).into_text();
        assert!(page.contains("<script>a{}</script></body>"), "{page}");
    }
}
