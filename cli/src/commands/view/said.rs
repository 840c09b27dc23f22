//! Splits what a record says after a ply: signs, comments, and the commands in them.

use overboard_formats::command::commands;

/// The remarks after a ply.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Said {
    /// `!?` and NAGs, as signs.
    pub signs: String,
    /// Comments without their commands.
    pub comments: Vec<String>,
    /// Instructions of captains, with the letter of the side.
    pub orders: Vec<String>,
    /// Other commands, which report events.
    pub events: Vec<String>,
    /// Coloured squares, such as `Ge4`.
    pub squares: Vec<String>,
    /// Arrows, such as `Ge2e4`.
    pub arrows: Vec<String>,
}

/// Splits glyphs, NAGs and comments as they are written.
pub fn said(remarks: &str) -> Said {
    let mut said = Said::default();
    let mut rest = remarks.trim_start();
    while let Some(first) = rest.chars().next() {
        let closing = match first {
            '{' => '}',
            ';' => '\n',
            _ => {
                let word = rest.find([' ', '{', '\n']).unwrap_or(rest.len());
                said.signs
                    .push_str(&rest[..word].split('$').map(sign).collect::<String>());
                rest = rest[word..].trim_start();
                continue;
            }
        };
        let (comment, after) = rest[1..].split_once(closing).unwrap_or((&rest[1..], ""));
        said.comment(comment.trim());
        rest = after.trim_start();
    }
    said
}

impl Said {
    fn comment(&mut self, text: &str) {
        let (mut plain, mut from) = (String::new(), 0);
        for command in commands(text.as_bytes()) {
            plain.push_str(&text[from..command.bytes.start]);
            from = command.bytes.end;
            let arguments = String::from_utf8_lossy(command.arguments).into_owned();
            let marks = || {
                arguments
                    .split(',')
                    .map(str::trim)
                    .filter(|mark| is_mark(mark))
                    .map(str::to_owned)
            };
            match command.name {
                b"csl" => self.squares.extend(marks()),
                b"cal" => self.arrows.extend(marks()),
                b"order" => self.orders.push(arguments),
                // Shown elsewhere, or only useful to programs.
                b"clk" | b"emt" | b"ts" | b"eval" | b"seq" | b"in" => {}
                name => {
                    let event = format!("{} {arguments}", String::from_utf8_lossy(name));
                    self.events.push(event.trim().to_owned());
                }
            }
        }
        plain.push_str(&text[from..]);
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        self.comments
            .extend(Some(plain).filter(|plain| !plain.is_empty()));
    }
}

/// Whether this is a colour and one or two squares.
fn is_mark(mark: &str) -> bool {
    let Some(squares) = mark.strip_prefix(['R', 'G', 'Y', 'B', 'C']) else {
        return false;
    };
    let is_known = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let files = squares.matches(|letter: char| letter.is_ascii_lowercase());
    let ranks = squares.split(|letter: char| letter.is_ascii_lowercase());
    matches!(files.count(), 1 | 2)
        && squares.chars().all(is_known)
        && squares.starts_with(|file: char| file.is_ascii_lowercase())
        && ranks.skip(1).all(|rank| !rank.is_empty())
}

/// The sign for a NAG, given without its `$`; glyphs are signs themselves.
fn sign(nag: &str) -> String {
    let sign = match nag {
        "1" => "!",
        "2" => "?",
        "3" => "!!",
        "4" => "??",
        "5" => "!?",
        "6" => "?!",
        "7" => "□",
        "10" => "=",
        "13" => "∞",
        "14" => " +/=",
        "15" => " =/+",
        "16" => "±",
        "17" => "∓",
        "18" => "+−",
        "19" => "−+",
        "22" | "23" => "⊙",
        "32" | "33" => "⟳",
        "36" | "37" => "→",
        "40" | "41" => "↑",
        "132" | "133" => "⇆",
        "146" => "N",
        number if number.starts_with(|c: char| c.is_ascii_digit()) => return format!("${number}"),
        glyphs => glyphs,
    };
    sign.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_taken_apart() {
        let reported = said(
            " !? $14 {[%clk 0:10] Good {not a brace. [%csl Ge4,Rx][%cal Ge2e4]} ;to the end\n {[%order W Team]}{[%resign B]}",
        );
        assert_eq!(reported.signs, "!? +/=");
        assert_eq!(reported.comments, ["Good {not a brace.", "to the end"]);
        assert_eq!(
            (reported.squares, reported.arrows),
            (vec!["Ge4".into()], vec!["Ge2e4".into()])
        );
        assert_eq!(
            (reported.orders, reported.events),
            (vec!["W Team".into()], vec!["resign B".into()])
        );
        for odd in ["", " ", "{", ";", "$", "!{", "{}", "ü{ü}ü"] {
            said(odd);
        }
    }
}
