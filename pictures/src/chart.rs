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
    for bar in &chart.bars {
        if is_finite(bar) {
            put_bar(&mut canvas, *bar, &scale);
        }
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
        let (mut across, mut up) = (Vec::new(), Vec::new());
        for line in &chart.lines {
            for [x, y] in &line.points {
                across.push(*x);
                up.push(*y);
            }
            up.extend(line.band.as_flattened());
        }
        for [left, right, height] in &chart.bars {
            across.extend([left, right]);
            up.extend([0.0, *height]);
        }
        for (level, _) in &chart.levels {
            up.push(*level);
        }
        Self {
            across: ends(&across),
            up: ends(&up),
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
fn ends(values: &[f64]) -> [f64; 2] {
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for value in values {
        if value.is_finite() {
            low = low.min(*value);
            high = high.max(*value);
        }
    }
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
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (point, band) in line.points.iter().zip(&line.band) {
        lower.push([point[0], band[0]]);
        upper.push([point[0], band[1]]);
    }
    upper.reverse();
    let around = path([lower, upper].concat(), scale);
    if !around.is_empty() {
        canvas.put(&format!(
            r#"<path fill="{ink}" fill-opacity="0.2" stroke="none" d="{around}z"/>"#
        ));
    }
    canvas.put(&format!(
        r#"<path fill="none" stroke="{ink}" stroke-width="1.5" d="{}"/>"#,
        path(line.points.clone(), scale)
    ));
}

/// A path along those of the points that are finite; empty if none is.
fn path(mut points: Vec<[f64; 2]>, scale: &Scale) -> String {
    points.retain(|point| is_finite(point));
    let place = |[x, y]: [f64; 2]| format!("{} {}", number(scale.x(x)), number(scale.y(y)));
    let places: Vec<_> = points.into_iter().map(place).collect();
    if places.is_empty() {
        return String::new();
    }
    format!("M{}", places.join("L"))
}

fn put_bar(canvas: &mut Canvas, bar: [f64; 3], scale: &Scale) {
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

fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// The names of the lines, if there are several.
fn legend(canvas: &mut Canvas, chart: &Chart) {
    if chart.lines.len() < 2 {
        return;
    }
    let inked = chart.lines.iter().zip(INKS.iter().cycle());
    for (index, (line, ink)) in inked.enumerate().take(18) {
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
