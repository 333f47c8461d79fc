//! A graph and a path in it.

use std::fmt::Write;

use hashbrown::HashSet;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::shown::{Shown, title};
use super::svg::{begin, number, text};
use super::{layout, tree};
use crate::io::GraphFile;

/// A margin around everything, and the greatest size of a picture.
const MARGIN: f64 = 30.0;
const GREATEST: f64 = 1100.0;

/// Up to so many nodes the layout is drawn, however tangled it is.
const SMALL: usize = 300;

/// Up to so many nodes the names stand in the picture; they can be had by pointing always.
const LABELLED: usize = 80;

/// Draws a graph with a path in SVG: at the places that the file gives, as a grid where it is one, else by a layout of its
/// own. A graph without places of some hundred nodes that no layout disentangles is drawn with its path as a ring, and one of
/// more than 3000 nodes as the tree of its blocks with the path through it.
///
/// Every step of the path is a line of class `step` with the names of its ends in `data-from` and `data-to` (for the tree of
/// blocks, the blocks that the path visits are of class `on`).
///
/// # Complexity
/// `O(n + m)` with places; the layout takes up to a second or two.
pub fn picture(file: &GraphFile, shown: &Shown<'_>) -> String {
    let n = file.graph.node_count();
    match &file.coordinates {
        Some(places) => draw(file, shown, places),
        None if n <= layout::MOST_NODES => match layout::places(&file.graph) {
            places if n > SMALL && is_tangled(&places, file) => match shown.nodes {
                [] => tree::draw(file, shown),
                _ => draw(file, shown, &ring(shown, n)),
            },
            places => draw(file, shown, &places),
        },
        None => tree::draw(file, shown),
    }
}

/// Whether edges run across many nodes that have nothing to do with them, so that none can be followed.
fn is_tangled(places: &[[f64; 2]], file: &GraphFile) -> bool {
    const MOST_ACROSS: f64 = 4.0;
    let Scale { typical, spacing, .. } = Scale::of(places, file);
    typical.is_some_and(|typical| typical > MOST_ACROSS * spacing)
}

/// The path as a ring that is open at the top, and within it the other nodes in rings of their own.
fn ring(shown: &Shown<'_>, n: usize) -> Vec<[f64; 2]> {
    const OPEN: f64 = 0.04;
    let mut places = vec![None; n];
    let count = shown.nodes.len();
    let radius = (count as f64 / std::f64::consts::TAU).max(1.0);
    let place = |radius: f64, share: f64| {
        let angle = std::f64::consts::TAU * (OPEN / 2.0 + share * (1.0 - OPEN));
        [radius * angle.sin(), -radius * angle.cos()]
    };
    for (at, node) in shown.nodes.iter().enumerate() {
        places[node.index()] = Some(place(radius, at as f64 / (count.max(2) - 1) as f64));
    }
    // A sunflower of the others, where every step turns by the golden angle.
    let left = n - places.iter().flatten().count();
    let mut others = 0.0;
    let inner = |at: f64| {
        let angle = at * std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
        let distance = 0.8 * radius * ((at + 0.5) / left.max(1) as f64).sqrt();
        [distance * angle.cos(), distance * angle.sin()]
    };
    let place = |place: Option<[f64; 2]>| {
        place.unwrap_or_else(|| {
            others += 1.0;
            inner(others - 1.0)
        })
    };
    places.into_iter().map(place).collect()
}

