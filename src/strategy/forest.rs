//! An instance solved block by block, on its block-cut forest.
//!
//! A path meets every block in one segment, if at all, and its blocks form a path of the tree. So, with the forest hung
//! from its roots, a path has a topmost place: either a cut vertex, where two *tails* from different blocks meet (or one
//! tail ends), or the inside of one block, whose segment goes on into a tail at each of its two ends. A tail at `v` is
//! what a path can still earn below `v`: the prize for ending there, or a segment through one of the blocks that hang
//! from `v` and a tail where that segment ends. Hence at most two solves a block, three where directions differ:
//!
//! - *down*: the best segment from the block's parent vertex to any other, plus the tail there (out of the parent, and
//!   into it, which are the same where the graph is undirected and both ends earn alike);
//! - *through*: the best segment between two vertices below the parent, plus both tails.
//!
//! Edges that are blocks need no solver, so trees take linear time. Fixed ends need nothing special: a fixed first vertex
//! is the root, and where no tail can end, nothing is solved; with both ends fixed only the blocks between them are.
//!
//! A block whose promise (a bound on every path through it) can't beat the best path so far is passed over.
//!
//! Each block has its share of the time. Where one needs more, and the others leave time over, all is done once more,
//! with the best path so far to beat, and the time shared among the blocks that needed more.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::block_bounds::BlockBounds;
use super::parts::{Gathered, Shares, lifted};
use super::scope::{Context, Scope, Scoped};
use super::tails::{Tail, Tails};
use super::{block_solver, line};
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
use crate::reduce::Reduction;
use crate::reduce::blocks::{BlockForest, NO_BLOCK};
use crate::solution::Stop;
use crate::view::IsOver;

/// Which way a tail is walked: from its top out to the last vertex, or from the first vertex in to its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Way {
    Out,
    In,
}

/// The shape of a path: where it is topmost.
enum Top {
    /// The tails that meet at a vertex.
    Vertex { vertex: u32, into: Tail, out: Tail },
    /// A segment inside one block.
    Segment(Vec<u32>),
}

/// Solves an open instance on its block-cut forest; only paths worth more than `floor` matter.
pub(super) fn solve(instance: &Instance, floor: i64, context: &Context, scope: Scope, run: &mut Run<'_>) -> Outcome {
    if !context.reductions.has(Reduction::Blocks) {
        return block_solver::solve(instance, floor, 1.0, context, scope, run);
    }
    let Ends::Open { first, .. } = &instance.ends else { unreachable!("a closed piece has no tails") };
    let Some(mut forest) = well_hung_forest(instance, first, &mut || run.budget.spent().is_some()) else {
        return Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(floor, instance.trivial_bound()) };
    };
    let mut laborious: Vec<u32> = (0..forest.len() as u32).filter(|&block| forest.block(block).len() > 2).collect();
    let mut answer = Outcome::nothing_above(floor, i64::MAX);
    loop {
        let floor = answer.best.as_ref().map_or(floor, |(_, value)| *value);
        let mut solver = Solver::new(instance, forest, laborious, floor, context, scope);
        let outcome = solver.solve(run);
        answer.best = outcome.best.or(answer.best);
        answer.upper = outcome.upper.min(answer.upper);
        answer.stop = outcome.stop;
        answer.steps += outcome.steps;
        answer.peak_bytes = answer.peak_bytes.max(outcome.peak_bytes);
        let lower = answer.best.as_ref().map_or(floor, |(_, value)| *value);
        if solver.cut_short.is_empty() || answer.upper <= lower || run.budget.spent().is_some() {
            return answer;
        }
        (laborious, forest) = (solver.cut_short, solver.forest);
        laborious.sort_unstable();
        laborious.dedup();
        run.note(format!("blocks: {} again, since time is left", laborious.len()));
    }
}

