//! From the best complete state back to the path.
//!
//! A sweep keeps its layers as long as they fit in their share of the memory; then only every second of them, and so on.
//! Going back, the layer before a known state is searched for a state that leads to it with the right value; where it was
//! not kept it is made again from the last one kept, under the target that is now known. States on a best path survive
//! every filter below its value, with the same values, so the replay finds what the sweep found.

use super::advance::LayerExpander;
use super::chains::{Chain, Core, UseKind};
use super::completion_bounds::CompletionBounds;
use super::expander::{BATCH, Expand, Expander};
use super::filter::Filter;
use super::guided::GuidedExpander;
use super::kernel::{Key, Role, Signature};
use super::layer::{Finish, Layer};
use super::plan::{Choice, Item, Op, Plan, Step, Way};
use crate::instance::{Budget, Ends, Instance};
use crate::solution::Stop;

/// Some layers of a sweep, each with the number of steps before it; the first is always kept.
pub(super) struct Checkpoints<S> {
    kept: Vec<(usize, Layer<S>)>,
    stride: usize,
    pub(super) bytes: usize,
    limit: usize,
}

impl<S: Key> Checkpoints<S> {
    pub(super) fn new(limit: usize) -> Self {
        Checkpoints { kept: Vec::new(), stride: 1, bytes: 0, limit }
    }

    /// Keeps a layer, or gives it back.
    pub(super) fn keep(&mut self, position: usize, mut layer: Layer<S>) -> Option<Layer<S>> {
        if !position.is_multiple_of(self.stride) {
            return Some(layer);
        }
        layer.shrink();
        self.bytes += layer.bytes();
        self.kept.push((position, layer));
        while self.bytes > self.limit && self.kept.len() > 1 {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|(position, _)| position.is_multiple_of(stride));
            self.bytes = self.kept.iter().map(|(_, layer)| layer.bytes()).sum();
        }
        None
    }

    /// Makes the layers again from the last one kept up to `position`, and keeps as many as fit; this one in any case.
    fn refill(&mut self, position: usize, replay: &mut Replay<'_, '_, S>) -> Result<(), Stop> {
        let (base, mut layer) = self.kept.last().cloned().expect("the first layer is always kept");
        let before = self.kept.len();
        let mut stride = 1;
        for at in base + 1..=position {
            let next = replay.step(at - 1, &layer, self.bytes)?;
            layer = next;
            if at == position || (at - base).is_multiple_of(stride) {
                self.bytes += layer.bytes();
                self.kept.push((at, layer.clone()));
            }
            while self.bytes > self.limit && self.kept.len() > before + 1 && at < position {
                stride *= 2;
                let mut index = 0;
                self.kept.retain(|(at, _)| {
                    index += 1;
                    index <= before || (at - base).is_multiple_of(stride)
                });
                self.bytes = self.kept.iter().map(|(_, layer)| layer.bytes()).sum();
            }
        }
        Ok(())
    }
}

/// What is needed to make a layer again.
pub(super) struct Replay<'r, 'a, S> {
    pub(super) plan: &'a Plan,
    pub(super) completion_bounds: CompletionBounds<'r>,
    /// One less than the value of the path that is sought.
    pub(super) target: i64,
    pub(super) layer_expander: LayerExpander<'a, S, GuidedExpander<S>>,
    pub(super) held: usize,
    pub(super) budget: &'a Budget,
}

impl<S: Key> Replay<'_, '_, S> {
    fn step(&mut self, step: usize, layer: &Layer<S>, held: usize) -> Result<Layer<S>, Stop> {
        let layer_bounds = self.completion_bounds.at(step + 1, self.target, self.budget, Vec::new())?;
        let filter = layer_bounds.filter(self.target);
        Ok(self.layer_expander.advance(layer, &self.plan.steps[step], filter, self.held + held)?.0)
    }

    /// The choices of every step that lead to the finish, which step `last` completed, the last step first.
    pub(super) fn choices(
        &mut self,
        mut checkpoints: Checkpoints<S>,
        last: usize,
        finish: Finish<S>,
    ) -> Result<Vec<(usize, Vec<Choice>)>, Stop> {
        let steps = &self.plan.steps;
        let (mut state, mut value) = (finish.parent, finish.parent_value);
        let mut choices = vec![(last, retrace(self.plan, &steps[last], state, value, None, finish.value))];
        for step in (0..last).rev() {
            while checkpoints.kept.last().is_some_and(|&(position, _)| position > step) {
                let (_, layer) = checkpoints.kept.pop().expect("one is there");
                checkpoints.bytes -= layer.bytes();
            }
            if checkpoints.kept.last().is_none_or(|&(position, _)| position < step) {
                checkpoints.refill(step, self)?;
            }
            let (_, layer) = checkpoints.kept.last().expect("the layer was kept or made again");
            let (parent, parent_value) = self.parent(layer, &steps[step], state, value)?;
            choices.push((step, retrace(self.plan, &steps[step], parent, parent_value, Some(state), value)));
            (state, value) = (parent, parent_value);
        }
        Ok(choices)
    }

