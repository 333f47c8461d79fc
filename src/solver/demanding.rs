//! A longest path with demands: prizes and musts fold into weights, which every engine knows; hops and chords go to the
//! frontier-based search, with what is known without them for a bound.

use super::folding::{Folded, fold};
use super::reading::{Question, Reading};
use super::{check_sieve, solution};
use crate::decompose::VertexOrder;
use crate::engine::Engine;
use crate::error::Error;
use crate::instance::{Ends, Monitor, Run, Scale};
use crate::options::Options;
use crate::solution::{Path, Solution, Stop};
use crate::strategy::{self, sweep};
use crate::view::InputGraph;

/// Up to so many predicted states the search with hops is tried before anything else.
const FEW_STATES: f64 = 1e6;

/// What share of the time the question without hops may take.
const SHARE_WITHOUT_HOPS: f64 = 0.5;

/// What is known so far, in worths.
struct Known {
    /// The edges of the best path and its worth; none of a single vertex.
    best: Option<(Shape, i64)>,
    upper: i64,
    stop: Option<Stop>,
}

/// A path before it is told in the caller's ids.
enum Shape {
    Lone(u32),
    Edges(Vec<u32>),
}

/// Answers a question with demands.
pub(super) fn solve<G: InputGraph>(
    question: &Question<'_, '_, G>,
    options: &Options,
    mut run: Run<'_>,
) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
    let reading = question.read()?;
    let demands = question.demands;
    let hops = demands.at_least.is_some() || demands.at_most.is_some();
    let engine = options.engine.engine();
    if (hops || demands.induced) && !matches!(engine, Engine::Auto | Engine::Frontier) {
        return Err(Error::request(
            format!("the engine '{engine}' with a number of edges or without chords"),
            "only 'auto' and 'frontier' know of these",
        ));
    }
    let lone = reading.lone().map(|(vertex, worth)| (Shape::Lone(vertex), worth));
    let floor = lone.as_ref().map_or(i64::MIN, |&(_, worth)| worth);
    let known = if reading.only_lone() {
        run.enter(Engine::Auto, "auto: no path with an edge can be an answer".to_owned());
        Known { best: None, upper: i64::MIN, stop: None }
    } else if demands.induced {
        induced(&reading, floor, &mut run)
    } else if hops {
        with_hops(&reading, floor, options, &mut run)?
    } else {
        folded(&reading, floor, options, &mut run)?
    };
    let Known { best, upper, stop } = known;
    let best = match (best, lone) {
        (Some(best), Some(lone)) => Some(if best.1 >= lone.1 { best } else { lone }),
        (best, lone) => best.or(lone),
    };
    let worth = best.as_ref().map_or(i64::MIN, |&(_, worth)| worth);
    let upper = upper.max(worth);
    if worth > i64::MIN {
        run.incumbent(worth);
    }
    run.bound(upper);
    let path: Option<Path<_, _>> = best.map(|(shape, worth)| match shape {
        Shape::Lone(vertex) => reading.lone_path(vertex, worth),
        Shape::Edges(edges) => reading.path(&edges, worth),
    });
    if let Some(path) = &path {
        question.check(path);
    }
    Ok(solution(path, upper, stop, run))
}

/// Prizes and musts as weights.
fn folded<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    floor: i64,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<Known, Error> {
    let Some(Folded { instance, edge_from_edge, scale }) = fold(reading) else {
        run.note("demands: prizes and musts are too large to be weights".to_owned());
        let order = sweep::order_for(&reading.asked, run);
        return Ok(swept(reading, &order, floor, reading.most, run));
    };
    check_sieve(options.engine.engine(), &instance.graph)?;
    run.measure(scale);
    let outcome = strategy::solve(&instance, options, run);
    run.measure(Scale::PLAIN);
    let best = outcome.best.and_then(|(vertices, value)| {
        let worth = scale.worth(value)?;
        let shape = match vertices[..] {
            [vertex] => Shape::Lone(vertex),
            _ => {
                let mut edges: Vec<u32> = instance.graph.edges_along(&vertices).collect();
                if let Ends::Closed { .. } = instance.ends {
                    let closing = instance.graph.edge_between(vertices[vertices.len() - 1], vertices[0]);
                    edges.push(closing.expect("a cycle closes"));
                }
                Shape::Edges(edges.iter().map(|&edge| edge_from_edge[edge as usize]).collect())
            }
        };
        Some((shape, worth))
    });
    Ok(Known { best, upper: scale.bound(outcome.upper), stop: outcome.stop })
}

/// A number of edges: the question without it first, whose answer may do, unless all is settled faster.
fn with_hops<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    floor: i64,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<Known, Error> {
    let demands = &reading.asked.demands;
    let order = sweep::order_for(&reading.asked, run);
    let most = demands.at_most.unwrap_or(demands.at_least).min(reading.asked.vertex_count as u32);
    if order.predicted_states() * f64::from(most) < FEW_STATES {
        return Ok(swept(reading, &order, floor, reading.most, run));
    }
    run.note("hops: first without a number of edges, for a bound".to_owned());
    // The incumbents of that search need not be answers.
    let mut aside = run.aside();
    aside.budget = run.budget.share(SHARE_WITHOUT_HOPS);
    let without = folded(reading, floor, options, &mut aside)?;
    run.absorb(aside);
    if without.upper == i64::MIN {
        return Ok(without);
    }
    let fits = |edges: &[u32]| {
        edges.len() >= demands.at_least as usize && demands.at_most.is_none_or(|most| edges.len() <= most as usize)
    };
    match &without.best {
        Some((Shape::Edges(edges), worth)) if fits(edges) && *worth >= without.upper => return Ok(without),
        _ => {}
    }
    run.bound(without.upper.max(floor));
    Ok(swept(reading, &order, floor, without.upper, run))
}

/// The frontier-based search, which knows all demands.
fn swept<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    order: &VertexOrder,
    floor: i64,
    upper: i64,
    run: &mut Run<'_>,
) -> Known {
    let mut upper = upper.max(floor);
    let (best, stop) = sweep::best_path(&reading.asked, order, floor, &mut upper, run);
    Known { best: best.map(|(edges, worth)| (Shape::Edges(edges), worth)), upper, stop }
}

fn induced<N: Copy, E: Copy>(reading: &Reading<N, E>, floor: i64, run: &mut Run<'_>) -> Known {
    let asked = &reading.asked;
    let (graph, edge_from_edge) = asked.simple_graph();
    let mut demands = asked.demands.clone();
    // Between two vertices that are taken the edge is used as well.
    let used = asked.edges.iter().zip(&demands.use_edges).filter(|(_, must)| **must);
    let ends: Vec<u32> = used.flat_map(|(&(source, target, _), _)| [source, target]).collect();
    demands.visit.extend(ends);
    let mut upper = reading.most.max(floor);
    let (best, stop) = sweep::best_induced(&graph, &demands, floor, &mut upper, run);
    let edges_among = |vertices: &[u32]| {
        let mut taken = vec![false; asked.vertex_count];
        vertices.iter().for_each(|&vertex| taken[vertex as usize] = true);
        let among = graph.edges().iter().zip(&edge_from_edge);
        let among = among.filter(|(edge, _)| taken[edge.source as usize] && taken[edge.target as usize]);
        among.map(|(_, &edge)| edge).collect()
    };
    Known { best: best.map(|(vertices, worth)| (Shape::Edges(edges_among(&vertices)), worth)), upper, stop }
}
