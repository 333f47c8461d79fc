//! A graph too large to draw, as the tree of its blocks: a circle for each of the greatest blocks and for those that the path
//! visits, as large as they have nodes, joined where they share a cut node.

use std::fmt::Write;

use hashbrown::{HashMap, HashSet};
use petgraph::graph::{DiGraph, NodeIndex};

use super::layout;
use super::shown::{Shown, title};
use super::svg::{begin, number, text};
use crate::io::GraphFile;
use crate::structure;

/// So many blocks are drawn; of the others it is said how many there are.
const DRAWN: usize = 400;

pub(super) fn draw(file: &GraphFile, shown: &Shown<'_>) -> String {
    // Blocks are those of the graph without directions and weights, which is never refused.
    let blocks = structure::blocks(&file.graph).unwrap_or_default();
    let mut steps_inside: HashMap<usize, usize> = HashMap::new();
    let mut blocks_of: HashMap<NodeIndex, Vec<usize>> = HashMap::new();
    for (block, nodes) in blocks.iter().enumerate() {
        nodes.iter().for_each(|&node| blocks_of.entry(node).or_default().push(block));
    }
    for (one, two) in shown.steps() {
        let of = |node| blocks_of.get(&node).map_or(&[][..], Vec::as_slice);
        if let Some(&block) = of(one).iter().find(|block| of(two).contains(block)) {
            *steps_inside.entry(block).or_default() += 1;
        }
    }
    // Those with most of the path first, then the greatest.
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|block| {
        let steps = steps_inside.get(block).copied().unwrap_or(0);
        (std::cmp::Reverse(steps), std::cmp::Reverse(blocks[*block].len()), *block)
    });
    order.truncate(DRAWN);
    let drawn: HashMap<usize, usize> = order.iter().enumerate().map(|(at, &block)| (block, at)).collect();

    let mut graph = DiGraph::new();
    order.iter().for_each(|_| {
        graph.add_node(());
    });
    let mut joined = HashSet::new();
    for of in blocks_of.values() {
        let mut here: Vec<usize> = of.iter().filter_map(|block| drawn.get(block).copied()).collect();
        here.sort_unstable();
        for pair in here.windows(2) {
            joined.insert((here[0], pair[1]));
        }
    }
    let mut joined: Vec<(usize, usize)> = joined.into_iter().collect();
    joined.sort_unstable();
    for &(one, two) in &joined {
        graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), 1);
    }
    let places = layout::places(&graph);
    render(file, shown, &blocks, &order, &joined, &places, &steps_inside)
}

fn render(
    file: &GraphFile,
    shown: &Shown<'_>,
    blocks: &[Vec<NodeIndex>],
    order: &[usize],
    joined: &[(usize, usize)],
    places: &[[f64; 2]],
    steps_inside: &HashMap<usize, usize>,
) -> String {
    const SCALE: f64 = 46.0;
    const MARGIN: f64 = 60.0;
    let greatest = order.iter().map(|&block| blocks[block].len()).max().unwrap_or(1) as f64;
    let radius = |block: usize| 4.0 + 26.0 * (blocks[block].len() as f64 / greatest).sqrt();
    let extent = [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(0.0, f64::max));
    let scale = SCALE.min(1400.0 / extent[0].max(extent[1]).max(1.0));
    let place = |at: usize| places[at].map(|value| value * scale + MARGIN);
    let (width, height) = (extent[0] * scale + 2.0 * MARGIN, extent[1] * scale + 2.0 * MARGIN + 24.0);
    let mut svg = begin(width.max(420.0), height, &format!("the blocks of {}", title(file, shown)));
    svg.push_str("<g stroke-width=\"1.2\">\n");
    let visited = |at: usize| steps_inside.contains_key(&order[at]);
    for &(one, two) in joined {
        let (a, b) = (place(one), place(two));
        let class = if visited(one) && visited(two) { "step" } else { "edge" };
        let [x1, y1, x2, y2] = [a[0], a[1], b[0], b[1]].map(number);
        let _ = writeln!(svg, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }
    for (at, &block) in order.iter().enumerate() {
        let [x, y] = place(at).map(number);
        let size = blocks[block].len();
        let steps = steps_inside.get(&block).copied();
        let class = if steps.is_some() { "node on" } else { "node" };
        let first = text(&file.names.name_of(blocks[block][0].index()));
        let told = steps.map_or(String::new(), |steps| format!(", {steps} steps of the path"));
        let r = number(radius(block));
        let _ = write!(
            svg,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\" data-name=\"block at {first}\"><title>a block of {size} \
             nodes at {first}{told}</title></circle>"
        );
        if radius(block) > 9.0 {
            let light = if steps.is_some() { " light" } else { "" };
            let _ = write!(
                svg,
                "<text class=\"label{light}\" x=\"{x}\" y=\"{y}\" dy=\".35em\" font-size=\"9\">{size}</text>"
            );
        }
        svg.push('\n');
    }
    let left = blocks.len() - order.len();
    let told = if left > 0 { format!("; {left} more are not drawn") } else { String::new() };
    let _ = write!(
        svg,
        "</g>\n<text x=\"12\" y=\"{}\" font-size=\"13\">{} blocks with their numbers of nodes{told}</text>\n</svg>\n",
        number(height - 12.0),
        order.len()
    );
    svg
}
