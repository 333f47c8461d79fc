//! Models of towns: grids with gaps and bends, and with one-way streets.

use rand::{Rng, RngExt};

use super::boards::grid;
use super::{MOST_NODES, NoSuchGraph, check, graph};
use crate::io::GraphFile;

/// Country roads: the grid of so many rows and columns, in which each edge is missing with probability `missing`, and each that
/// is there has a node in its middle with probability `bends`. The nodes of bends come last, each between its neighbours; parts may
/// come apart.
///
/// # Errors
/// Unless there is a crossing, there are 10⁷ nodes at most, and both are probabilities.
pub fn roads(
    rows: usize,
    columns: usize,
    missing: f64,
    bends: f64,
    rng: &mut impl Rng,
) -> Result<GraphFile, NoSuchGraph> {
    const FAMILY: &str = "a net of roads";
    check_probabilities(FAMILY, [missing, bends], "two shares from 0 to 1, of missing roads and of bends")?;
    let whole = grid(rows, columns)?;
    let [crossings, ways] = [whole.graph.node_count(), whole.graph.edge_count()];
    check(crossings + ways <= MOST_NODES, FAMILY, format!("{MOST_NODES} crossings and bends at most"), || {
        format!("up to {}", crossings + ways)
    })?;
    let mut places = whole.coordinates.clone().expect("a grid has places");
    let mut edges = Vec::with_capacity(ways);
    for (one, two) in ends(&whole) {
        if rng.random_bool(missing) {
            continue;
        }
        if !rng.random_bool(bends) {
            edges.push((one, two));
            continue;
        }
        let [a, b] = [places[one], places[two]];
        let bend = places.len();
        places.push([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]);
        edges.extend([(one, bend), (bend, two)]);
    }
    let mut roads = graph(places.len(), edges);
    roads.coordinates = Some(places);
    Ok(roads)
}

/// Streets of a town: a directed grid of so many rows and columns, in which each street is missing with probability `missing`,
/// and one of the others leads both ways, or with probability `one_way` only one, either as likely.
///
/// # Errors
/// Unless there is a crossing, there are 10⁷ at most, and both are probabilities.
pub fn streets(
    rows: usize,
    columns: usize,
    missing: f64,
    one_way: f64,
    rng: &mut impl Rng,
) -> Result<GraphFile, NoSuchGraph> {
    const FAMILY: &str = "a grid of streets";
    check_probabilities(FAMILY, [missing, one_way], "two shares from 0 to 1, of missing and of one-way streets")?;
    let whole = grid(rows, columns)?;
    let mut arcs = Vec::with_capacity(2 * whole.graph.edge_count());
    for (one, two) in ends(&whole) {
        if rng.random_bool(missing) {
            continue;
        }
        let leads_one_way = rng.random_bool(one_way);
        let is_turned = leads_one_way && rng.random_bool(0.5);
        if !is_turned {
            arcs.push((one, two));
        }
        if !leads_one_way || is_turned {
            arcs.push((two, one));
        }
    }
    let mut streets = graph(whole.graph.node_count(), arcs);
    streets.directed = true;
    streets.coordinates = whole.coordinates;
    Ok(streets)
}

/// What the edges of a graph join.
fn ends(file: &GraphFile) -> impl Iterator<Item = (usize, usize)> {
    file.graph.raw_edges().iter().map(|edge| (edge.source().index(), edge.target().index()))
}

fn check_probabilities(family: &'static str, shares: [f64; 2], needs: &str) -> Result<(), NoSuchGraph> {
    let holds = shares.iter().all(|share| (0.0..=1.0).contains(share));
    check(holds, family, needs, || format!("{} and {}", shares[0], shares[1]))
}

#[cfg(test)]
mod tests {
    use petgraph::graph::NodeIndex;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn shares_say_what_is_there() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let counts = |file: &GraphFile| (file.graph.node_count(), file.graph.edge_count());
        let grid = super::grid(6, 5).expect("a grid");
        let (n, m) = counts(&grid);
        assert_eq!(counts(&roads(6, 5, 0.0, 0.0, &mut rng).expect("roads")), (n, m));
        assert_eq!(counts(&roads(6, 5, 0.0, 1.0, &mut rng).expect("roads")), (n + m, 2 * m));
        assert_eq!(counts(&roads(6, 5, 1.0, 1.0, &mut rng).expect("roads")), (n, 0));
        assert_eq!(counts(&streets(6, 5, 0.0, 0.0, &mut rng).expect("streets")), (n, 2 * m));
        assert_eq!(counts(&streets(6, 5, 0.0, 1.0, &mut rng).expect("streets")), (n, m));
        assert_eq!(counts(&streets(6, 5, 1.0, 0.0, &mut rng).expect("streets")), (n, 0));
    }

    #[test]
    fn bends_lie_between_neighbours() {
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        let file = roads(8, 7, 0.3, 0.5, &mut rng).expect("roads");
        let places = file.coordinates.as_ref().expect("places");
        assert_eq!(places.len(), file.graph.node_count());
        for edge in file.graph.raw_edges() {
            let [a, b] = [places[edge.source().index()], places[edge.target().index()]];
            let distance = (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
            assert!(distance == 1.0 || distance == 0.5, "{a:?} {b:?}");
        }
        for bend in 56..file.graph.node_count() {
            assert_eq!(file.graph.neighbors_undirected(NodeIndex::new(bend)).count(), 2);
        }
    }
}
