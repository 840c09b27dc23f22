//! Games packed into a page, some together, so that thousands of them fit: each is drawn when it is asked for.

use crate::page::text;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use maud::{Markup, html};
use std::io::{self, Write as _};

/// About how many bytes are packed together: what is alike in games is written once, and unpacking takes no time.
const TOGETHER: usize = 256 << 10;

/// Viewers of games, packed.
#[derive(Default)]
pub struct Packs {
    done: Vec<Markup>,
    /// The names of the games that are not packed yet, and their HTML.
    names: Vec<String>,
    open: String,
    bytes: usize,
    /// The name of the last game.
    last: String,
}

impl Packs {
    /// Adds the viewer of a game with this name.
    ///
    /// # Errors
    /// It cannot be packed.
    pub fn push(&mut self, name: &str, viewer: Markup) -> io::Result<()> {
        let game = text(html! { template id=(name) { (viewer) } });
        self.open.push_str(&game);
        self.names.push(name.to_owned());
        name.clone_into(&mut self.last);
        if self.open.len() > TOGETHER {
            self.pack()?;
        }
        Ok(())
    }

    /// Whether the game with this name was the last to be added.
    pub fn has(&self, name: &str) -> bool {
        self.last == name
    }

    /// The bytes of what has been packed, and about those of the rest.
    pub fn bytes(&self) -> usize {
        self.bytes + self.open.len() / 4
    }

    fn pack(&mut self) -> io::Result<()> {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(self.open.as_bytes())?;
        let packed = STANDARD.encode(packer.finish()?);
        self.bytes += packed.len();
        let names = self.names.join(" ");
        self.done
            .push(html! { script type="application/x-games" data-games=(names) { (packed) } });
        self.open.clear();
        self.names.clear();
        Ok(())
    }

    /// All packs, as elements of the page.
    ///
    /// # Errors
    /// The last one cannot be packed.
    pub fn finish(mut self) -> io::Result<Vec<Markup>> {
        if !self.names.is_empty() {
            self.pack()?;
        }
        Ok(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use std::io::Read as _;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let mut packs = Packs::default();
        packs.push("g1", html! { "<b>" }).unwrap();
        packs.push("g2", html! { p { "two" } }).unwrap();
        let all = packs.finish().unwrap();
        assert_eq!(all.len(), 1);
        let text = all[0].clone().into_string();
        let packed = text
            .strip_prefix("<script type=\"application/x-games\" data-games=\"g1 g2\">")
            .and_then(|rest| rest.strip_suffix("</script>"))
            .unwrap();
        let mut html = String::new();
        DeflateDecoder::new(&STANDARD.decode(packed).unwrap()[..])
            .read_to_string(&mut html)
            .unwrap();
        assert_eq!(
            html,
            "<template id=\"g1\">&lt;b&gt;</template><template id=\"g2\"><p>two</p></template>"
        );
    }
}
