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
    /// In words.
    pub(crate) question: String,
}

/// A cut that a proof has introduced.
pub(crate) enum Cut {
    Set { inside: Vec<u32>, visited: u32, outer: Option<u32> },
    Blossom { inside: Vec<u32>, teeth: Vec<u32> },
}

/// Multipliers are below this, and rows as many at most: sums of them stay within 128 bits.
const MOST_MULTIPLIER: u64 = 1 << 62;
const MOST_SCALE: i64 = 1 << 30;
const MOST_ROWS: usize = 1 << 24;
/// The numbers that all cuts may hold together.
const MOST_CUT_ENTRIES: usize = 1 << 26;

/// `scale · value ≤ constant + Σ gain[c] · x[c]` for every path: see [`Model::combine`].
#[derive(Default)]
pub(crate) struct Combination {
    pub(crate) scale: i64,
    pub(crate) constant: i128,
    pub(crate) gains: Vec<i128>,
}

impl Combination {
    /// The greatest right-hand side within the ranges.
    pub(crate) fn bound(&self, ranges: &[Range]) -> i128 {
        let most = |(&gain, range): (&i128, &Range)| match range {
            Range::Free => gain.max(0),
            Range::Zero => 0,
            Range::One => gain,
            Range::Empty => 0,
        };
        if ranges.contains(&Range::Empty) {
            // Less than anything that a path needs.
            return i128::MIN / 4;
        }
        self.constant + self.gains.iter().zip(ranges).map(most).sum::<i128>()
    }

    /// The least right-hand side that a path worth more than `target` needs: values are whole numbers, so such a path has
    /// `scale · value ≥ scale · (target + 1)`. With `target` `None` any path is one too many, and a scale of 0 asks for
    /// `0 ≤ …`, which every path obeys: then a smaller bound shows that there is none.
    pub(crate) fn needed(&self, target: Option<i64>) -> Result<i128, String> {
        match target {
            _ if self.scale == 0 => Ok(0),
            Some(target) => Ok(i128::from(self.scale) * (i128::from(target) + 1)),
            None => Err("that there is no path at all is shown with the scale 0".to_owned()),
        }
    }
}

impl Model {
    /// Reads the question, and holds it against the graph.
    pub(crate) fn read(graph: &Graph, tokens: &mut Tokens<'_>) -> Result<Model, String> {
        tokens.expect("graph")?;
        let (n, m) = (tokens.number()?, tokens.number()?);
        let directed = match tokens.word()? {
            "directed" => true,
            "undirected" => false,
            other => return Err(format!("'{other}' where 'directed' or 'undirected' should be")),
        };
        let digest = tokens.number()?;
        let mut word = tokens.word()?;
        let mut absent = vec![false; graph.n];
        let mut question = String::new();
        if word == "without" {
            let vertices = tokens.vertices(graph.n)?;
            vertices.iter().for_each(|&vertex| absent[vertex as usize] = true);
            question += &format!(", without {} vertices", vertices.len());
            word = tokens.word()?;
        }
        let graph = graph.without(&absent);
        if (n, m, directed, digest) != (graph.n as i64, graph.edges.len() as i64, graph.directed, graph.digest()) {
            let here = format!("{}, {}, {}", graph.n, graph.edges.len(), graph.digest());
            return Err(format!(
                "this is a proof about another graph: {n} vertices, {m} edges, digest {digest}; here are {here}"
            ));
        }
        let mut prizes = None;
        if word == "prizes" {
            let mut of_vertex = vec![0; graph.n];
            for _ in 0..tokens.index(graph.n + 1, "number of vertices")? {
                let vertex = tokens.vertex(graph.n)?;
                of_vertex[vertex as usize] = small_prize(tokens)?;
            }
            question += ", with prizes of vertices";
            prizes = Some(of_vertex);
            word = tokens.word()?;
        }
        let mut model = Model {
            first: vec![None; graph.n],
            last: vec![None; graph.n],
            factor: 1,
            trails: false,
            graph,
            closed: word == "cycle",
            through: None,
            alike: false,
            question,
        };
        match word {
            "cycle" => {
                let through = tokens.index(model.graph.n + 1, "vertex")?;
                model.through = through.checked_sub(1);
                let which = model.through.map_or(String::new(), |vertex| format!(" through {}", vertex + 1));
                model.question = format!("longest cycle{which}{}", model.question);
            }
            "path" => {
                tokens.expect("first")?;
                let from = model.read_ends(tokens, &absent, false)?;
                tokens.expect("last")?;
                let to = model.read_ends(tokens, &absent, true)?;
                model.question = format!("longest path from {from} to {to}{}", model.question);
                model.alike = !model.graph.directed && model.first == model.last;
            }
            other => return Err(format!("'{other}' where 'path' or 'cycle' should be")),
        }
        if let Some(prizes) = prizes {
            model.earn(&prizes);
        }
        Ok(model)
    }

