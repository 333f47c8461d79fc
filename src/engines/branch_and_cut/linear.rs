//! The multipliers of the whole tree as a [`LinearBound`].

use super::model::NONE;
use super::paths::Paths;
use crate::branching::Tree;
use crate::instance::LinearBound;
use crate::lp::LinearProgram;
use crate::lp::proof::SCALE;

/// A usual gain is about so many units, so that hundreds of them are rounded to little.
const FINE: i64 = 1 << 12;
/// Units in all that a path uses.
const MOST: i128 = 1 << 30;

/// For directed graphs; an undirected visit belongs to no edge.
pub(super) fn bound<P: LinearProgram>(tree: &Tree<Paths<'_>, P>) -> Option<LinearBound> {
    let (model, proof) = (&tree.formulation.model, tree.root_proof());
    let graph = &model.instance.graph;
    if !graph.is_directed() || proof.gains.is_empty() {
        return None;
    }
    let mean = graph.edges().iter().map(|edge| i128::from(edge.weight).abs()).sum::<i128>() / model.variables() as i128;
    let scale = (i128::from(FINE) / mean.max(1)).max(1);
    let scale = 1i128 << scale.ilog2();
    // Rounded up: a path uses each of its gains once.
    let units = |gain: i128| (gain * scale + SCALE - 1).div_euclid(SCALE);
    let gains = model.gains_of_variables(&proof.gains);
    let gain = |variable: u32| if variable == NONE { 0 } else { gains[variable as usize] };
    let visit = |vertex: u32| gain(model.visit(vertex));
    let vertices = 0..model.vertices() as u32;
    let edges = (0..).zip(graph.edges()).map(|(edge, line)| units(gain(edge) + visit(line.source)));
    let edges: Vec<i128> = edges.collect();
    let first: Vec<i128> = vertices.clone().map(|vertex| units(gain(model.first[vertex as usize]))).collect();
    let last: Vec<i128> =
        vertices.clone().map(|vertex| units(gain(model.last[vertex as usize]) + visit(vertex))).collect();
    let visits: Vec<i128> = vertices.map(|vertex| units(visit(vertex)).max(0)).collect();
    let constant = units(proof.constant);
    let all = [&edges, &first, &last, &visits];
    let greatest = all.iter().flat_map(|list| list.iter()).map(|gain| gain.abs()).max().unwrap_or(0);
    if constant.abs() + greatest * (model.vertices() as i128 + 2) > MOST {
        return None;
    }
    let narrow = |list: Vec<i128>| list.into_iter().map(|gain| gain as i64).collect();
    Some(LinearBound {
        scale: scale as i64,
        constant: constant as i64,
        edges: narrow(edges),
        first: narrow(first),
        last: narrow(last),
        visits: narrow(visits),
    })
}
