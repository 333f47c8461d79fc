//! The fragments of the path: maximal segments of chosen edges, by their ends, with the way back.

use super::literal::Var;

/// No edge.
pub(super) const NONE: Var = Var::MAX;

/// An edge that was added.
#[derive(Clone, Copy, Debug)]
struct Join {
    edge: Var,
    /// How far fragments had been told of the trail.
    told: usize,
    /// The ends of the fragment it made, or `None` where it closed a cycle.
    made: Option<(u32, u32)>,
}

/// The fragments.
#[derive(Clone, Debug)]
pub(super) struct Fragments {
    is_directed: bool,
    /// For an end of a fragment the other end; a vertex without chosen edges is both.
    mate: Vec<u32>,
    /// For an end of a fragment how many vertices it has. Inside of fragments both stay as they were before.
    size: Vec<u32>,
    /// The chosen edges of each vertex, in the order of choice; where directed the one out and the one in.
    links: Vec<[Var; 2]>,
    joins: Vec<Join>,
}

impl Fragments {
    pub(super) fn new(vertices: usize, is_directed: bool) -> Self {
        Fragments {
            is_directed,
            mate: (0..vertices as u32).collect(),
            size: vec![1; vertices],
            links: vec![[NONE; 2]; vertices],
            joins: Vec::new(),
        }
    }

    /// How many vertices the fragment has that ends here.
    pub(super) fn size(&self, end: u32) -> u32 {
        self.size[end as usize]
    }

    /// The other end of the fragment that ends here; a vertex without chosen edges is both.
    pub(super) fn mate(&self, end: u32) -> u32 {
        self.mate[end as usize]
    }

    /// The vertices between the two ends of the fragment that ends here.
    pub(super) fn inside<'f>(&'f self, end: u32, ends: &'f [[u32; 2]]) -> impl Iterator<Item = u32> + 'f {
        let (stop, mut vertex, mut came_by) = (self.mate(end), end, NONE);
        std::iter::from_fn(move || {
            let [one, other] = self.links[vertex as usize];
            came_by = if one == NONE || one == came_by { other } else { one };
            let [tail, head] = *ends.get(came_by as usize)?;
            vertex = if tail == vertex { head } else { tail };
            (vertex != stop).then_some(vertex)
        })
    }

    /// The chosen edges of a vertex.
    pub(super) fn links(&self, vertex: u32) -> [Var; 2] {
        self.links[vertex as usize]
    }

    /// Adds an edge, both of whose ends are ends of fragments, after being told of so much of the trail. Returns the ends of
    /// the fragment it makes, or `None` where it closes a cycle.
    pub(super) fn join(&mut self, edge: Var, [tail, head]: [u32; 2], told: usize) -> Option<(u32, u32)> {
        let (from, to) = (self.mate[tail as usize], self.mate[head as usize]);
        for (vertex, is_tail) in [(tail, true), (head, false)] {
            let links = &mut self.links[vertex as usize];
            let place = if self.is_directed { !is_tail } else { links[0] != NONE };
            links[usize::from(place)] = edge;
        }
        let made = (from != head).then_some((from, to));
        if made.is_some() {
            let size = self.size[from as usize] + self.size[to as usize];
            for (end, other) in [(from, to), (to, from)] {
                self.mate[end as usize] = other;
                self.size[end as usize] = size;
            }
        }
        self.joins.push(Join { edge, told, made });
        made
    }

    /// The edge that was added last, if that was after being told of more than so much of the trail.
    pub(super) fn last_after(&self, told: usize) -> Option<Var> {
        self.joins.last().filter(|join| join.told > told).map(|join| join.edge)
    }

    /// Takes the edge that was added last back.
    pub(super) fn part(&mut self, [tail, head]: [u32; 2]) {
        let Some(Join { edge, made, .. }) = self.joins.pop() else { return };
        for vertex in [tail, head] {
            let links = &mut self.links[vertex as usize];
            let place = usize::from(links[1] == edge);
            links[place] = NONE;
        }
        let Some((from, to)) = made else { return };
        for (end, joint) in [(from, tail), (to, head)] {
            self.mate[end as usize] = joint;
            self.size[end as usize] = if end == joint { 1 } else { self.size[joint as usize] };
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.mate.len() * (4 + 4 + 8 + 32)
    }
}
