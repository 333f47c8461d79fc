//! The question, in the form that all steps share: columns, and rows that every path obeys.
//!
//! Every edge has a column (1 if the path uses it), every vertex one (1 if the path *visits* it), and every vertex one for
//! being the path's *start* and one for being its *finish*. Where the graph is undirected and both ends have the same
//! prizes, which end is which does not matter: then one column, the *tip*, says that the vertex is an end. A path is
//! worth the sum over its columns. Paths of a single vertex are looked at one by one at the beginning, and so are no matter
//! of rows: *every path below has an edge*, so its two ends differ.
//!
//! *Prizes* of vertices become weights. Where edges have a direction, an arc earns the prize of the vertex it leads to, and the start
//! its own. Else everything is doubled, an edge earns the prizes of both its vertices, an end its own: so every vertex of a
//! path earns its prize twice, by two edges, or an edge and an end, or two ends.

use crate::graph::{Graph, MOST_WEIGHT};
use crate::question::{Question, Sought};
use crate::token::Tokens;

/// Which values of a column are still open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Free,
    Zero,
    One,
    /// None: no path is left.
    Empty,
}

impl Range {
    /// The most that a column of this gain adds.
    pub(crate) fn best(self, gain: i128) -> i128 {
        match self {
            Range::Free => gain.max(0),
            Range::One => gain,
            Range::Zero | Range::Empty => 0,
        }
    }
}

/// What is asked of a graph.
pub(crate) struct Model {
    pub(crate) graph: Graph,
    pub(crate) closed: bool,
    /// The vertex that a cycle must visit.
    pub(crate) through: Option<u32>,
    /// What a path earns by its ends, where it may end; equal where they are alike.
    pub(crate) first: Vec<Option<i64>>,
    pub(crate) last: Vec<Option<i64>>,
    pub(crate) alike: bool,
    /// Twice what it is, where vertices have prizes.
    pub(crate) factor: i64,
    /// Whether this is about trails: the edges of `graph` are then in the order of the vertices of the graph that was asked about.
    pub(crate) trails: bool,
}

/// `Σ coefficient · x[column] ≤ most`, or `=`.
pub(crate) struct Row {
    pub(crate) entries: Vec<(u32, i32)>,
    pub(crate) most: i64,
    pub(crate) is_equation: bool,
}

impl Model {
    /// Reads the question, and holds it against the graph.
    pub(crate) fn read(graph: &Graph, tokens: &mut Tokens<'_>) -> Result<(Model, Question), String> {
        tokens.expect("graph")?;
        let (n, m) = (tokens.number()?, tokens.number()?);
        let directed = tokens.one_of(&["directed", "undirected"])? == "directed";
        let digest = tokens.number()?;
        let mut absent = vec![false; graph.n];
        if tokens.accept("without")? {
            tokens.vertices(graph.n)?.into_iter().for_each(|vertex| absent[vertex as usize] = true);
        }
        let graph = graph.within(|vertex| !absent[vertex as usize]);
        if (n, m, directed, digest) != (graph.n as i64, graph.edges.len() as i64, graph.directed, graph.digest()) {
            let told = format!("this is a proof about another graph: {n} vertices, {m} edges, digest {digest}");
            return Err(format!("{told}; here are {}, {}, {}", graph.n, graph.edges.len(), graph.digest()));
        }
        let has_prizes = tokens.accept("prizes")?;
        let prizes = if has_prizes { read_prizes(tokens, &absent)? } else { vec![None; graph.n] };
        let prizes: Vec<i64> = prizes.into_iter().map(Option::unwrap_or_default).collect();
        let closed = tokens.one_of(&["path", "cycle"])? == "cycle";
        let (mut through, mut ends) = (None, [vec![None; graph.n], vec![None; graph.n]]);
        if closed {
            through = tokens.optional_vertex(graph.n)?;
        } else {
            for (prizes, which) in ends.iter_mut().zip(["first", "last"]) {
                tokens.expect(which)?;
                *prizes = match tokens.one_of(&["all", "only"])? {
                    "all" => absent.iter().map(|absent| (!absent).then_some(0)).collect(),
                    _ => read_prizes(tokens, &absent)?,
                };
            }
        }
        let [first, last] = ends;
        let path = || Sought::Path { first: first.clone(), last: last.clone() };
        let sought = if closed { Sought::Cycle { through } } else { path() };
        let mut model = Model { graph, closed, through, first, last, alike: false, factor: 1, trails: false };
        model.find_alike();
        if has_prizes {
            model.earn(&prizes);
        }
        Ok((model, Question { absent, prizes, sought }))
    }

