//! One map, many questions: prizes, stops that have to be made, so many roads, how many longest ways there are and which, and
//! the longest way that may come back to a town but to no road.

use longhaul::{LongestPath, LongestTrail, Status};
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};

fn main() -> Result<(), longhaul::Error> {
    // 0 ─ 1 ─ 2 ─ 3
    // │   │   │   │
    // 4 ─ 5 ─ 6 ─ 7
    let roads = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 4), (1, 5), (2, 6), (3, 7)];
    let map = UnGraph::<(), ()>::from_edges(roads);
    let node = NodeIndex::new;

    let sights = [0, 9, 0, 1, 0, 0, 4, 0];
    let tour = LongestPath::new(&map).prizes(|town| sights[town.index()]).at_most(3).solve()?;
    println!("at most three roads, and what there is to see: {tour}");
    assert_eq!(tour.length(), Some(3 + 9 + 4)); // 1 ─ 2 ─ 6 and one more

    let errand = LongestPath::new(&map).from(node(0)).to(node(7)).visit([node(4)]).avoid_edges([EdgeIndex::new(4)]);
    println!("from 0 to 7 by way of 4, not along 5 ─ 6: {}", errand.solve()?);

    let nowhere =
        LongestPath::new(&map).from(node(0)).to(node(1)).use_edges([EdgeIndex::new(0)]).at_least(2).solve()?;
    println!("from 0 to 1 along the road between them, and yet longer: {nowhere}");
    assert_eq!(nowhere.status(), Status::Infeasible);

    let counts = LongestPath::new(&map).distribution()?;
    let by_length = counts.by_length().iter().map(|(length, count)| format!("{count} of {length}"));
    println!("paths: {}", by_length.collect::<Vec<_>>().join(", "));
    let all = LongestPath::new(&map).all()?;
    assert_eq!(Some(all.count().into()), counts.count());
    for path in LongestPath::new(&map).from(node(0)).best(2)? {
        println!("one of the best two from 0: {:?}", path.nodes());
    }

    let snake = LongestPath::new(&map).induced().solve()?;
    println!("without shortcuts: {snake}");

    let trail = LongestTrail::new(&map).solve()?;
    println!("no road twice: {trail}, by {} stops", trail.path().map_or(0, <[_]>::len));
    assert_eq!(trail.length(), Some(9)); // four towns are odd, so one road is left out
    Ok(())
}
