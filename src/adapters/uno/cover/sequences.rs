//! From trails to cards in order.
//!
//! The odd vertices of a component are paired, but for two, by edges that are not there; then it is one trail, found by
//! Hierholzer's method (*Über die Möglichkeit, einen Linienzug ohne Wiederholung und ohne Unterbrechung zu umfahren*,
//! Mathematische Annalen 6, 1873), and falls apart where those edges are taken away again. Along each trail the cards that are
//! not traversed are played where it first stands at their number or colour.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::root::Root;
use super::sweep::Choice;

/// An edge of F: between two vertices, a card or nothing.
struct Link {
    ends: [u32; 2],
    card: Option<u32>,
}

pub(super) fn sequences(root: &Root, choice: &Choice) -> Vec<Vec<usize>> {
    let mut links: Vec<Link> = Vec::new();
    let mut played = FixedBitSet::new();
    for (bundle, &used) in root.bundles.iter().zip(&choice.used) {
        for &card in &bundle.cards[..used as usize] {
            links.push(Link { ends: bundle.ends, card: Some(card) });
        }
        for &card in &bundle.cards {
            played.grow(card as usize + 1);
        }
    }
    links.iter().filter_map(|link| link.card).for_each(|card| played.insert(card as usize));
    pair_odd_vertices(&mut links, &choice.visited);

    let mut told = FixedBitSet::with_capacity(choice.visited.len());
    let mut sequences = Vec::new();
    for walk in walks(&links, &choice.visited) {
        let mut sequence: Vec<usize> = Vec::new();
        for (vertex, left_by) in walk {
            if !told.put(vertex as usize) {
                for &card in
                    root.around[vertex as usize].iter().flat_map(|&bundle| &root.bundles[bundle as usize].cards)
                {
                    if !played.put(card as usize) {
                        sequence.push(card as usize);
                    }
                }
            }
            match left_by.map(|link| links[link as usize].card) {
                Some(Some(card)) => sequence.push(card as usize),
                Some(None) => sequences.push(std::mem::take(&mut sequence)),
                None => {}
            }
        }
        sequences.push(sequence);
    }
    // A vertex all of whose cards are played elsewhere makes nothing.
    sequences.retain(|sequence| !sequence.is_empty());
    sequences
}

/// Adds a link without a card between the second and third odd vertex of each component, the fourth and fifth, and so on.
fn pair_odd_vertices(links: &mut Vec<Link>, visited: &FixedBitSet) {
    let mut degree = vec![0u32; visited.len()];
    let mut sets = UnionFind::new(visited.len());
    for link in links.iter() {
        let [one, two] = link.ends;
        degree[one as usize] += 1;
        degree[two as usize] += 1;
        sets.union(one, two);
    }
    let odd = (0..visited.len() as u32).filter(|&vertex| degree[vertex as usize] % 2 == 1);
    let mut odd: Vec<(u32, u32)> = odd.map(|vertex| (sets.find_mut(vertex), vertex)).collect();
    odd.sort_unstable();
    for component in odd.chunk_by(|one, two| one.0 == two.0) {
        for pair in component[1..component.len() - 1].chunks_exact(2) {
            links.push(Link { ends: [pair[0].1, pair[1].1], card: None });
        }
    }
}

/// A walk through each component that uses every link once: its vertices, each with the link it is left by.
fn walks(links: &[Link], visited: &FixedBitSet) -> Vec<Vec<(u32, Option<u32>)>> {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); visited.len()];
    for (link, number) in links.iter().zip(0..) {
        link.ends.iter().for_each(|&end| around[end as usize].push(number));
    }
    let mut gone = FixedBitSet::with_capacity(links.len());
    let mut stood_at = FixedBitSet::with_capacity(visited.len());
    // Odd vertices come first, so that a walk begins at one where there is one.
    let mut starts: Vec<u32> = visited.ones().map(|vertex| vertex as u32).collect();
    starts.sort_by_key(|&vertex| around[vertex as usize].len().is_multiple_of(2));
    let mut walks = Vec::new();
    for start in starts {
        if stood_at[start as usize] {
            continue;
        }
        let mut open = vec![(start, None)];
        let mut backwards = Vec::new();
        while let Some(&(vertex, entered_by)) = open.last() {
            stood_at.insert(vertex as usize);
            let Some(link) = around[vertex as usize].pop() else {
                backwards.push((vertex, entered_by));
                open.pop();
                continue;
            };
            if !gone.put(link as usize) {
                let [one, two] = links[link as usize].ends;
                open.push((if one == vertex { two } else { one }, Some(link)));
            }
        }
        // Read backwards, the link a vertex was entered by is the one by which the next was left, and that is this walk.
        let walk = (0..backwards.len()).map(|at| (backwards[at].0, backwards[at].1));
        walks.push(walk.collect());
    }
    walks
}