    /// A state of the layer from which the step leads to the given one with the given value.
    pub(super) fn parent(&self, layer: &Layer<S>, step: &Step, state: S, value: i64) -> Result<(S, i64), Stop> {
        // Slots that the step leaves alone are of the same kind before and after it, whatever their mates are.
        let left_alone =
            Signature::of_slots(!step.closing().iter().fold(step.touched(), |bits, closing| bits | closing));
        let kept = state.signature().and(left_alone);
        let mut expander = Expander::new();
        let mut alike: Vec<(S, i64)> = Vec::new();
        for count in layer.shards_before(step, state.signature()) {
            let (states, values) = layer.shard(count);
            for (number, (states, values)) in states.chunks(BATCH).zip(values.chunks(BATCH)).enumerate() {
                let all = states.iter().copied().zip(values.iter().copied());
                alike.clear();
                alike.extend(all.filter(|(parent, _)| parent.signature().and(left_alone) == kept));
                let mut from = None;
                let leads = |next: &Item<S>| {
                    if next.state == state && next.value == value {
                        from = from.or(Some(next.from));
                    }
                };
                expander.expand(self.plan, step, &Filter::none(), alike.iter().copied(), leads, |_, _| {});
                if let Some(from) = from {
                    return Ok(alike[from as usize]);
                }
                if (number + count) % 16 == 15
                    && let Some(stop) = self.budget.spent()
                {
                    return Err(stop);
                }
            }
        }
        unreachable!("every state of a layer has a parent in the layer before")
    }
}

/// The choices with which a step leads from one state to another (or, without one, to a complete path) at that value.
pub(super) fn retrace<S: Key>(
    plan: &Plan,
    step: &Step,
    state: S,
    value: i64,
    to: Option<S>,
    to_value: i64,
) -> Vec<Choice> {
    let leads = |way: &Way<S>| way.to == to && way.value == to_value;
    plan.ways(step, state, value).into_iter().find(leads).expect("the step leads there").choices
}

/// The path (or cycle) that the choices make.
pub(super) fn assemble(instance: &Instance, core: &Core, plan: &Plan, choices: &[(usize, Vec<Choice>)]) -> Vec<u32> {
    let mut taken = Taken { links: Vec::new(), ends: Vec::new() };
    for (step, choices) in choices {
        for (op, &choice) in plan.steps[*step].ops.iter().zip(choices) {
            match op {
                Op::Pin { vertex, role, .. } => taken.end(core, core.vertices[*vertex as usize], *role),
                Op::Finish { vertex, role, .. } if choice > 0 => {
                    taken.end(core, core.vertices[*vertex as usize], *role);
                }
                Op::Leave { vertex, ends, .. } if choice > 0 => {
                    let (_, role) = ends[choice as usize - 1];
                    taken.end(core, core.vertices[*vertex as usize], role);
                }
                Op::Chain { chain, uses, .. } if choice > 0 => {
                    taken.chain(core, &core.chains[*chain as usize], uses[choice as usize - 1].1)
                }
                Op::Pair { chains, .. } if choice > 0 => {
                    taken.chain(core, &core.chains[chains[choice as usize - 1] as usize], UseKind::Full)
                }
                Op::Finish { .. } | Op::Leave { .. } | Op::Chain { .. } | Op::Pair { .. } | Op::Close { .. } => {}
            }
        }
    }
    let n = instance.graph.vertex_count();
    let mut neighbours = vec![[u32::MAX; 2]; n];
    for &(a, b) in &taken.links {
        for (from, to) in [(a, b), (b, a)] {
            let slots = &mut neighbours[from as usize];
            slots[usize::from(slots[0] != u32::MAX)] = to;
        }
    }
    let mut path = Vec::with_capacity(taken.links.len() + 1);
    let start = match instance.ends {
        Ends::Open { .. } => {
            let role = |wanted: Role| taken.ends.iter().find(|(_, role)| *role == wanted);
            role(Role::First).or(role(Role::Either)).expect("a path has ends").0
        }
        Ends::Closed { .. } => taken.links[0].0,
    };
    let (mut before, mut at) = (u32::MAX, start);
    loop {
        path.push(at);
        let [one, other] = neighbours[at as usize];
        let next = if one == before { other } else { one };
        if next == u32::MAX || next == start {
            break;
        }
        (before, at) = (at, next);
    }
    path
}

/// The edges and ends of a path, in no order.
struct Taken {
    /// Pairs of vertices of the instance.
    links: Vec<(u32, u32)>,
    ends: Vec<(u32, Role)>,
}

impl Taken {
    fn along(&mut self, stops: impl Iterator<Item = u32>) -> u32 {
        let stops: Vec<u32> = stops.collect();
        self.links.extend(stops.windows(2).map(|pair| (pair[0], pair[1])));
        stops[stops.len() - 1]
    }

    /// A path ends at this vertex of the instance, with what was folded into it.
    fn end(&mut self, core: &Core, vertex: u32, role: Role) {
        let last = self.along(std::iter::once(vertex).chain(core.tail(vertex, role)));
        self.ends.push((last, role));
    }

    fn chain(&mut self, core: &Core, chain: &Chain, kind: UseKind) {
        let (a, b) = (core.vertices[chain.a as usize], core.vertices[chain.b as usize]);
        let from_a = |count: usize| std::iter::once(a).chain(chain.interior[..count].iter().copied());
        let from_b = |count: usize| std::iter::once(b).chain(chain.interior.iter().rev().take(count).copied());
        match kind {
            UseKind::Full => {
                self.along(from_a(chain.interior.len()).chain([b]));
            }
            UseKind::DipA(role, count) => {
                let stop = self.along(from_a(count as usize));
                self.end(core, stop, role);
            }
            UseKind::DipB(role, count) => {
                let stop = self.along(from_b(count as usize));
                self.end(core, stop, role);
            }
            UseKind::Dips(role_a, count_a, role_b, count_b) => {
                self.chain(core, chain, UseKind::DipA(role_a, count_a));
                self.chain(core, chain, UseKind::DipB(role_b, count_b));
            }
        }
    }
}