    /// Which end of a path is which does not matter where edges have no direction, and both earn the same.
    pub(crate) fn find_alike(&mut self) {
        self.alike = !self.graph.directed && !self.closed && self.first == self.last;
    }

    /// The same question about some vertices alone, with the edges between them.
    pub(crate) fn within(&self, is_there: impl Fn(u32) -> bool) -> Model {
        let kept = |prizes: &[Option<i64>]| (0..).zip(prizes).map(|(v, prize)| prize.filter(|_| is_there(v))).collect();
        let (first, last): (Vec<_>, Vec<_>) = (kept(&self.first), kept(&self.last));
        let mut model = Model { graph: self.graph.within(&is_there), first, last, ..*self };
        model.find_alike();
        model
    }

    /// The same question about a part and its holder alone, and which vertices these are, ascending: by their places there they are
    /// numbered. A cycle that must visit another one finds it without edges.
    pub(crate) fn among(&self, part: &[u32], holder: u32) -> (Model, Vec<u32>) {
        let mut vertices = [part, &[holder]].concat();
        vertices.extend(self.through);
        vertices.sort_unstable();
        vertices.dedup();
        let place = |vertex: u32| vertices.binary_search(&vertex).ok().map(|place| place as u32);
        let near = |vertex: u32| place(vertex).filter(|_| vertex == holder || part.binary_search(&vertex).is_ok());
        let around = part.iter().flat_map(|&vertex| &self.graph.around[vertex as usize]);
        let edges = around.map(|&(_, edge)| self.graph.edges[edge as usize]);
        let edges = edges.filter_map(|(u, v, weight)| Some((near(u)?, near(v)?, weight)));
        let graph = Graph::new(self.graph.directed, vertices.len(), edges);
        let pick = |prizes: &[Option<i64>]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect();
        let (first, last) = (pick(&self.first), pick(&self.last));
        let mut model = Model { graph, first, last, through: self.through.and_then(place), ..*self };
        model.find_alike();
        (model, vertices)
    }

    /// Makes prizes weights, and doubles everything where edges have no direction.
    fn earn(&mut self, prizes: &[i64]) {
        let back = i64::from(!self.graph.directed);
        self.factor = 1 + back;
        for (u, v, weight) in &mut self.graph.edges {
            *weight = self.factor * *weight + prizes[*v as usize] + back * prizes[*u as usize];
        }
        for ((first, last), prize) in self.first.iter_mut().zip(&mut self.last).zip(prizes) {
            *first = first.map(|first| self.factor * first + prize);
            *last = last.map(|last| self.factor * last + back * prize);
        }
    }

    /// What a list of different vertices is worth, if it is a path (or cycle) that is asked for.
    pub(crate) fn value(&self, path: &[u32]) -> Result<i64, String> {
        let (from, to) = (path[0], path[path.len() - 1]);
        let mut value = 0;
        let back = self.closed.then_some((to, from));
        for (u, v) in path.windows(2).map(|pair| (pair[0], pair[1])).chain(back) {
            let Some(edge) = self.graph.edge(u, v) else {
                return Err(format!("the path goes from {} to {}, and there is no such edge", u + 1, v + 1));
            };
            value += i128::from(self.graph.edges[edge as usize].2);
        }
        if self.closed {
            if path.len() < self.fewest() {
                return Err("the cycle is too short".to_owned());
            }
            if self.through.is_some_and(|vertex| !path.contains(&vertex)) {
                return Err("the cycle misses the vertex that it must visit".to_owned());
            }
        } else {
            let prizes = self.first[from as usize].zip(self.last[to as usize]);
            let (first, last) = prizes.ok_or("the path ends where none may")?;
            value += i128::from(first) + i128::from(last);
        }
        i64::try_from(value).map_err(|_| "the path's value is beyond 64 bits".to_owned())
    }

