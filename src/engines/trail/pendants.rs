//! Prizes for the first and the last edge of a path, as trails see them.
//!
//! In the notation of the theorem, let e1 … ek be a path of L(H) with k ≥ 2, and s(1), …, s(k−1) the vertices of its trail. No
//! s(i) comes before s(1), so e1 is not traversed; nor is ek. So the path is a trail from a = s(1) to b = s(k−1) with two *tips*:
//! edges that it does not traverse, e at a and f at b, which are not the same. Conversely, a trail from a to b (which may be
//! the same, and the trail a single vertex) and such tips make a path with all edges that meet the trail, if e is told first
//! and f last. So with prizes *the best path is the best trail with two tips*, worth what the trail meets and what the tips
//! earn. Each tip counts as half an edge at its vertex; then all degrees are even, and that is all there is to be known of ends.
//!
//! Parallel edges, and the edges that only count at one vertex (loops, and those to idle leaves), make a *place* each. Of the edges
//! of a place only the two best firsts and the two best lasts can be of use: two different ones of them are as good as
//! any two.

use fixedbitset::FixedBitSet;

use super::bundle::{Bundle, Ends, Trail};
use crate::instance::NOT_AN_END;
use crate::top_two::keep_top_two;

/// An edge of the root that a path may begin or end with.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendantEdge {
    pub(super) edge: u32,
    pub(super) first: i64,
    pub(super) last: i64,
}

/// The best that a place has to offer: one tip of either kind, or both at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) first: Option<(i64, u32)>,
    pub(super) last: Option<(i64, u32)>,
    pub(super) both: Option<(i64, [u32; 2])>,
}

/// All tips of a core, by place: bundles, then vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct PendantEdges {
    starts: Vec<u32>,
    list: Vec<PendantEdge>,
    offers: Vec<Offer>,
    /// Whether every tip earns as much at the beginning as at the end, so that all paths may be turned round.
    pub(super) is_symmetric: bool,
    /// The best first, the best last, and the best two at once; [`NOT_AN_END`] if there are none.
    pub(super) best_first: i64,
    pub(super) best_last: i64,
    pub(super) best_both: i64,
    /// No two tips at once earn less.
    pub(super) least_both: i64,
}

impl PendantEdges {
    /// The tips at so many places; `pendants` names the place of each.
    pub(super) fn new(places: usize, mut pendants: Vec<(u32, PendantEdge)>) -> Self {
        pendants.retain(|(_, pendant)| pendant.first != NOT_AN_END || pendant.last != NOT_AN_END);
        pendants.sort_by_key(|&(place, pendant)| (place, pendant.edge));
        let mut made =
            PendantEdges { starts: vec![0], best_first: NOT_AN_END, best_last: NOT_AN_END, ..PendantEdges::default() };
        let mut rest = &pendants[..];
        for place in 0..places as u32 {
            let (here, after) = rest.split_at(rest.partition_point(|&(other, _)| other == place));
            rest = after;
            let here: Vec<PendantEdge> = here.iter().map(|&(_, pendant)| pendant).collect();
            made.list.extend(useful(here));
            made.starts.push(made.list.len() as u32);
        }
        let offers = (0..places as u32).map(|place| offer(made.at(place))).collect();
        made.offers = offers;
        let all = offer(&useful(made.list.clone()));
        made.is_symmetric = made.list.iter().all(|pendant| pendant.first == pendant.last);
        let least =
            |prize: fn(&PendantEdge) -> i64| made.list.iter().map(prize).filter(|&prize| prize != NOT_AN_END).min();
        made.least_both = least(|pendant| pendant.first).unwrap_or(0) + least(|pendant| pendant.last).unwrap_or(0);
        made.best_first = all.first.map_or(NOT_AN_END, |(value, _)| value);
        made.best_last = all.last.map_or(NOT_AN_END, |(value, _)| value);
        made.best_both = all.both.map_or(NOT_AN_END, |(value, _)| value);
        made
    }