    /// Makes prizes weights, and doubles everything where edges have no direction.
    fn earn(&mut self, prizes: &[i64]) {
        let of = |vertex: usize| prizes[vertex];
        for (u, v, weight) in &mut self.graph.edges {
            let (u, v) = (of(*u as usize), of(*v as usize));
            *weight = if self.graph.directed { *weight + v } else { 2 * *weight + u + v };
        }
        self.factor = if self.graph.directed { 1 } else { 2 };
        for (vertex, (first, last)) in self.first.iter_mut().zip(&mut self.last).enumerate() {
            *first = first.map(|first| self.factor * first + of(vertex));
            if !self.graph.directed {
                *last = last.map(|last| 2 * last + of(vertex));
            }
        }
    }

    fn read_ends(&mut self, tokens: &mut Tokens<'_>, absent: &[bool], is_last: bool) -> Result<String, String> {
        let n = self.graph.n;
        let prizes = if is_last { &mut self.last } else { &mut self.first };
        let words = match tokens.word()? {
            "all" => {
                prizes.fill(Some(0));
                "any vertex".to_owned()
            }
            "only" => {
                let count = tokens.index(n + 1, "number of vertices")?;
                let mut words = format!("one of {count} vertices");
                for _ in 0..count {
                    let (vertex, prize) = (tokens.vertex(n)?, small_prize(tokens)?);
                    prizes[vertex as usize] = Some(prize);
                    if count == 1 {
                        words = format!("vertex {}", vertex + 1);
                    }
                    if prize != 0 && !words.ends_with("prizes") {
                        words += " with prizes";
                    }
                }
                words
            }
            other => return Err(format!("'{other}' where 'all' or 'only' should be")),
        };
        (0..n).filter(|&vertex| absent[vertex]).for_each(|vertex| prizes[vertex] = None);
        Ok(words)
    }

    /// What a list of different vertices is worth, if it is a path (or cycle) that is asked for.
    pub(crate) fn value(&self, path: &[u32]) -> Result<i64, String> {
        let (from, to) = (path[0], path[path.len() - 1]);
        let step = |u: u32, v: u32| match self.graph.edge(u, v) {
            Some(edge) => Ok(i128::from(self.graph.edges[edge as usize].2)),
            None => Err(format!("the path goes from {} to {}, and there is no such edge", u + 1, v + 1)),
        };
        let mut value = 0;
        for pair in path.windows(2) {
            value += step(pair[0], pair[1])?;
        }
        if self.closed {
            if path.len() < if self.graph.directed { 2 } else { 3 } {
                return Err("the cycle is too short".to_owned());
            }
            if self.through.is_some_and(|vertex| !path.contains(&vertex)) {
                return Err("the cycle misses the vertex that it must visit".to_owned());
            }
            value += step(to, from)?;
        } else {
            let prize = |of: Option<i64>| of.ok_or("the path ends where none may");
            value += i128::from(prize(self.first[from as usize])?) + i128::from(prize(self.last[to as usize])?);
        }
        i64::try_from(value).map_err(|_| "the path's value is beyond 64 bits".to_owned())
    }

    /// The best that a single vertex is worth.
    pub(crate) fn best_vertex(&self) -> Option<i64> {
        self.first.iter().zip(&self.last).filter_map(|(first, last)| Some((*first)? + (*last)?)).max()
    }

    pub(crate) fn columns(&self) -> usize {
        self.graph.edges.len() * (1 + usize::from(self.trails)) + 3 * self.graph.n
    }

