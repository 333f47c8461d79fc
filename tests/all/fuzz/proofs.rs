//! The checker of proofs on what is nearly a proof: it never accepts what is false, and never does more than the text is worth.

use longhaul_check::graph::{Graph, ReadOptions};
use longhaul_check::{Limits, check};

use super::{changed_texts, corpus, fuzz, longest_by_sets};
use crate::proofs::brute_force;
use crate::support::{Ends, Small};

/// The graphs that the proofs of the corpus are about: those in `NAME.path.proof`, for one, about `NAME.gr`.
fn graph_of(files: &[(String, Vec<u8>)], name: &str) -> (Graph, Small) {
    let graph = format!("{}.gr", name.split('.').next().expect("a name"));
    let text = &files.iter().find(|(other, _)| *other == graph).expect("the graph of a proof").1;
    let graph = Graph::read(&graph, text, &ReadOptions::default()).expect("a graph that can be read");
    let edges = graph.edges.iter().map(|edge| (edge.0 as usize, edge.1 as usize, edge.2)).collect();
    let small = Small { nodes: graph.n, directed: graph.directed, edges };
    (graph, small)
}

#[test]
fn a_changed_proof_proves_nothing_false() {
    let files = corpus("proofs");
    let proofs: Vec<_> = files.iter().filter(|(name, _)| !name.ends_with(".gr")).cloned().collect();
    fuzz(1500, &changed_texts(proofs), |proof| {
        let (graph, small) = graph_of(&files, &proof.name);
        let verdict = match check(&graph, &proof.bytes[..], &Limits::default()) {
            Ok(verdict) => verdict,
            Err(why) => return assert!(!why.is_empty() && proof.is_changed, "{why}"),
        };
        // Of a proof in bytes it is not plain what it asks after a change; there it must only be a proof.
        let optimum = match std::str::from_utf8(&proof.bytes) {
            Ok(text) if proof.name.ends_with(".txt") => brute_force(&small, text),
            _ if !proof.is_changed => {
                longest_by_sets(&small, Ends { closed: proof.name.contains(".cycle."), ..Ends::FREE })
            }
            _ => return,
        };
        assert!(verdict.path <= optimum && optimum <= verdict.bound, "{verdict}, and {optimum:?} is the truth");
    });
}