    pub(super) fn at(&self, place: u32) -> &[PendantEdge] {
        &self.list[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }

    pub(super) fn offer(&self, place: u32) -> &Offer {
        &self.offers[place as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.list.len() * size_of::<PendantEdge>() + self.offers.len() * (size_of::<Offer>() + 4)
    }

    /// What the tips still missing can earn at most, if some can.
    pub(super) fn most_missing(&self, has_first: bool, has_last: bool) -> i64 {
        match (has_first, has_last) {
            (true, true) => 0,
            (true, false) => self.best_last,
            (false, true) => self.best_first,
            (false, false) => self.best_both,
        }
    }
}

/// The two best firsts and the two best lasts.
fn useful(pendants: Vec<PendantEdge>) -> Vec<PendantEdge> {
    if pendants.len() <= 2 {
        return pendants;
    }
    let mut kept: Vec<PendantEdge> = Vec::new();
    for prize in [|pendant: &PendantEdge| pendant.first, |pendant: &PendantEdge| pendant.last] {
        let mut order = pendants.clone();
        order.sort_by_key(|pendant| (std::cmp::Reverse(prize(pendant)), pendant.edge));
        for pendant in order.into_iter().take(2).filter(|pendant| prize(pendant) != NOT_AN_END) {
            if kept.iter().all(|other| other.edge != pendant.edge) {
                kept.push(pendant);
            }
        }
    }
    kept
}

fn offer(pendants: &[PendantEdge]) -> Offer {
    let allowed = |prize: i64| prize != NOT_AN_END;
    let best = |prize: fn(&PendantEdge) -> i64| {
        pendants
            .iter()
            .filter(|pendant| allowed(prize(pendant)))
            .map(|pendant| (prize(pendant), pendant.edge))
            .max_by_key(|&(prize, _)| prize)
    };
    let pairs = pendants.iter().flat_map(|one| pendants.iter().map(move |two| (one, two)));
    let both = pairs
        .filter(|(one, two)| one.edge != two.edge && allowed(one.first) && allowed(two.last))
        .map(|(one, two)| (one.first + two.last, [one.edge, two.edge]))
        .max_by_key(|&(worth, _)| worth);
    Offer { first: best(|pendant| pendant.first), last: best(|pendant| pendant.last), both }
}

/// A tip that a trail could take, and what it excludes: no two tips of one group go together.
#[derive(Clone, Copy)]
struct Chance {
    prize: i64,
    edge: u32,
    group: (bool, u32),
}

/// The best and the best of another group.
#[derive(Clone, Copy, Default)]
struct BestOfGroups([Option<Chance>; 2]);

impl BestOfGroups {
    fn add(&mut self, chance: Chance) {
        let [best, second] = &mut self.0;
        match best {
            Some(best) if best.group == chance.group => {
                if chance.prize > best.prize {
                    *best = chance;
                }
            }
            _ => keep_top_two([best, second], Some(chance), |known| known.map(|known| known.prize)),
        }
    }
}

/// The vertices with an odd number of bundles that are traversed once.
pub(super) fn odd_vertices(vertex_count: usize, bundles: &[Bundle], uses: &[u8]) -> FixedBitSet {
    let mut odd = FixedBitSet::with_capacity(vertex_count);
    for (bundle, _) in bundles.iter().zip(uses).filter(|&(_, &uses)| uses == 1) {
        bundle.ends.iter().for_each(|&end| odd.toggle(end as usize));
    }
    odd
}

impl PendantEdges {
    /// The best two tips for a trail without any, where its odd vertices let it end, or anywhere if it is closed: `O(n + m)`.
    pub(super) fn best_for<'c>(
        &self,
        trail: &Trail,
        bundles: &[Bundle],
        arcs: impl Fn(u32) -> &'c [(u32, u32)],
        visited: &FixedBitSet,
    ) -> Option<Ends> {
        let odd = odd_vertices(visited.len(), bundles, &trail.uses);
        let odd: Vec<u32> = odd.ones().map(|vertex| vertex as u32).collect();
        let mut best: Option<(i64, Ends)> = None;
        let mut offer = |from: u32, to: u32| {
            let firsts = self.chances(from, trail, bundles, &arcs, |pendant| pendant.first);
            let lasts = self.chances(to, trail, bundles, &arcs, |pendant| pendant.last);
            for one in firsts.0.into_iter().flatten() {
                for two in lasts.0.into_iter().flatten().filter(|two| two.group != one.group) {
                    if best.is_none_or(|(worth, _)| one.prize + two.prize > worth) {
                        best = Some((one.prize + two.prize, [(from, one.edge), (to, two.edge)]));
                    }
                }
            }
        };
        match odd[..] {
            [one, two] => {
                offer(one, two);
                offer(two, one);
            }
            [] => visited.ones().map(|vertex| vertex as u32).for_each(|it| offer(it, it)),
            _ => {}
        }
        best.map(|(_, ends)| ends)
    }

    /// The best tips of one kind at a vertex. Where a bundle has but one edge to spare, it makes one group.
    fn chances<'c>(
        &self,
        vertex: u32,
        trail: &Trail,
        bundles: &[Bundle],
        arcs: &impl Fn(u32) -> &'c [(u32, u32)],
        prize: fn(&PendantEdge) -> i64,
    ) -> BestOfGroups {
        let mut two = BestOfGroups::default();
        let mut add = |place: u32, is_single: bool| {
            for pendant in self.at(place).iter().filter(|pendant| prize(pendant) != NOT_AN_END) {
                let group = if is_single { (true, place) } else { (false, pendant.edge) };
                two.add(Chance { prize: prize(pendant), edge: pendant.edge, group });
            }
        };
        add(bundles.len() as u32 + vertex, false);
        for &(_, bundle) in arcs(vertex) {
            let spare = bundles[bundle as usize].count - u32::from(trail.uses[bundle as usize]);
            if spare > 0 {
                add(bundle, spare == 1);
            }
        }
        two
    }
}
