//! Charts of figures: lines with bands around them, bars, and marked levels.

use crate::svg::canvas::{Canvas, Words, number};
use overboard_formats::foreign::Foreign;

/// A chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chart {
    /// Its title.
    pub title: Foreign,
    /// The name of the horizontal axis.
    pub across: &'static str,
    /// The name of the vertical axis.
    pub up: Foreign,
    /// The lines.
    pub lines: Vec<Line>,
    /// Bars that begin at 0, each given by its left end, its right end and its height.
    pub bars: Vec<[f64; 3]>,
    /// Horizontal lines at these heights, each with its meaning.
    pub levels: Vec<(f64, Foreign)>,
}

/// A line from left to right.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    /// The name of the line.
    pub name: Foreign,
    /// Its points, each as horizontal and vertical value.
    pub points: Vec<[f64; 2]>,
    /// The lower and the upper end of the band at each point; may be empty.
    pub band: Vec<[f64; 2]>,
}

const WIDTH: f32 = 840.0;
const HEIGHT: f32 = 480.0;
/// The edges of the plot area: left, right, top, bottom.
const FIELD: [f32; 4] = [76.0, 816.0, 48.0, 420.0];
/// Line colours that can be told apart with most forms of colour blindness, too (Okabe and Ito).
const INKS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
];
const GREY: &str = "#8a8a8a";

/// The chart as SVG. Values that are not finite are left out.
#[must_use]
pub fn draw(chart: &Chart) -> String {
    let scale = Scale::of(chart);
    let mut canvas = Canvas::new(true);
    canvas.put(r#"<g stroke-width="1">"#);
    axes(&mut canvas, chart, &scale);
    for bar in chart
        .bars
        .iter()
        .filter(|bar| bar.iter().all(|end| end.is_finite()))
    {
        let [left, right] = [bar[0], bar[1]].map(|end| scale.x(end));
        let [top, bottom] = [bar[2], 0.0].map(|end| scale.y(end));
        canvas.put(&format!(
            r#"<path fill="{}" stroke="none" d="M{} {}H{}V{}H{}z"/>"#,
            INKS[0],
            number(left),
            number(bottom),
            number(right.max(left + 0.5)),
            number(top),
            number(left)
        ));
    }
    for (line, ink) in chart.lines.iter().zip(INKS.iter().cycle()) {
        put_line(&mut canvas, line, ink, &scale);
    }
    for (level, name) in &chart.levels {
        let y = scale.y(*level);
        let [left, right, ..] = FIELD.map(number);
        canvas.put(&format!(
            r#"<path fill="none" stroke="{GREY}" stroke-dasharray="6 4" d="M{left} {}H{right}"/>"#,
            number(y)
        ));
        canvas.write(&Words::new(name.line(), 13.0).at(FIELD[0] + 6.0, beside(y)));
    }
    legend(&mut canvas, chart);
    canvas.put("</g>");
    let (title, description) = (
        chart.title.line(),
        format!("{} by {}", chart.up.line(), chart.across),
    );
    canvas
        .finish(&title, &description, (WIDTH, HEIGHT), u32::MAX)
        .svg
}

/// The base line of the name of a level: above its line, or below it if it would collide with the text above the plot
/// area.
fn beside(y: f32) -> f32 {
    if y - FIELD[2] < 20.0 {
        y + 16.0
    } else {
        y - 5.0
    }
}

/// Converts values to positions.
struct Scale {
    across: [f64; 2],
    up: [f64; 2],
}

impl Scale {
    fn of(chart: &Chart) -> Self {
        let points = chart.lines.iter().flat_map(|line| &line.points);
        let bars = chart.bars.iter();
        let across = points
            .clone()
            .map(|point| point[0])
            .chain(bars.clone().flat_map(|bar| [bar[0], bar[1]]));
        let bands = chart
            .lines
            .iter()
            .flat_map(|line| line.band.iter().flatten().copied());
        let up = points
            .map(|point| point[1])
            .chain(bands)
            .chain(chart.levels.iter().map(|level| level.0));
        let up = up.chain(bars.flat_map(|bar| [0.0, bar[2]]));
        Self {
            across: ends(across),
            up: ends(up),
        }
    }

    fn x(&self, value: f64) -> f32 {
        between(value, self.across, [FIELD[0], FIELD[1]])
    }

    fn y(&self, value: f64) -> f32 {
        between(value, self.up, [FIELD[3], FIELD[2]])
    }
}

/// The least and the greatest of these values; never equal.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    match high - low {
        width if width > 0.0 => [low, high],
        0.0 => [low - 0.5, high + 0.5],
        _ => [0.0, 1.0],
    }
}

fn between(value: f64, [low, high]: [f64; 2], [from, to]: [f32; 2]) -> f32 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    from + (to - from) * part as f32
}

/// Round numbers between two ends, and the number of decimals that they need.
fn ticks([low, high]: [f64; 2]) -> (Vec<f64>, usize) {
    let rough = (high - low) / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .map(|times| times * power)
        .into_iter()
        .find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let first = (low / step).ceil();
    let ticks = (0..12).map(|index| (first + f64::from(index)) * step);
    (
        ticks
            .take_while(|tick| *tick <= high + step * 1e-9)
            .collect(),
        digits,
    )
}

