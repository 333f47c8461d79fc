//! Random graphs of points in the unit square.

use rand::{Rng, RngExt};

use super::random::check_nodes;
use super::{MOST_EDGES, NoSuchGraph, check, graph};
use crate::io::GraphFile;

/// A point.
type Place = [f64; 2];

/// Points sorted into square cells, for finding those near each other.
struct Cells {
    side: usize,
    cells: Vec<Vec<u32>>,
}

impl Cells {
    /// Cells no smaller than `reach`, and no more of them than points.
    fn new(places: &[Place], reach: f64) -> Self {
        let most = (places.len() as f64).sqrt().ceil();
        let side = (1.0 / reach).floor().min(most).max(1.0) as usize;
        let mut cells = Cells { side, cells: vec![Vec::new(); side * side] };
        for (&place, point) in places.iter().zip(0..) {
            let cell = cells.cell(place);
            cells.cells[cell[1] * side + cell[0]].push(point);
        }
        cells
    }

    fn cell(&self, place: Place) -> [usize; 2] {
        place.map(|value| ((value * self.side as f64) as usize).min(self.side - 1))
    }

    /// Whoever lies in this cell or one at most `rings` away.
    fn around(&self, place: Place, rings: usize) -> impl Iterator<Item = usize> {
        let [column, row] = self.cell(place);
        let last = self.side - 1;
        let range = move |at: usize| at.saturating_sub(rings)..=(at + rings).min(last);
        let cells = range(row).flat_map(move |row| range(column).map(move |column| row * self.side + column));
        cells.flat_map(|cell| self.cells[cell].iter().map(|&point| point as usize))
    }
}

/// A random geometric graph: `n` points in the unit square, joined where they are no farther from each other than `radius` (E. N.
/// Gilbert, *Random plane networks*, Journal of the SIAM 9, 1961, DOI 10.1137/0109045).
///
/// # Errors
/// Unless 1 ≤ n ≤ 10⁷, `radius` is from 0 to 2, and there are 10⁸ edges at most.
pub fn geometric(n: usize, radius: f64, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    const FAMILY: &str = "a geometric graph";
    check_nodes(FAMILY, n)?;
    check((0.0..=2.0).contains(&radius), FAMILY, "a radius from 0 to 2", || radius.to_string())?;
    let expected = (n as f64).powi(2) / 2.0 * (std::f64::consts::PI * radius * radius).min(1.0);
    check(expected <= MOST_EDGES as f64, FAMILY, format!("{MOST_EDGES} edges at most"), || {
        format!("about {expected:.0}")
    })?;
    let places = points(n, rng);
    let cells = Cells::new(&places, radius.max(1e-9));
    let near = |one: usize| {
        let (places, cells) = (&places, &cells);
        let others = cells.around(places[one], 1).filter(move |&two| two > one);
        let mut others: Vec<usize> =
            others.filter(|&two| square_of_distance(places[one], places[two]) <= radius * radius).collect();
        others.sort_unstable();
        others.into_iter().map(move |two| (one, two))
    };
    Ok(placed(graph(n, (0..n).flat_map(near).collect::<Vec<_>>()), places))
}

/// A random planar graph, drawn without crossings: of `n` points in the unit square, pairs near each other are joined from the
/// shortest to the longest wherever that crosses no edge before (the greedy triangulation, of each point and those around
/// it), and of these edges the share `density` is kept at random.
///
/// # Errors
/// Unless 1 ≤ n ≤ 10⁷ and `density` is a probability.
pub fn planar(n: usize, density: f64, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    const NEAREST: usize = 14;
    const FAMILY: &str = "a planar graph";
    check_nodes(FAMILY, n)?;
    check((0.0..=1.0).contains(&density), FAMILY, "a density from 0 to 1", || density.to_string())?;
    let places = points(n, rng);
    let cells = Cells::new(&places, (n as f64).sqrt().recip());
    let mut pairs: Vec<(f64, usize, usize)> = Vec::with_capacity(n * NEAREST);
    for one in 0..n {
        let mut near: Vec<(f64, usize)> = Vec::new();
        let mut rings = 2;
        while near.len() < NEAREST.min(n - 1) {
            let others = cells.around(places[one], rings).filter(|&two| two != one);
            near = others.map(|two| (square_of_distance(places[one], places[two]), two)).collect();
            rings *= 2;
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(NEAREST);
        pairs.extend(near.into_iter().map(|(distance, two)| (distance, one.min(two), one.max(two))));
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs.dedup_by_key(|pair| (pair.1, pair.2));

    let mut drawn = vec![Vec::new(); cells.side * cells.side];
    let mut edges = Vec::new();
    for (_, one, two) in pairs {
        let [a, b] = [cells.cell(places[one]), cells.cell(places[two])];
        let touched = || {
            let rows = a[1].min(b[1])..=a[1].max(b[1]);
            rows.flat_map(|row| (a[0].min(b[0])..=a[0].max(b[0])).map(move |column| row * cells.side + column))
        };
        let crosses = |&(three, four): &(usize, usize)| {
            ![three, four].iter().any(|end| [one, two].contains(end))
                && cross(places[one], places[two], places[three], places[four])
        };
        if touched().any(|cell| drawn[cell].iter().any(crosses)) {
            continue;
        }
        touched().for_each(|cell| drawn[cell].push((one, two)));
        edges.push((one, two));
    }
    edges.sort_unstable();
    edges.retain(|_| rng.random_bool(density));
    Ok(placed(graph(n, edges), places))
}

/// Whether two segments cross or touch.
fn cross(a: Place, b: Place, c: Place, d: Place) -> bool {
    let side = |p: Place, q: Place, r: Place| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

fn points(n: usize, rng: &mut impl Rng) -> Vec<Place> {
    (0..n).map(|_| [rng.random::<f64>(), rng.random::<f64>()]).collect()
}

fn square_of_distance(one: Place, two: Place) -> f64 {
    (one[0] - two[0]).powi(2) + (one[1] - two[1]).powi(2)
}

fn placed(mut file: GraphFile, places: Vec<Place>) -> GraphFile {
    file.coordinates = Some(places);
    file
}
