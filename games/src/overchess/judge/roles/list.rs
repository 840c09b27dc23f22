//! Lists of lieutenants in tags.

use crate::overchess::lieutenants::{self, Led, Post};
use overboard_formats::{parse::Parser, span::TextSpan};
use overboard_referee::tags::part_of_tag;

/// A parsed list of lieutenants: for each item what is led and by whom, with the places of both in the text; and
/// the faults of unreadable items.
#[derive(Clone, Default, Debug)]
pub(super) struct List {
    pub posts: Vec<(Led, String, TextSpan, TextSpan)>,
    pub faults: Vec<(String, TextSpan)>,
}

impl List {
    pub fn read(list: &str, place: TextSpan, parser: &Parser<'_>) -> Self {
        let (posts, faults) = lieutenants::posts(list);
        let at = |bytes| place.at(part_of_tag(place, list, bytes, parser));
        let post = |post: Post| {
            let end = post.bytes.start + post.led.to_string().len();
            (
                post.led,
                post.name,
                at(post.bytes.clone()),
                at(post.bytes.start..end),
            )
        };
        Self {
            posts: posts.into_iter().map(post).collect(),
            faults: faults
                .into_iter()
                .map(|fault| (fault.what, at(fault.bytes)))
                .collect(),
        }
    }
}