fn axes(canvas: &mut Canvas, chart: &Chart, scale: &Scale) {
    let [left, right, top, bottom] = FIELD;
    let ruled = |from: [f32; 2], to: [f32; 2]| {
        let [x0, y0, x1, y1] = [from[0], from[1], to[0], to[1]].map(number);
        format!(r##"<path fill="none" stroke="#d8d8d8" d="M{x0} {y0}L{x1} {y1}"/>"##)
    };
    let (across, digits) = ticks(scale.across);
    for tick in across {
        let x = scale.x(tick);
        canvas.put(&ruled([x, top], [x, bottom]));
        canvas.write(
            &Words::new(format!("{tick:.digits$}"), 13.0)
                .at(x, bottom + 18.0)
                .middle(),
        );
    }
    let (up, digits) = ticks(scale.up);
    for tick in up {
        let y = scale.y(tick);
        canvas.put(&ruled([left, y], [right, y]));
        canvas.write(
            &Words::new(format!("{tick:.digits$}"), 13.0)
                .at(left - 36.0, y + 5.0)
                .middle(),
        );
    }
    let middle = f32::midpoint(left, right);
    canvas.write(
        &Words::new(chart.title.line(), 17.0)
            .at(middle, 24.0)
            .middle()
            .within(WIDTH - 20.0),
    );
    canvas.write(
        &Words::new(chart.across, 14.0)
            .at(middle, bottom + 44.0)
            .middle(),
    );
    canvas.write(
        &Words::new(chart.up.line(), 14.0)
            .at(10.0, top - 10.0)
            .within(300.0),
    );
}

fn put_line(canvas: &mut Canvas, line: &Line, ink: &str, scale: &Scale) {
    let place = |[x, y]: [f64; 2]| format!("{} {}", number(scale.x(x)), number(scale.y(y)));
    let path = |points: Vec<[f64; 2]>| {
        let places: Vec<_> = points.into_iter().map(place).collect();
        if places.is_empty() {
            String::new()
        } else {
            format!("M{}", places.join("L"))
        }
    };
    let finite = |point: &[f64; 2]| point.iter().all(|value| value.is_finite());
    let edge = |end: usize| {
        let edge = line
            .points
            .iter()
            .zip(&line.band)
            .map(move |(point, band)| [point[0], band[end]]);
        edge.filter(|point| point.iter().all(|value| value.is_finite()))
    };
    let around: Vec<_> = edge(0)
        .chain(edge(1).collect::<Vec<_>>().into_iter().rev())
        .collect();
    if !around.is_empty() {
        canvas.put(&format!(
            r#"<path fill="{ink}" fill-opacity="0.2" stroke="none" d="{}z"/>"#,
            path(around)
        ));
    }
    let points: Vec<_> = line.points.iter().copied().filter(finite).collect();
    canvas.put(&format!(
        r#"<path fill="none" stroke="{ink}" stroke-width="1.5" d="{}"/>"#,
        path(points)
    ));
}

/// The names of the lines, if there are several.
fn legend(canvas: &mut Canvas, chart: &Chart) {
    if chart.lines.len() < 2 {
        return;
    }
    for (index, (line, ink)) in chart
        .lines
        .iter()
        .zip(INKS.iter().cycle())
        .enumerate()
        .take(18)
    {
        let y = FIELD[2] + 18.0 + 18.0 * index as f32;
        let x = FIELD[1] - 300.0;
        let [from, to, at] = [x, x + 20.0, y - 4.0].map(number);
        canvas.put(&format!(
            r#"<path fill="none" stroke="{ink}" stroke-width="3" d="M{from} {at}H{to}"/>"#
        ));
        canvas.write(
            &Words::new(line.name.line(), 13.0)
                .at(x + 28.0, y)
                .within(270.0),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_mark_the_axes() {
        assert_eq!(
            ticks([0.0, 1.0]),
            (vec![0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0], 1)
        );
        assert_eq!(ticks([-3.0, 3.0]).0, [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(ticks([17.0, 212.0]), (vec![50.0, 100.0, 150.0, 200.0], 0));
    }

    #[test]
    fn the_name_of_a_level_does_not_collide_with_the_text_above_the_plot() {
        assert!(beside(FIELD[2]) > FIELD[2] && beside(FIELD[3]) < FIELD[3]);
    }

    #[test]
    fn an_empty_chart_is_well_formed() {
        let svg = draw(&Chart::default());
        assert!(svg.starts_with("<svg ") && !svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let points = vec![[0.0, f64::NAN], [1.0, 2.0], [2.0, f64::INFINITY]];
        let line = Line {
            name: "<a>".into(),
            points,
            band: vec![[f64::NEG_INFINITY, 1.0]; 3],
        };
        let bars = vec![[0.0, 1.0, f64::NAN]];
        let svg = draw(&Chart {
            title: "<&>".into(),
            lines: vec![line],
            bars,
            ..Chart::default()
        });
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("<title>&lt;&amp;&gt;</title>"));
    }
}
