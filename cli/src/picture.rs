//! Pictures: their size, and their conversion to PNG.

use overboard_pictures::{
    diagram::Diagram,
    svg::{self, Fitted},
};

/// The default number of pixels of a square.
const SQUARE: u16 = 60;
/// The most pixels of a side if the size of squares was not given: the 64 boards of Mega-Chess would have 5,768, and
/// linked boards any number.
const MOST_A_SIDE: u32 = 4_000;

/// Draws a diagram with squares of this many pixels, or of the default size.
pub fn draw(diagram: &Diagram, square: Option<u16>, letters: bool) -> Fitted {
    let options = svg::Options {
        square: square.unwrap_or(SQUARE),
        letters,
    };
    svg::draw_within(
        diagram,
        &options,
        if square.is_some() {
            u32::MAX
        } else {
            MOST_A_SIDE
        },
    )
}

/// Why a picture is smaller than usual, if it is; for a note.
pub fn made_smaller(Fitted { size, asked, .. }: &Fitted) -> Option<String> {
    (size != asked).then(|| {
        let ((width, height), (full_width, full_height)) = (size, asked);
        format!(
            "the picture has {width} x {height} pixels instead of {full_width} x {full_height}, so that no side has more \
             than {MOST_A_SIDE}; --size {SQUARE} draws it at full size, --board shows only one board"
        )
    })
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The program was built without the feature `png`.
    #[cfg(not(feature = "png"))]
    #[error("this overboard was built without the feature `png`; it can write SVG")]
    NotBuilt,
    /// It has too many pixels.
    #[cfg(feature = "png")]
    #[error("a picture of {0} x {1} pixels is too large; the limit is {MOST_PIXELS} pixels")]
    TooLarge(u32, u32),
    /// The SVG cannot be drawn.
    #[cfg(feature = "png")]
    #[error("the drawing cannot be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The PNG cannot be encoded.
    #[cfg(feature = "png")]
    #[error("the picture cannot be written as PNG: {0}")]
    Encoding(String),
}

/// The most pixels that are drawn; each takes four bytes of memory.
#[cfg(feature = "png")]
const MOST_PIXELS: u64 = 100_000_000;

/// A drawing as PNG. Needs no fonts and loads nothing.
///
/// # Errors
/// Why there is no picture.
#[cfg(feature = "png")]
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    use resvg::{
        tiny_skia::{Pixmap, Transform},
        usvg::{Options, Tree},
    };
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let allowed = u64::from(width) * u64::from(height) <= MOST_PIXELS;
    let pixmap = allowed.then(|| Pixmap::new(width, height)).flatten();
    let mut pixmap = pixmap.ok_or(PictureError::TooLarge(width, height))?;
    resvg::render(&tree, Transform::default(), &mut pixmap.as_mut());
    pixmap
        .encode_png()
        .map_err(|error| PictureError::Encoding(error.to_string()))
}

/// A drawing as PNG.
///
/// # Errors
/// Always: this needs the feature `png`.
#[cfg(not(feature = "png"))]
pub const fn png(_svg: &str) -> Result<Vec<u8>, PictureError> {
    Err(PictureError::NotBuilt)
}

#[cfg(test)]
mod tests {
    use super::{draw, made_smaller, png};
    use overboard_pictures::diagram::{Diagram, Panel, PanelRow};

    #[test]
    fn no_side_is_too_long_unless_somebody_asks_for_it() {
        let wide = Diagram {
            rows: vec![PanelRow {
                panels: vec![Panel::new(14, 14); 8],
                joined: true,
            }],
            ..Diagram::default()
        };
        let usual = draw(&wide, None, false);
        assert_eq!(usual.size.0, 4_000);
        let why = made_smaller(&usual).unwrap();
        assert!(
            why.starts_with(&format!(
                "the picture has 4000 x {} pixels instead of",
                usual.size.1
            )),
            "{why}"
        );
        let asked = draw(&wide, Some(60), false);
        assert_eq!((asked.size, made_smaller(&asked)), (usual.asked, None));
        assert_eq!(
            made_smaller(&draw(&Diagram::of(Panel::new(8, 8)), None, false)),
            None
        );
    }

    #[cfg(feature = "png")]
    mod drawn {
        use super::{super::PictureError, png};
        use overboard_pictures::{
            diagram::{Diagram, Panel},
            svg,
        };
        use resvg::tiny_skia::Pixmap;

        #[test]
        fn a_picture_has_the_size_of_its_drawing_and_dark_and_light_squares() {
            let svg = svg::draw(
                &Diagram::of(Panel::new(8, 8)),
                &svg::Options {
                    square: 10,
                    letters: false,
                },
            );
            let pixmap = Pixmap::decode_png(&png(&svg).unwrap()).unwrap();
            assert!(svg.contains(&format!(
                r#"width="{}" height="{}""#,
                pixmap.width(),
                pixmap.height()
            )));
            let colours: std::collections::BTreeSet<_> = pixmap
                .pixels()
                .iter()
                .map(|p| (p.red(), p.green(), p.blue()))
                .collect();
            assert!(colours.contains(&(0xcc, 0xb4, 0x8c)) && colours.contains(&(0xf4, 0xec, 0xdc)));
        }

        #[test]
        fn what_is_too_large_or_no_drawing_is_refused() {
            let large = r#"<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>"#;
            assert!(matches!(
                png(large),
                Err(PictureError::TooLarge(60_000, 60_000))
            ));
            assert!(matches!(png("no drawing"), Err(PictureError::Svg(_))));
        }
    }

    #[cfg(not(feature = "png"))]
    #[test]
    fn without_the_feature_it_says_so() {
        assert!(
            png("")
                .unwrap_err()
                .to_string()
                .contains("without the feature `png`")
        );
    }
}