    /// How many vertices a cycle, or a path with an edge, has at least.
    fn fewest(&self) -> usize {
        if self.closed && !self.graph.directed { 3 } else { 2 }
    }

    pub(crate) fn columns(&self) -> usize {
        self.graph.edges.len() * (1 + usize::from(self.trails)) + 3 * self.graph.n
    }

    pub(crate) fn visit(&self, vertex: u32) -> u32 {
        self.graph.edges.len() as u32 + vertex
    }

    /// The column of starting at a vertex; of having it for a tip, where ends are alike.
    pub(crate) fn start(&self, vertex: u32) -> u32 {
        self.visit(vertex) + self.graph.n as u32
    }

    pub(crate) fn finish(&self, vertex: u32) -> u32 {
        self.start(vertex) + self.graph.n as u32
    }

    /// The column of an edge's being lost, in trails.
    pub(crate) fn lost(&self, edge: u32) -> u32 {
        self.finish(edge) + self.graph.n as u32
    }

    /// What a trail that loses nothing is worth. A path has an edge less than vertices, which in trails are the edges that are met: all
    /// but those that are lost.
    pub(crate) fn constant(&self) -> i128 {
        let met = self.graph.edges.iter().map(|edge| i128::from(edge.2)).sum::<i128>();
        if self.trails { met - 1 } else { 0 }
    }

    /// What each column is worth.
    pub(crate) fn worths(&self) -> impl Iterator<Item = i128> {
        let edges = self.graph.edges.iter().map(|edge| if self.trails { 0 } else { edge.2 });
        let ends = self.first.iter().chain(&self.last).map(|prize| prize.unwrap_or(0));
        let lost = self.graph.edges.iter().filter(|_| self.trails).map(|edge| -edge.2);
        edges.chain(std::iter::repeat_n(0, self.graph.n)).chain(ends).chain(lost).map(i128::from)
    }

