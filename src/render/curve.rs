//! The incumbent and the bound of a run over time.

use std::fmt::Write;

use super::svg::{begin, number};
use crate::io::Decimal;
use crate::solution::Progress;

/// Draws the length of the best path and the least bound as they came, on an axis of time that is finer at the beginning. `end` is
/// how long the run lasted, in seconds; lengths are told with so many places behind the point (0 where they are whole).
///
/// # Example
/// ```
/// use longhaul::{LongestPath, render};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// let mut rows = Vec::new();
/// LongestPath::new(&graph).on_progress(|progress| rows.push(progress.clone())).solve()?;
/// assert!(render::curve(&rows, 1.0, 0).starts_with("<svg"));
/// # Ok::<(), longhaul::Error>(())
/// ```
pub fn curve(rows: &[Progress], end: f64, places: u32) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 260.0;
    const LEFT: f64 = 70.0;
    const BOTTOM: f64 = 36.0;
    const TOP: f64 = 20.0;
    let mut svg = begin(WIDTH, HEIGHT, "the length of the best path and the bound over time");
    let lengths = points(rows, places, |row| row.incumbent);
    let bounds = points(rows, places, |row| row.upper_bound);
    let values = || lengths.iter().chain(&bounds).map(|point| point.value);
    if values().next().is_none() {
        let _ = write!(svg, "<text x=\"{LEFT}\" y=\"60\" font-size=\"13\">nothing was found or proved</text></svg>");
        return svg;
    }
    // A first bound far above all else would press everything flat: the axis ends a bit above the last bound.
    let least = values().fold(f64::INFINITY, f64::min);
    let last_bound = bounds.last().map_or(f64::NEG_INFINITY, |point| point.value);
    let best = lengths.last().map_or(last_bound, |point| point.value);
    let step = 10f64.powf(-f64::from(places));
    let top =
        values().fold(f64::NEG_INFINITY, f64::max).min(best.max(last_bound) + (best.max(last_bound) - least).max(step));
    let span = (top - least).max(step);
    let first = rows.iter().map(|row| row.elapsed.as_secs_f64()).fold(end, f64::min).clamp(1e-4, 1.0);
    let end = end.max(first * 2.0);
    let x = |time: f64| {
        LEFT + (WIDTH - LEFT - 20.0) * ((time.max(first) / first).ln() / (end / first).ln()).clamp(0.0, 1.0)
    };
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * ((value - least) / span).clamp(0.0, 1.0);
    let base = number(HEIGHT - BOTTOM);
    let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{base}H{}\"/>", number(WIDTH - 20.0));
    for value in [least, least + span / 2.0, top.max(least + span)] {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"end\">{}</text>",
            number(LEFT - 8.0),
            number(y(value) + 4.0),
            shown(value, places)
        );
    }
    for time in [first, (first * end).sqrt(), end] {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{} s</text>",
            number(x(time)),
            number(HEIGHT - BOTTOM + 18.0),
            if time < 0.01 { format!("{time:.4}") } else { format!("{time:.2}") }
        );
    }
    for (class, dot, points) in [("bound", "dot-bound", &bounds), ("step", "dot-path", &lengths)] {
        let Some(Point { seconds, value, .. }) = points.first() else { continue };
        let mut line = format!("M{} {}", number(x(*seconds)), number(y(*value)));
        for Point { seconds, value, .. } in &points[1..] {
            let _ = write!(line, "H{}V{}", number(x(*seconds)), number(y(*value)));
        }
        let _ = writeln!(svg, "<path class=\"{class}\" stroke-width=\"2\" d=\"{line}H{}\"/>", number(x(end)));
        for Point { seconds, value, told } in points.iter().rev().take(400) {
            let _ = writeln!(
                svg,
                "<circle class=\"{dot}\" cx=\"{}\" cy=\"{}\" r=\"2.6\"><title>{told} after {seconds:.3} s</title></circle>",
                number(x(*seconds)),
                number(y(*value))
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"14\" font-size=\"12\"><tspan class=\"dot-path\">best path</tspan> \
         <tspan class=\"dot-bound\">bound</tspan></text></svg>",
        number(LEFT + 8.0)
    );
    svg
}

/// A value on the axis.
fn shown(value: f64, places: u32) -> String {
    // Halves lie between whole lengths.
    if places == 0 { number(value) } else { format!("{value:.*}", places as usize) }
}

/// When a value changed, and to what.
struct Point {
    seconds: f64,
    value: f64,
    told: Decimal,
}

fn points(rows: &[Progress], places: u32, value: impl Fn(&Progress) -> Option<i64>) -> Vec<Point> {
    let step = 10f64.powf(-f64::from(places));
    let mut points: Vec<Point> = Vec::new();
    for row in rows {
        if let Some(units) = value(row)
            && points.last().is_none_or(|point| point.told.units != units)
        {
            let (seconds, value) = (row.elapsed.as_secs_f64(), units as f64 * step);
            points.push(Point { seconds, value, told: Decimal { units, places } });
        }
    }
    points
}