fn draw(file: &GraphFile, shown: &Shown<'_>, places: &[[f64; 2]]) -> String {
    let n = places.len();
    let (places, size, unit) = fitted(places, file);
    // Where the file says where nodes are, some may lie as close as they like.
    let apart = if file.coordinates.is_some() { unit * 0.4 } else { closest(&places, unit) };
    let radius = (unit * 0.22).min(0.47 * apart).clamp(1.2, 13.0);
    let mut svg = begin(size[0], size[1], &title(file, shown));
    if file.directed {
        arrow_heads(&mut svg, radius);
    }
    let on_path: HashSet<(NodeIndex, NodeIndex)> =
        shown.steps().flat_map(|(one, two)| [(one, two), (two, one)]).collect();
    let _ = writeln!(svg, "<g stroke-width=\"{}\">", number((radius * 0.16).clamp(0.5, 1.6)));
    for edge in file.graph.edge_references() {
        let ends = (edge.source(), edge.target());
        let hidden = !file.directed && on_path.contains(&ends);
        if ends.0 != ends.1 && !hidden {
            line(&mut svg, "edge", ends, &places, radius, file.directed, "");
        }
    }
    let _ = writeln!(svg, "</g>\n<g stroke-width=\"{}\">", number((radius * 0.45).clamp(1.6, 5.0)));
    for (step, (from, to)) in shown.steps().enumerate() {
        let [from_name, to_name] = [from, to].map(|node| text(&file.names.name_of(node.index())));
        let data = format!(" data-step=\"{}\" data-from=\"{from_name}\" data-to=\"{to_name}\"", step + 1);
        line(&mut svg, "step", (from, to), &places, radius, file.directed, &data);
    }
    let _ = writeln!(svg, "</g>\n<g stroke-width=\"{}\">", number((radius * 0.14).clamp(0.4, 1.4)));
    let mut position = vec![None; n];
    shown.nodes.iter().enumerate().for_each(|(at, node)| position[node.index()] = Some(at));
    for (node, place) in places.iter().enumerate() {
        let class = match position[node] {
            None => "node",
            Some(0) if !shown.closed => "node on first",
            Some(at) if at + 1 == shown.nodes.len() && !shown.closed => "node on last",
            Some(_) => "node on",
        };
        let name = text(&file.names.name_of(node));
        let at = position[node].map_or(String::new(), |at| format!(" data-at=\"{at}\""));
        let (x, y) = (number(place[0]), number(place[1]));
        let _ = write!(
            svg,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\" data-name=\"{name}\"{at}><title>{name}</title></circle>",
            number(radius)
        );
        if n <= LABELLED {
            let light = if position[node].is_some() { " light" } else { "" };
            let letters = name.chars().count().max(1) as f64;
            // A name that doesn't fit into its node stands below.
            let inside = radius * 2.0 / letters > 4.5;
            let (y, size, light) = if inside {
                (place[1], (radius * 2.4 / letters).min(radius), light)
            } else {
                (place[1] + radius + 6.0, 9.0, "")
            };
            let _ = write!(
                svg,
                "<text class=\"label{light}\" x=\"{x}\" y=\"{}\" dy=\".35em\" font-size=\"{}\" stroke=\"none\">{name}</text>",
                number(y),
                number(size)
            );
        }
        svg.push('\n');
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// How long a head is, for nodes of this radius.
fn head_length(class: &str, radius: f64) -> f64 {
    let length = (radius * 0.9).clamp(2.5, 10.0);
    if class == "step" { length * 1.3 } else { length }
}

/// Heads that lie before the end of a line, so that however thick it is they show.
fn arrow_heads(svg: &mut String, radius: f64) {
    svg.push_str("<defs>");
    for (id, class, of) in [("head", "arrow", "edge"), ("path-head", "path-arrow", "step")] {
        let size = number(head_length(of, radius));
        let _ = write!(
            svg,
            "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"0\" refY=\"5\" markerWidth=\"{size}\" markerHeight=\"{size}\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}\" d=\"M0 0 10 5 0 10z\"/></marker>"
        );
    }
    svg.push_str("</defs>\n");
}

/// A line between the rims of two nodes, with a head where edges are directed.
fn line(
    svg: &mut String,
    class: &str,
    (from, to): (NodeIndex, NodeIndex),
    places: &[[f64; 2]],
    radius: f64,
    directed: bool,
    data: &str,
) {
    let (a, b) = (places[from.index()], places[to.index()]);
    let length = (b[0] - a[0]).hypot(b[1] - a[1]).max(1e-9);
    // The line leaves room for a head before the rim; edges there and back lie side by side.
    let (short, aside) = match directed {
        true => ((radius + 1.0 + head_length(class, radius)).min(length * 0.8), radius.min(length) * 0.25),
        false => (0.0, 0.0),
    };
    let direction = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    let normal = [-direction[1] * aside, direction[0] * aside];
    let head = match (directed, class) {
        (false, _) => "",
        (true, "step") => " marker-end=\"url(#path-head)\"",
        (true, _) => " marker-end=\"url(#head)\"",
    };
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{head}{data}/>",
        number(a[0] + normal[0]),
        number(a[1] + normal[1]),
        number(b[0] - direction[0] * short + normal[0]),
        number(b[1] - direction[1] * short + normal[1]),
    );
}

/// How large a layout is.
struct Scale {
    least: [f64; 2],
    extent: [f64; 2],
    /// The middle one of the lengths of edges.
    typical: Option<f64>,
    /// The side of the square that each node would have of the area.
    spacing: f64,
}

impl Scale {
    fn of(places: &[[f64; 2]], file: &GraphFile) -> Self {
        let bound = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
            places.iter().map(|place| place[axis]).fold(start, pick)
        };
        let least = [0, 1].map(|axis| bound(axis, f64::INFINITY, f64::min));
        let greatest = [0, 1].map(|axis| bound(axis, f64::NEG_INFINITY, f64::max));
        let extent = [0, 1].map(|axis| if places.is_empty() { 0.0 } else { greatest[axis] - least[axis] });
        let mut lengths: Vec<f64> = file
            .graph
            .edge_references()
            .map(|edge| (places[edge.source().index()], places[edge.target().index()]))
            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
            .filter(|&length| length > 0.0)
            .collect();
        lengths.sort_unstable_by(f64::total_cmp);
        let area = extent[0].max(extent[1] * 0.1) * extent[1].max(extent[0] * 0.1);
        let spacing = (area / places.len().max(1) as f64).sqrt();
        Scale { least, extent, typical: lengths.get(lengths.len() / 2).copied(), spacing }
    }
}

