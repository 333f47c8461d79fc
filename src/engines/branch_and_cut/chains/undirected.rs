//! Chains of undirected graphs: whole, and where a path may end inside, from either end.

use smallvec::SmallVec;

use super::{Folded, Variables};
use crate::decompose::chains::{Chain, Walk};
use crate::instance::NOT_AN_END;

/// The chains with columns, and what these use.
pub(super) fn folded(variables: &Variables<'_>) -> Vec<Folded> {
    let fold = |Chain { inside, edges, .. }: Chain| {
        let whole = vec![variables.along(&edges, &inside).collect()];
        let (first, last) = (inside[0], inside[inside.len() - 1]);
        let mut ending = Vec::new();
        if variables.prizes(first)[0] != NOT_AN_END {
            for (edges, end) in [(&edges[..inside.len()], last), (&edges[1..], first)] {
                let end = variables.first[end as usize];
                ending.push(variables.along(edges, &inside).chain([end]).collect());
            }
        }
        Folded { inside, edges: edges.into_vec(), whole, ending }
    };
    foldable(variables).into_iter().map(fold).collect()
}

/// The chains whose other uses are worth no more than those that get columns.
fn foldable(variables: &Variables<'_>) -> Vec<Chain> {
    let graph = &variables.instance.graph;
    let may_be_inside = |vertex: u32| {
        let is_end = variables.prizes(vertex) != [NOT_AN_END; 2];
        graph.out_arcs(vertex).len() == 2 && (variables.ends_are_alike || !is_end)
    };
    // Between two of different prizes the better one ends the chain.
    let is_inside = |vertex: u32| {
        let mut others = graph.out_arcs(vertex).iter().map(|arc| arc.target).filter(|&other| may_be_inside(other));
        may_be_inside(vertex) && others.all(|other| variables.prizes(other) >= variables.prizes(vertex))
    };
    let walk = Walk {
        vertices: variables.vertices(),
        edges: variables.edges(),
        arcs: |vertex| graph.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
        is_inside,
        goes_on: |_, _| true,
    };
    let is_foldable = |chain: &Chain| {
        let [a, b] = chain.ends;
        let Some(&some) = chain.inside.first() else { return false };
        let [inside, _] = variables.prizes(some);
        if inside == NOT_AN_END {
            return true;
        }
        let weights: SmallVec<[i64; 8]> = chain.edges.iter().map(|&edge| graph.weight(edge)).collect();
        let (first, last) = (weights[0], weights[weights.len() - 1]);
        let between = weights[1..weights.len() - 1].iter().min();
        let may_end_beyond = [(a, first), (b, last)].into_iter().any(|(vertex, weight)| {
            let [beyond, _] = variables.prizes(vertex);
            between.is_none_or(|&least| weight <= least && beyond >= inside)
        });
        weights.iter().all(|&weight| weight >= 0) && may_end_beyond
    };
    let mut chains = walk.chains().between;
    chains.retain(is_foldable);
    chains
}
