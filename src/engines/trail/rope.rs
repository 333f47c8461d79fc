//! Lists of edges that are joined in one step and share their parts: folds pass on what belongs to a vertex as often as there
//! are vertices, and copying it each time would cost the square of the graph.

/// A list that is not empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rope(u32);

#[derive(Clone, Copy, Debug)]
enum Part {
    Edge(u32),
    Joined(Rope, Rope),
}

/// The parts of all lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Ropes(Vec<Part>);

impl Ropes {
    pub(super) fn of_edge(&mut self, edge: u32) -> Rope {
        self.add(Part::Edge(edge))
    }

    pub(super) fn joined(&mut self, one: Rope, two: Rope) -> Rope {
        self.add(Part::Joined(one, two))
    }

    /// The edges of a list. Linear in their number.
    pub(super) fn edges(&self, rope: Rope) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut left = vec![rope];
        while let Some(Rope(part)) = left.pop() {
            match self.0[part as usize] {
                Part::Edge(edge) => edges.push(edge),
                Part::Joined(one, two) => left.extend([two, one]),
            }
        }
        edges
    }

    fn add(&mut self, part: Part) -> Rope {
        self.0.push(part);
        Rope(u32::try_from(self.0.len() - 1).expect("a few parts for each edge"))
    }
}