/// Hangs the forest from the vertex where a fixed path must begin, else from inside the largest block, where the most
/// expensive solve is then made once. `None` if `is_over` says so.
fn well_hung_forest(instance: &Instance, first: &[i64], is_over: IsOver<'_>) -> Option<BlockForest> {
    let n = instance.graph.vertex_count() as u32;
    let mut beginnings = (0..n).filter(|&vertex| first[vertex as usize] != NOT_AN_END);
    if let (Some(only), None) = (beginnings.next(), beginnings.next()) {
        return BlockForest::hang_unless(&instance.graph, std::iter::once(only), is_over);
    }
    let forest = BlockForest::hang_unless(&instance.graph, 0..n, is_over)?;
    let Some(largest) = forest.largest() else { return Some(forest) };
    let members = forest.block(largest);
    if members.len() == 2 || forest.home(members[0]) == NO_BLOCK && members.len() as u32 == n {
        return Some(forest);
    }
    let mut hangs_below = FixedBitSet::with_capacity(n as usize);
    for block in 0..forest.len() as u32 {
        hangs_below.insert(forest.parent(block) as usize);
    }
    match members[1..].iter().find(|&&vertex| !hangs_below[vertex as usize]) {
        Some(&root) => BlockForest::hang_unless(&instance.graph, std::iter::once(root).chain(0..n), is_over),
        None => Some(forest),
    }
}

struct Solver<'a> {
    instance: &'a Instance,
    context: &'a Context,
    scope: Scope,
    forest: BlockForest,
    out: Tails,
    /// `None`: the same as `out`.
    into: Option<Tails>,
    /// The segments down through blocks of more than two vertices, from the parent (`Out`) or to it (`In`).
    segments: HashMap<(u32, Way), Vec<u32>>,
    scratch: Vec<u32>,
    gathered: Gathered<Top>,
    shares: Shares,
    /// The blocks that share the time, ascending.
    laborious: Vec<u32>,
    /// The blocks that their share of the time was too short for.
    cut_short: Vec<u32>,
    /// Why all must end now.
    stop: Option<Stop>,
}

impl<'a> Solver<'a> {
    /// The time is to be shared among the laborious blocks (ascending).
    fn new(
        instance: &'a Instance,
        forest: BlockForest,
        laborious: Vec<u32>,
        floor: i64,
        context: &'a Context,
        scope: Scope,
    ) -> Self {
        let Ends::Open { first, last, .. } = &instance.ends else { unreachable!("a closed piece has no tails") };
        let symmetric = !instance.graph.is_directed() && first == last;
        Solver {
            instance,
            context,
            scope,
            out: Tails::new(last),
            into: (!symmetric).then(|| Tails::new(first)),
            segments: HashMap::new(),
            scratch: vec![u32::MAX; instance.graph.vertex_count()],
            gathered: Gathered::above(floor),
            shares: Shares::among(laborious.iter().map(|&block| forest.block(block).len())),
            laborious,
            cut_short: Vec::new(),
            stop: None,
            forest,
        }
    }

    fn solve(&mut self, run: &mut Run<'_>) -> Outcome {
        self.try_single_vertices(run);
        let block_bounds = BlockBounds::new(self.instance, &self.forest);
        self.bound(block_bounds.whole().max(self.best_value()), run);

        let sole_blocks = self.sole_blocks_of_roots();
        let mut through: Vec<(i64, u32)> = Vec::new();
        for block in 0..self.forest.len() as u32 {
            if self.stop.is_none() && block % 4096 == 0 {
                self.stop = run.budget.spent();
            }
            if self.forest.block(block).len() == 2 {
                self.down_along_edge(block, run);
                continue;
            }
            let under_root_alone = sole_blocks.binary_search(&block).is_ok();
            if !under_root_alone {
                self.down(block, &block_bounds, run);
            }
            through.push((self.through_bound(block, under_root_alone, &block_bounds), block));
        }

        through.sort_unstable_by_key(|&(bound, block)| (std::cmp::Reverse(bound), block));
        for next in 0..through.len() {
            let (bound, block) = through[next];
            let rest = through.get(next + 1).map_or(i64::MIN, |&(bound, _)| bound);
            let rest = rest.max(self.gathered.unseen()).max(self.best_value());
            self.bound(bound.max(rest), run);
            if bound <= self.best_value() {
                break;
            }
            let under_root_alone = sole_blocks.binary_search(&block).is_ok();
            let upper = self.through(block, under_root_alone, bound, rest, run);
            if upper > self.best_value() {
                self.gathered.leave(upper);
            }
        }

        let gathered = std::mem::replace(&mut self.gathered, Gathered::above(i64::MIN));
        let lower = gathered.lower();
        let mut outcome = gathered.outcome(i64::MIN, |top| self.unfold(top), run);
        outcome.upper = outcome.upper.min(block_bounds.whole()).max(lower);
        if outcome.upper == lower {
            outcome.stop = None;
        }
        outcome
    }