/// The places in a picture of a good size, that size, and the typical distance of neighbours.
fn fitted(places: &[[f64; 2]], file: &GraphFile) -> (Vec<[f64; 2]>, [f64; 2], f64) {
    let Scale { least, extent, typical, spacing } = Scale::of(places, file);
    // Edges should be long enough to see, unless that makes the picture greater than a screen.
    let spacing = match typical {
        Some(typical) if spacing > 0.0 => typical.min(spacing * 1.5),
        Some(typical) => typical,
        None if spacing > 0.0 => spacing,
        None => 1.0,
    };
    let longest = extent[0].max(extent[1]).max(1e-9);
    let scale = (60.0 / spacing).min(GREATEST / longest);
    let size = extent.map(|extent| (extent * scale + 2.0 * MARGIN).max(120.0));
    let offset = [0, 1].map(|axis| (size[axis] - extent[axis] * scale) / 2.0);
    let place = |place: &[f64; 2]| [0, 1].map(|axis| (place[axis] - least[axis]) * scale + offset[axis]);
    (places.iter().map(place).collect(), size, spacing * scale)
}

/// How far the two nodes are apart that are closest, or `limit` if that is less or there are too many to look.
fn closest(places: &[[f64; 2]], limit: f64) -> f64 {
    if places.len() > layout::MOST_NODES {
        return limit;
    }
    let mut sorted = places.to_vec();
    sorted.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let mut closest = limit;
    for (at, a) in sorted.iter().enumerate() {
        for b in sorted[at + 1..].iter().take_while(|b| b[0] - a[0] < limit) {
            closest = closest.min((a[0] - b[0]).hypot(a[1] - b[1]));
        }
    }
    closest
}