    pub(crate) fn visit(&self, vertex: u32) -> u32 {
        self.graph.edges.len() as u32 + vertex
    }

    /// The column of starting at a vertex; of having it for a tip, where ends are alike.
    pub(crate) fn start(&self, vertex: u32) -> u32 {
        (self.graph.edges.len() + self.graph.n) as u32 + vertex
    }

    pub(crate) fn finish(&self, vertex: u32) -> u32 {
        (self.graph.edges.len() + 2 * self.graph.n) as u32 + vertex
    }

    /// What is open at the beginning: no path starts or finishes where it may not, and a cycle has no ends.
    pub(crate) fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Free; self.columns()];
        for vertex in 0..self.graph.n as u32 {
            if self.first[vertex as usize].is_none() {
                ranges[self.start(vertex) as usize] = Range::Zero;
            }
            if self.last[vertex as usize].is_none() || self.alike {
                ranges[self.finish(vertex) as usize] = Range::Zero;
            }
        }
        if self.trails {
            // Loops are left out, and so is what is no edge of the root.
            let loops =
                (0..self.graph.edges.len()).filter(|&edge| self.graph.edges[edge].0 == self.graph.edges[edge].1);
            loops.for_each(|edge| ranges[edge] = Range::Zero);
        }
        if let Some(vertex) = self.through {
            ranges[self.visit(vertex) as usize] = Range::One;
        }
        ranges
    }

    /// Reads the name of an edge: its number in a root, and else its ends.
    fn edge(&self, tokens: &mut Tokens<'_>) -> Result<u32, String> {
        if self.trails {
            let edge = tokens.index(self.graph.edges.len() + 1, "edge")?;
            return edge.checked_sub(1).ok_or_else(|| "there is no edge 0".to_owned());
        }
        let (u, v) = (tokens.vertex(self.graph.n)?, tokens.vertex(self.graph.n)?);
        self.graph.edge(u, v).ok_or_else(|| format!("there is no edge {} {}", u + 1, v + 1))
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
            other => Err(format!("token {}: there are no columns '{other}' here", tokens.count)),
        }
    }

    /// Reads a set: `visited outer count vertices`, the outer vertex 0 where there is none; or a blossom: `count vertices count
    /// columns`.
    pub(crate) fn read_cut(&self, kind: &str, tokens: &mut Tokens<'_>, held: &mut usize) -> Result<Cut, String> {
        let n = self.graph.n;
        let vertices = match kind {
            "set" => Some((tokens.vertex(n)?, tokens.index(n + 1, "vertex")?.checked_sub(1))),
            _ => None,
        };
        let mut inside = tokens.vertices(n)?;
        inside.sort_unstable();
        *held += inside.len() + 8;
        if *held > MOST_CUT_ENTRIES {
            return Err("the sets of the proof are too large".to_owned());
        }
        let is_inside = |vertex: u32| inside.binary_search(&vertex).is_ok();
        if let Some((visited, outer)) = vertices {
            if !is_inside(visited) || outer.is_some() != self.closed || outer.is_some_and(is_inside) {
                return Err("a set visits a vertex inside, and names one outside where a cycle is asked for".to_owned());
            }
            return Ok(Cut::Set { inside, visited, outer });
        }
        let mut teeth = Vec::new();
        for _ in 0..tokens.index(self.columns(), "number of teeth")? {
            teeth.push(self.column(tokens)?);
        }
        *held += teeth.len();
        let count = teeth.len();
        teeth.sort_unstable();
        teeth.dedup();
        let is_tooth = |&column: &u32| match self.graph.edges.get(column as usize) {
            Some(&(u, v, _)) => is_inside(u) != is_inside(v),
            None => inside.iter().any(|&vertex| column == self.start(vertex) || column == self.finish(vertex)),
        };
        let is_odd = count % 2 == 1 || !self.trails;
        if self.graph.directed || teeth.len() < count || !is_odd || !teeth.iter().all(is_tooth) {
            return Err("a tooth that does not cross the border of its blossom".to_owned());
        }
        Ok(Cut::Blossom { inside, teeth })
    }

    /// Reads `scale count (row multiplier)…` and adds up.
    ///
    /// *Argument.* Each row below is `Σ a[c] x[c] ≤ b` (or `=`) for every path of the question; why, is said beside it. With a
    /// multiplier `λ ≥ 0` (any, for an equation) `λ (b − Σ a[c] x[c])` is not negative, so it may be added to the right of
    /// `scale · value = Σ scale · worth[c] · x[c]`. All in whole numbers.
    pub(crate) fn combine(&self, tokens: &mut Tokens<'_>, cuts: &[Cut], sum: &mut Combination) -> Result<(), String> {
        sum.scale = tokens.number()?;
        if !(0..=MOST_SCALE).contains(&sum.scale) {
            return Err(format!("a scale of {}, which should lie between 0 and {MOST_SCALE}", sum.scale));
        }
        let scaled = |worth: i64| i128::from(worth) * i128::from(sum.scale);
        sum.gains.clear();
        let of_edge = |edge: &(u32, u32, i64)| if self.trails { 0 } else { scaled(edge.2) };
        sum.gains.extend(self.graph.edges.iter().map(of_edge));
        sum.gains.resize(self.graph.edges.len() + self.graph.n, 0);
        for prizes in [&self.first, &self.last] {
            sum.gains.extend(prizes.iter().map(|prize| scaled(prize.unwrap_or(0))));
        }
        sum.constant = 0;
        if self.trails {
            // A path has an edge less than vertices, which are the edges that are met: all but those that are lost.
            let edges = || self.graph.edges.iter().map(|edge| scaled(edge.2));
            sum.constant = edges().sum::<i128>() - scaled(1);
            sum.gains.extend(edges().map(|worth| -worth));
        }
        for _ in 0..tokens.index(MOST_ROWS, "number of rows")? {
            self.add_row(tokens, cuts, sum)?;
        }
        Ok(())
    }

    fn add_row(&self, tokens: &mut Tokens<'_>, cuts: &[Cut], sum: &mut Combination) -> Result<(), String> {
        let n = self.graph.n;
        let kind = tokens.word()?;
        let mut row = Row { entries: Vec::new(), most: 0, is_equation: false };
        match kind {
            // A visited vertex has two edges of the path, its being an end counted.
            "at" if !self.graph.directed => {
                let vertex = tokens.vertex(n)?;
                row.entries.extend(self.graph.around[vertex as usize].iter().map(|&(_, edge)| (edge, 1)));
                row.entries.extend([(self.start(vertex), 1), (self.finish(vertex), 1), (self.visit(vertex), -2)]);
                row.is_equation = true;
                // A trail may have four and more; an even number it has, so where there are three with the tip it is two.
                if self.trails && self.graph.around[vertex as usize].len() > 2 {
                    row.entries.iter_mut().for_each(|(_, coefficient)| *coefficient = -*coefficient);
                    row.is_equation = false;
                }
            }
            // One that leaves it, or it is the finish; one that enters it, or it is the start.
            "out" | "in" if self.graph.directed => {
                let vertex = tokens.vertex(n)?;
                let (leaves, end) =
                    if kind == "out" { (true, self.finish(vertex)) } else { (false, self.start(vertex)) };
                let arcs = self.graph.around[vertex as usize].iter().map(|&(_, edge)| edge);
                let arcs = arcs.filter(|&edge| (self.graph.edges[edge as usize].0 == vertex) == leaves);
                row.entries.extend(arcs.map(|edge| (edge, 1)));
                row.entries.extend([(end, 1), (self.visit(vertex), -1)]);
                row.is_equation = true;
            }
            // A path has two tips; one start; one finish.
            "ends" if self.alike => self.all(Self::start, 2, &mut row),
            "starts" if !self.closed && !self.alike => self.all(Self::start, 1, &mut row),
            "finishes" if !self.closed && !self.alike => self.all(Self::finish, 1, &mut row),
            // A path with an edge visits two vertices; a cycle of an undirected graph three.
            "some" => {
                let least = if self.closed && !self.graph.directed { 3 } else { 2 };
                row.entries.extend((0..n as u32).map(|vertex| (self.visit(vertex), -1)));
                row.most = -least;
            }
            // An edge is used only where both its vertices are visited.
            "use" => {
                let (edge, end) = (self.edge(tokens)?, tokens.vertex(n)?);
                let (u, v, _) = self.graph.edges[edge as usize];
                if end != u && end != v {
                    return Err(format!("token {}: no edge of that vertex", tokens.count));
                }
                row.entries = vec![(edge, 1), (self.visit(end), -1)];
            }
            // An edge of a root is lost unless one of its ends is visited.
            "lost" if self.trails => {
                let edge = self.edge(tokens)?;
                let (u, v, is_one) = self.graph.edges[edge as usize];
                row.entries = vec![(self.lost(edge), -1), (self.visit(u), -1)];
                row.entries.extend((v != u).then(|| (self.visit(v), -1)));
                row.most = -is_one;
            }
            // A vertex is an end once at most, and only if visited: the ends of a path with an edge differ.
            "tip" => {
                let vertex = tokens.vertex(n)?;
                row.entries = vec![(self.start(vertex), 1), (self.finish(vertex), 1), (self.visit(vertex), -1)];
            }
            "cut" if self.trails => self.border(&cuts[tokens.index(cuts.len(), "cut")? as usize], &mut row),
            "cut" => match &cuts[tokens.index(cuts.len(), "cut")? as usize] {
                // Inside a set a path is nothing or some stretches, with an edge fewer than vertices each: so it has at
                // least one edge fewer there than vertices if it visits this one. A cycle may be all inside; not if it
                // visits the outer vertex: if both are visited there is one fewer, and else there are no more.
                Cut::Set { inside, visited, outer } => {
                    self.edges_inside(inside, &mut row);
                    row.entries.extend(inside.iter().map(|&vertex| (self.visit(vertex), -1)));
                    row.entries.push((self.visit(*visited), 1));
                    if let Some(outer) = outer {
                        row.entries.push((self.visit(*outer), 1));
                        row.most = 1;
                    }
                }
                // Twice the edges inside, and those across and ends, are twice the vertices visited inside (`at` summed up).
                // So twice (edges inside + teeth) is at most twice the vertices + the number of teeth; all but that
                // number is even.
                Cut::Blossom { inside, teeth } => {
                    self.edges_inside(inside, &mut row);
                    row.entries.extend(inside.iter().map(|&vertex| (self.visit(vertex), -1)));
                    row.entries.extend(teeth.iter().map(|&column| (column, 1)));
                    row.most = teeth.len() as i64 / 2;
                }
            },
            other => return Err(format!("token {}: there are no rows '{other}' here", tokens.count)),
        }
        let multiplier = tokens.number()?;
        if multiplier.unsigned_abs() > MOST_MULTIPLIER || (multiplier < 0 && !row.is_equation) {
            return Err(format!("token {}: a multiplier of {multiplier} for a row '{kind}'", tokens.count));
        }
        let multiplier = i128::from(multiplier);
        for (column, coefficient) in row.entries {
            sum.gains[column as usize] -= multiplier * i128::from(coefficient);
        }
        sum.constant += multiplier * i128::from(row.most);
        Ok(())
    }

    fn all(&self, column: fn(&Self, u32) -> u32, count: i64, row: &mut Row) {
        row.entries.extend((0..self.graph.n as u32).map(|vertex| (column(self, vertex), 1)));
        (row.most, row.is_equation) = (count, true);
    }

    fn edges_inside(&self, inside: &[u32], row: &mut Row) {
        for &vertex in inside {
            for &(other, edge) in &self.graph.around[vertex as usize] {
                // Each edge once, from its source.
                if self.graph.edges[edge as usize].0 == vertex && inside.binary_search(&other).is_ok() {
                    row.entries.push((edge, 1));
                }
            }
        }
    }
}

/// `Σ coefficient · x[column] ≤ most`, or `=`.
pub(crate) struct Row {
    pub(crate) entries: Vec<(u32, i64)>,
    pub(crate) most: i64,
    is_equation: bool,
}

fn small_prize(tokens: &mut Tokens<'_>) -> Result<i64, String> {
    Some(tokens.number()?)
        .filter(|prize| prize.unsigned_abs() <= MOST_WEIGHT)
        .ok_or("a prize is beyond 2^60".to_owned())
}