    /// The blocks that are alone under a root and have more than two vertices, ascending: there, `through` lets the path
    /// end at the root as well, and no `down` is needed.
    fn sole_blocks_of_roots(&self) -> Vec<u32> {
        let mut count: HashMap<u32, (usize, u32)> = HashMap::new();
        for &root in self.forest.roots() {
            count.insert(root, (0, NO_BLOCK));
        }
        for block in 0..self.forest.len() as u32 {
            if let Some(entry) = count.get_mut(&self.forest.parent(block)) {
                *entry = (entry.0 + 1, block);
            }
        }
        let alone = |&(blocks, block): &(usize, u32)| blocks == 1 && self.forest.block(block).len() > 2;
        let mut blocks: Vec<u32> = count.into_values().filter(alone).map(|(_, block)| block).collect();
        blocks.sort_unstable();
        blocks
    }

    fn try_single_vertices(&mut self, run: &mut Run<'_>) {
        let Ends::Open { first, last, single_vertex: true } = &self.instance.ends else { return };
        let own = |prizes: &[i64], vertex: usize| Tail { value: prizes[vertex], block: NO_BLOCK };
        for vertex in 0..first.len() {
            if first[vertex] != NOT_AN_END
                && last[vertex] != NOT_AN_END
                && first[vertex] + last[vertex] > self.best_value()
            {
                let top = Top::Vertex { vertex: vertex as u32, into: own(first, vertex), out: own(last, vertex) };
                self.record(top, first[vertex] + last[vertex], run);
            }
        }
    }

    fn tails(&self, way: Way) -> &Tails {
        match way {
            Way::Out => &self.out,
            Way::In => self.into.as_ref().unwrap_or(&self.out),
        }
    }