    /// What is open at the beginning: no path starts or finishes where it may not, and a cycle has no ends. Loops of a root are left
    /// out, and so is what is no edge of it. All paths below have an edge, so none visits a vertex without edges.
    pub(crate) fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Free; self.columns()];
        let mut close =
            |column: u32, is_closed| ranges[column as usize] = if is_closed { Range::Zero } else { Range::Free };
        (0..).zip(&self.graph.edges).for_each(|(edge, (u, v, _))| close(edge, u == v));
        for (vertex, around) in (0..).zip(&self.graph.around) {
            let (at, is_lonely) = (vertex as usize, around.is_empty());
            close(self.visit(vertex), is_lonely);
            close(self.start(vertex), is_lonely || self.first[at].is_none());
            close(self.finish(vertex), is_lonely || self.alike || self.last[at].is_none());
        }
        if let Some(vertex) = self.through {
            ranges[self.visit(vertex) as usize] = Range::One;
        }
        ranges
    }

    /// Reads the name of an edge: its number in a root, and else its ends.
    fn edge(&self, tokens: &mut Tokens<'_>) -> Result<u32, String> {
        if self.trails {
            return tokens.numbered(self.graph.edges.len(), "edge");
        }
        let (u, v) = (tokens.vertex(self.graph.n)?, tokens.vertex(self.graph.n)?);
        let missing = || tokens.wrong(format!("there is no edge {} {}", tokens.name(u), tokens.name(v)));
        self.graph.edge(u, v).map_or_else(missing, Ok)
    }

    /// Reads the name of a column.
    pub(crate) fn column(&self, tokens: &mut Tokens<'_>) -> Result<u32, String> {
        let n = self.graph.n;
        match tokens.word()? {
            "edge" => self.edge(tokens),
            "lost" if self.trails => Ok(self.lost(self.edge(tokens)?)),
            "visit" => Ok(self.visit(tokens.vertex(n)?)),
            "tip" if self.alike => Ok(self.start(tokens.vertex(n)?)),
            "start" if !self.alike => Ok(self.start(tokens.vertex(n)?)),
            "finish" if !self.alike => Ok(self.finish(tokens.vertex(n)?)),
            other => tokens.wrong(format!("there are no columns '{other}' here")),
        }
    }

    /// Reads a cut and makes it a row: a set, `visited outer count vertices`, the outer vertex 0 where there is none; or a blossom,
    /// `count vertices count columns`.
    ///
    /// A set: inside a path is nothing or some stretches, with an edge fewer than vertices each: so it has at least one edge fewer
    /// there than vertices if it visits this one. A cycle may be all inside; not if it visits the outer vertex: if both are visited
    /// there is one fewer, and else there are no more.
    ///
    /// A blossom: twice the edges inside, and those across and ends, are twice the vertices visited inside (`at` summed up). So twice
    /// (edges inside + teeth) is at most twice the vertices + the number of teeth; all but that number is even.
    ///
    /// Trails with the outside between their tips are closed. If the inside is visited, two cross its border. If all teeth are used,
    /// which are odd in number, so is another that crosses.
    pub(crate) fn read_cut(&self, kind: &str, tokens: &mut Tokens<'_>) -> Result<Row, String> {
        let (n, is_set) = (self.graph.n, kind == "set");
        let (mut visited, mut outer, mut teeth) = (None, None, Vec::new());
        if is_set {
            (visited, outer) = (Some(tokens.vertex(n)?), tokens.optional_vertex(n)?);
        }
        let mut inside = tokens.vertices(n)?;
        inside.sort_unstable();
        let is_inside = |vertex: u32| inside.binary_search(&vertex).is_ok();
        let is_sound = visited.is_none_or(is_inside) && outer.is_some() == (is_set && self.closed);
        if !is_sound || outer.is_some_and(is_inside) {
            return tokens.wrong("a set visits a vertex inside, and names one outside where a cycle is asked for");
        }
        if !is_set {
            let count = tokens.index(self.columns() + 1, "number of teeth")?;
            teeth = (0..count).map(|_| self.column(tokens)).collect::<Result<_, _>>()?;
            teeth.sort_unstable();
            let is_tooth = |&column: &u32| match self.graph.edges.get(column as usize) {
                Some(&(u, v, _)) => is_inside(u) != is_inside(v),
                None => [self.start(0), self.finish(0)].iter().any(|tip| is_inside(column.wrapping_sub(*tip))),
            };
            let differ = teeth.windows(2).all(|pair| pair[0] < pair[1]);
            let is_even = teeth.len().is_multiple_of(2) && self.trails;
            if self.graph.directed || !differ || is_even || !teeth.iter().all(is_tooth) {
                let border = "a tooth that does not cross the border of its blossom";
                return tokens.wrong(format!("{border}, or an even number in a root"));
            }
        }
        let (sign, weight) = if self.trails { (-1, 2) } else { (1, 1) };
        let mut entries = Vec::new();
        for &vertex in &inside {
            // Edges inside once, from their source; or what crosses the border.
            let counts = |&&(other, edge): &&(u32, u32)| {
                is_inside(other) != self.trails && (self.trails || self.graph.edges[edge as usize].0 == vertex)
            };
            entries.extend(self.graph.around[vertex as usize].iter().filter(counts).map(|&(_, edge)| (edge, sign)));
            entries.push((if self.trails { self.start(vertex) } else { self.visit(vertex) }, -1));
        }
        entries.extend(visited.map(|vertex| (self.visit(vertex), weight)));
        entries.extend(outer.map(|vertex| (self.visit(vertex), 1)));
        entries.extend(teeth.iter().map(|&column| (column, weight)));
        let most = match teeth.len() as i64 {
            0 => i64::from(outer.is_some()),
            count if self.trails => count - 1,
            count => count / 2,
        };
        entries.shrink_to_fit();
        Ok(Row { entries, most, is_equation: false })
    }

    /// Reads a row; why it holds for every path of the question is said beside it.
    pub(crate) fn row(&self, kind: &str, tokens: &mut Tokens<'_>) -> Result<Row, String> {
        let (n, directed) = (self.graph.n, self.graph.directed);
        let around = |vertex: u32| self.graph.around[vertex as usize].iter().map(|&(_, edge)| edge);
        let all = |first: u32, sign: i32| (first..first + n as u32).map(|column| (column, sign)).collect();
        let (entries, most, is_equation): (Vec<(u32, i32)>, i64, bool) = match kind {
            // A visited vertex has two edges of the path, its being an end counted.
            "at" if !directed => {
                let vertex = tokens.vertex(n)?;
                // A trail may have four and more. Of three it uses two, or one where it has a tip: an even number with the tip, and at
                // a tip no more than one.
                let is_equation = !self.trails || self.graph.around[vertex as usize].len() <= 3;
                let sign = if is_equation { 1 } else { -1 };
                let ends = [(self.start(vertex), sign), (self.finish(vertex), sign), (self.visit(vertex), -2 * sign)];
                (around(vertex).map(|edge| (edge, sign)).chain(ends).collect(), 0, is_equation)
            }
            // One that leaves it, or it is the finish; one that enters it, or it is the start.
            "out" | "in" if directed => {
                let (vertex, is_out) = (tokens.vertex(n)?, kind == "out");
                let end = if is_out { self.finish(vertex) } else { self.start(vertex) };
                let arcs = around(vertex).filter(|&edge| (self.graph.edges[edge as usize].0 == vertex) == is_out);
                let ends = [(end, 1), (self.visit(vertex), -1)];
                (arcs.map(|edge| (edge, 1)).chain(ends).collect(), 0, true)
            }
            // A path has two tips; one start; one finish.
            "ends" if self.alike => (all(self.start(0), 1), 2, true),
            "starts" if !self.closed && !self.alike => (all(self.start(0), 1), 1, true),
            "finishes" if !self.closed && !self.alike => (all(self.finish(0), 1), 1, true),
            // A path with an edge visits two vertices; a cycle of an undirected graph three.
            "some" => (all(self.visit(0), -1), -(self.fewest() as i64), false),
            // An edge is used only where both its vertices are visited.
            "use" => {
                let (edge, end) = (self.edge(tokens)?, tokens.vertex(n)?);
                let (u, v, _) = self.graph.edges[edge as usize];
                if end != u && end != v {
                    return tokens.wrong("no edge of that vertex");
                }
                (vec![(edge, 1), (self.visit(end), -1)], 0, false)
            }
            // An edge of a root is lost unless one of its ends is visited; where it is used both are. (What is no edge of it has
            // nothing to lose, and a loop is never used.)
            "lost" if self.trails => {
                let edge = self.edge(tokens)?;
                let (u, v, is_one) = self.graph.edges[edge as usize];
                let mut entries = vec![(self.lost(edge), -1), (self.visit(u), -1), (self.visit(v), -1)];
                entries.truncate(if u == v { 2 } else { 3 });
                entries.extend((u != v).then_some((edge, 1)));
                (entries, -is_one, false)
            }
            // A vertex is an end once at most, and only if visited: the ends of a path with an edge differ.
            "tip" => {
                let vertex = tokens.vertex(n)?;
                (vec![(self.start(vertex), 1), (self.finish(vertex), 1), (self.visit(vertex), -1)], 0, false)
            }
            other => return tokens.wrong(format!("there are no rows '{other}' here")),
        };
        Ok(Row { entries, most, is_equation })
    }
}

/// Vertices, and what each earns; nothing where it is left out.
fn read_prizes(tokens: &mut Tokens<'_>, absent: &[bool]) -> Result<Vec<Option<i64>>, String> {
    let mut prizes = vec![None; absent.len()];
    for _ in 0..tokens.index(absent.len() + 1, "number of vertices")? {
        let (vertex, prize) = (tokens.vertex(absent.len())? as usize, tokens.number()?);
        if prize.unsigned_abs() > MOST_WEIGHT {
            return Err("a prize is beyond 2^60".to_owned());
        }
        prizes[vertex] = Some(prize).filter(|_| !absent[vertex]);
    }
    Ok(prizes)
}