    fn ways(&self) -> &'static [Way] {
        if self.into.is_some() { &[Way::Out, Way::In] } else { &[Way::Out] }
    }

    fn best_value(&self) -> i64 {
        self.gathered.lower()
    }

    fn record(&mut self, top: Top, value: i64, run: &mut Run<'_>) {
        self.gathered.best = Some((top, value));
        Scoped { run, scope: self.scope }.incumbent(value);
    }

    fn bound(&self, upper: i64, run: &mut Run<'_>) {
        Scoped { run, scope: self.scope }.bound(upper);
    }

    /// A new tail at a vertex: it may join a tail of another block there, and later blocks may join it.
    fn add_tail(&mut self, way: Way, vertex: u32, tail: Tail, run: &mut Run<'_>) {
        let other_way = if way == Way::Out { Way::In } else { Way::Out };
        let other = self.tails(other_way).best_through_another(vertex, tail.block);
        if other.value != NOT_AN_END && tail.value + other.value > self.best_value() {
            let (into, out) = if way == Way::Out { (other, tail) } else { (tail, other) };
            self.record(Top::Vertex { vertex, into, out }, tail.value + other.value, run);
        }
        let tails = if way == Way::In { self.into.as_mut().unwrap_or(&mut self.out) } else { &mut self.out };
        tails.add(vertex, tail);
    }

    fn down_along_edge(&mut self, block: u32, run: &mut Run<'_>) {
        let (parent, child) = (self.forest.block(block)[0], self.forest.block(block)[1]);
        for &way in self.ways() {
            let below = self.tails(way).best(child).value;
            let (source, target) = if way == Way::Out { (parent, child) } else { (child, parent) };
            if below != NOT_AN_END
                && let Some(edge) = self.instance.graph.edge_between(source, target)
            {
                let value = below + self.instance.graph.weight(edge);
                self.add_tail(way, parent, Tail { value, block }, run);
            }
        }
    }

    /// Finds the tails through a block at its parent.
    fn down(&mut self, block: u32, block_bounds: &BlockBounds, run: &mut Run<'_>) {
        for &way in self.ways() {
            let members = self.forest.block(block);
            let parent = members[0];
            let tails: Vec<i64> = members.iter().map(|&vertex| self.tails(way).best(vertex).value).collect();
            if tails[1..].iter().all(|&tail| tail == NOT_AN_END) {
                continue;
            }
            // Beside this segment and what lies below it, a path can earn no more than `elsewhere`.
            let elsewhere = block_bounds.elsewhere(parent, block);
            let floor = match self.best_value() {
                i64::MIN => i64::MIN,
                best => best.saturating_sub(elsewhere),
            };
            if self.stop.is_some() || block_bounds.down(block) <= floor {
                if block_bounds.down(block) > floor {
                    self.gathered.leave(block_bounds.down(block).saturating_add(elsewhere));
                    self.down_somehow(way, block, run);
                }
                continue;
            }
            let mut only_parent = vec![NOT_AN_END; members.len()];
            only_parent[0] = 0;
            let mut below = tails;
            below[0] = NOT_AN_END;
            let (first, last) = if way == Way::Out { (only_parent, below) } else { (below, only_parent) };
            let outcome = self.solve_block(block, first, last, floor, Scope::Part, run);
            if outcome.stop.is_some() {
                self.gathered.leave(block_bounds.down(block).min(outcome.upper).saturating_add(elsewhere));
            }
            match outcome.best {
                Some((segment, value)) => self.add_stretch(way, block, segment, value, run),
                None if outcome.stop.is_some() => self.down_somehow(way, block, run),
                None => {}
            }
        }
    }

    fn add_stretch(&mut self, way: Way, block: u32, segment: Vec<u32>, value: i64, run: &mut Run<'_>) {
        self.segments.insert((block, way), segment);
        self.add_tail(way, self.forest.parent(block), Tail { value, block }, run);
    }

    /// A segment found by breadth-first search, to the best tail it reaches: where time is up, a poor path is better than
    /// none, unless the block is so large that even this takes long.
    fn down_somehow(&mut self, way: Way, block: u32, run: &mut Run<'_>) {
        const LARGEST: usize = 1 << 17;
        let members = self.forest.block(block);
        if members.len() > LARGEST {
            return;
        }
        let (mut graph, _) = self.instance.graph.induced(members, &mut self.scratch);
        if way == Way::In {
            graph = graph.reversed();
        }
        let mut came_from = vec![u32::MAX; members.len()];
        came_from[0] = 0;
        let mut queue = vec![0u32];
        let mut next = 0;
        while let Some(&vertex) = queue.get(next) {
            next += 1;
            for arc in graph.out_arcs(vertex) {
                if came_from[arc.target as usize] == u32::MAX {
                    came_from[arc.target as usize] = vertex;
                    queue.push(arc.target);
                }
            }
        }
        let tail = |vertex: u32| self.tails(way).best(members[vertex as usize]).value;
        let Some(mut vertex) = queue[1..].iter().copied().max_by_key(|&vertex| tail(vertex)) else { return };
        let below = tail(vertex);
        if below == NOT_AN_END {
            return;
        }
        let mut segment = vec![vertex];
        while vertex != 0 {
            vertex = came_from[vertex as usize];
            segment.push(vertex);
        }
        segment.reverse();
        let value = below + graph.length_along(&segment);
        if way == Way::In {
            segment.reverse();
        }
        let segment = segment.into_iter().map(|vertex| members[vertex as usize]).collect();
        self.add_stretch(way, block, segment, value, run);
    }

    /// No path whose topmost place is inside the block is worth more than this.
    fn through_bound(&self, block: u32, with_parent: bool, block_bounds: &BlockBounds) -> i64 {
        let members = self.forest.block(block);
        let ends = if with_parent { members } else { &members[1..] };
        let best = |way| ends.iter().map(|&vertex| self.tails(way).best(vertex).value).max().unwrap_or(NOT_AN_END);
        let (into, out) = (best(Way::In), best(Way::Out));
        if into == NOT_AN_END || out == NOT_AN_END { i64::MIN } else { into + out + block_bounds.gains_inside(members) }
    }

    /// Finds the best path whose topmost place is inside the block. Returns a bound on all such paths.
    fn through(&mut self, block: u32, with_parent: bool, bound: i64, rest: i64, run: &mut Run<'_>) -> i64 {
        if self.stop.is_some() {
            self.through_somehow(block, with_parent, run);
            return bound;
        }
        let members = self.forest.block(block);
        let ends = |way| -> Vec<i64> {
            let mut ends: Vec<i64> = members.iter().map(|&vertex| self.tails(way).best(vertex).value).collect();
            if !with_parent {
                ends[0] = NOT_AN_END;
            }
            ends
        };
        let (first, last) = (ends(Way::In), ends(Way::Out));
        let scope = match self.scope {
            Scope::Whole { rest: outside } => Scope::Whole { rest: rest.max(outside) },
            Scope::Part => Scope::Part,
        };
        let outcome = self.solve_block(block, first, last, self.best_value(), scope, run);
        match outcome.best {
            Some((segment, value)) => self.record(Top::Segment(segment), value, run),
            None if outcome.stop.is_some() => self.through_somehow(block, with_parent, run),
            None => {}
        }
        outcome.upper.min(bound)
    }

    /// Where no path is known yet, one that ends at the block's parent will do.
    fn through_somehow(&mut self, block: u32, with_parent: bool, run: &mut Run<'_>) {
        if with_parent && self.gathered.best.is_none() {
            self.down_somehow(Way::Out, block, run);
        }
    }

    /// The best segment of two vertices or more within a block, in vertices of the instance.
    fn solve_block(
        &mut self,
        block: u32,
        first: Vec<i64>,
        last: Vec<i64>,
        floor: i64,
        scope: Scope,
        run: &mut Run<'_>,
    ) -> Outcome {
        let members = self.forest.block(block);
        let is_over = &mut || run.budget.spent().is_some();
        let Some((graph, _)) = self.instance.graph.induced_unless(members, &mut self.scratch, is_over) else {
            self.stop = run.budget.spent();
            return Outcome { stop: self.stop, ..Outcome::nothing_above(floor, i64::MAX) };
        };
        let part = Instance { graph, ends: Ends::Open { first, last, single_vertex: false } };
        let mut share = 1.0;
        if self.laborious.binary_search(&block).is_ok() {
            share = self.shares.next(members.len());
        }
        let links = members.iter().map(|&vertex| self.instance.graph.out_arcs(vertex).len());
        let was_asked = self.context.components_were_asked && links.sum::<usize>() == 2 * part.graph.edge_count();
        let solve = if was_asked { block_solver::solve } else { line::solve_block };
        let orders = run.order_count();
        let mut outcome = solve(&part, floor, share, self.context, scope, run);
        run.rename_orders_after(orders, members);
        outcome.best = outcome.best.map(|(segment, value)| (lifted(segment, members), value));
        self.gathered.account(&outcome);
        if outcome.stop.is_some() {
            self.stop = run.budget.spent().or(self.stop);
            self.gathered.stopped(self.stop.or(outcome.stop));
            if outcome.stop == Some(Stop::TimeLimit) {
                self.cut_short.push(block);
            }
        }
        outcome
    }

    /// The whole path, from its topmost place down both tails.
    fn unfold(&self, top: Top) -> Vec<u32> {
        let (segment, into, out) = match top {
            Top::Vertex { vertex, into, out } => (vec![vertex], into, out),
            Top::Segment(segment) => {
                let into = self.tails(Way::In).best(segment[0]);
                let out = self.tails(Way::Out).best(segment[segment.len() - 1]);
                (segment, into, out)
            }
        };
        let mut path = Vec::new();
        self.follow(Way::In, segment[0], into, &mut path);
        path.reverse();
        path.extend_from_slice(&segment);
        self.follow(Way::Out, segment[segment.len() - 1], out, &mut path);
        path
    }

    /// Appends what lies below a vertex along a tail, from top to bottom.
    fn follow(&self, way: Way, top: u32, tail: Tail, path: &mut Vec<u32>) {
        let (mut vertex, mut tail) = (top, tail);
        while tail.block != NO_BLOCK {
            match *self.forest.block(tail.block) {
                [parent, child] => {
                    debug_assert_eq!(parent, vertex);
                    path.push(child);
                }
                _ => {
                    // Where both ways are the same, the segment out serves for both.
                    let stored = if self.into.is_some() { way } else { Way::Out };
                    let segment = &self.segments[&(tail.block, stored)];
                    match stored {
                        Way::Out => path.extend_from_slice(&segment[1..]),
                        Way::In => path.extend(segment.iter().rev().skip(1)),
                    }
                }
            }
            vertex = path[path.len() - 1];
            tail = self.tails(way).best(vertex);
        }
    }
}
