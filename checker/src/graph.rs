//! Graphs and their files: DIMACS (`p edge`, `p arc`), edge lists and decks of cards, as longhaul reads them.

use std::collections::HashMap;

/// A simple weighted graph on vertices `0..n`: loops are dropped, and of parallel edges the heaviest is kept, since a path
/// visits no vertex twice and is as long as the best edges between its vertices.
pub struct Graph {
    /// Whether edges have a direction.
    pub directed: bool,
    /// The number of vertices.
    pub n: usize,
    /// Source, target and weight of each edge, sorted; the source is the smaller one where undirected.
    pub edges: Vec<(u32, u32, i64)>,
    /// By vertex: its edges, whichever way they run, with the vertex at the other end.
    pub around: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    /// Makes a graph of any list of edges.
    pub fn new(directed: bool, n: usize, list: impl IntoIterator<Item = (u32, u32, i64)>) -> Graph {
        let turned = |(u, v, w): (u32, u32, i64)| if directed || u < v { (u, v, w) } else { (v, u, w) };
        let mut edges: Vec<_> = list.into_iter().filter(|edge| edge.0 != edge.1).map(turned).collect();
        edges.sort_unstable_by_key(|&(u, v, w)| (u, v, std::cmp::Reverse(w)));
        edges.dedup_by_key(|edge| (edge.0, edge.1));
        let mut around = vec![Vec::new(); n];
        for (index, &(u, v, _)) in edges.iter().enumerate() {
            around[u as usize].push((v, index as u32));
            around[v as usize].push((u, index as u32));
        }
        Graph { directed, n, edges, around }
    }

    /// The edge from `u` to `v` (between them, where undirected).
    pub fn edge(&self, u: u32, v: u32) -> Option<u32> {
        let (u, v) = if self.directed || u < v { (u, v) } else { (v, u) };
        self.edges.binary_search_by_key(&(u, v), |edge| (edge.0, edge.1)).ok().map(|index| index as u32)
    }

    /// The graph with the edges between some of its vertices alone.
    pub fn within(&self, is_there: impl Fn(u32) -> bool) -> Graph {
        let kept = |edge: &&(u32, u32, i64)| is_there(edge.0) && is_there(edge.1);
        Graph::new(self.directed, self.n, self.edges.iter().filter(kept).copied())
    }

    /// FNV-1a over everything: tells graphs that were mixed up. No rule rests on it.
    pub fn digest(&self) -> i64 {
        let edges = self.edges.iter().flat_map(|&(u, v, w)| [u64::from(u) << 32 | u64::from(v), w as u64]);
        let words = [self.n as u64, u64::from(self.directed)].into_iter().chain(edges);
        let hash = words
            .flat_map(u64::to_le_bytes)
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        (hash >> 1) as i64
    }

    /// Reads a file; its form is told by its name, or by its first words.
    ///
    /// # Errors
    /// With the line at which it is none.
    pub fn read(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Graph, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "this is no text".to_owned())?;
        let is_dimacs = || {
            let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
            lines.find(|line| !line.starts_with('c')).is_some_and(|line| line.starts_with("p "))
        };
        let room = options.memory.saturating_sub(bytes.len());
        let mut reader = Reader { unit: options.unit, room, directed: false, n: 0, edges: Vec::new() };
        match name.rsplit('.').next() {
            Some("deck") => reader.deck(text)?,
            Some("gr" | "col" | "dimacs") => reader.dimacs(text)?,
            Some("el" | "edges" | "txt") => reader.edge_list(text)?,
            _ if is_dimacs() => reader.dimacs(text)?,
            _ => reader.edge_list(text)?,
        }
        reader.has_room()?;
        Ok(Graph::new(reader.directed || options.directed, reader.n, reader.edges))
    }
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Edges have a direction, whatever the file says.
    pub directed: bool,
    /// All edges weigh 1, whatever the file says.
    pub unit: bool,
    /// Bytes for the file and the graph.
    pub memory: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { directed: false, unit: false, memory: usize::MAX }
    }
}

/// What a graph takes, its lists as long again as they need be.
pub(crate) fn bytes(n: usize, m: usize) -> usize {
    n.saturating_mul(24).saturating_add(m.saturating_mul(16 + 32))
}

/// Sums of weights and prizes with multipliers stay within 128 bits.
pub const MOST_WEIGHT: u64 = 1 << 60;
/// A file may not ask for more vertices.
const MOST_VERTICES: usize = 1 << 26;

/// What has been read of a file, and how many bytes there are for it.
struct Reader {
    unit: bool,
    room: usize,
    directed: bool,
    n: usize,
    edges: Vec<(u32, u32, i64)>,
}

/// Lines by their numbers, as words: those that have any, without what follows a comment sign.
fn lines(text: &str, comment: Option<char>) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let bare = move |line: &'_ str| comment.and_then(|sign| line.find(sign)).unwrap_or(line.len());
    let words = (1..).zip(text.lines()).map(move |(at, line)| (at, line[..bare(line)].split_whitespace().collect()));
    words.filter(|(_, words): &(usize, Vec<&str>)| !words.is_empty())
}

fn expected<T>(line: usize, what: &str) -> Result<T, String> {
    Err(format!("line {line}: expected {what}"))
}

impl Reader {
    /// An edge, with its weight if the line has one.
    fn add(&mut self, line: usize, u: u32, v: u32, rest: &[&str]) -> Result<(), String> {
        let weight = rest.first().map_or(Some(1), |word| word.parse::<i64>().ok());
        let Some(weight) = weight else { return expected(line, "a whole number as the weight") };
        let weight = if self.unit { 1 } else { weight };
        if weight.unsigned_abs() > MOST_WEIGHT {
            return Err(format!("line {line}: a weight is beyond 2^60"));
        }
        self.edges.push((u, v, weight));
        self.has_room()
    }

    /// Whether there is room for names, edges as they are read, and the graph of both.
    fn has_room(&self) -> Result<(), String> {
        let (n, m) = (self.n, self.edges.len());
        let needed = bytes(n, m).saturating_add(n.saturating_add(m).saturating_mul(48));
        if needed > self.room { Err("the graph is beyond the memory limit".to_owned()) } else { Ok(()) }
    }

    fn dimacs(&mut self, text: &str) -> Result<(), String> {
        let mut announced = None;
        for (line, words) in lines(text, None).filter(|(_, words)| !words[0].starts_with('c')) {
            match (&words[..], announced) {
                (["p", kind, counts @ ..], None) => {
                    let count = |at: usize| counts.get(at).and_then(|word| word.parse::<usize>().ok());
                    let Some(n) = count(0).filter(|&n| n <= MOST_VERTICES) else {
                        return expected(line, "a number of nodes up to 2^26");
                    };
                    let Some(edges) = count(1) else { return expected(line, "the number of edges") };
                    (self.directed, self.n, announced) = (matches!(*kind, "arc" | "sp"), n, Some(edges));
                    self.has_room()?;
                }
                (["e" | "a", ends @ ..], Some(_)) => {
                    let node = |at: usize| ends.get(at)?.parse().ok().filter(|node| (1..=self.n).contains(node));
                    let Some((u, v)) = node(0).zip(node(1)) else { return expected(line, "two nodes of the graph") };
                    self.add(line, u as u32 - 1, v as u32 - 1, &ends[2..])?;
                }
                _ => return expected(line, "a header 'p edge N M' and edges 'e u v'"),
            }
        }
        let announced = announced.ok_or("there is no header 'p edge N M'")?;
        match self.edges.len() {
            count if count == announced => Ok(()),
            count => Err(format!("the header says {announced} edges, and there are {count}")),
        }
    }

    fn edge_list(&mut self, text: &str) -> Result<(), String> {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        for (line, words) in lines(text, Some('#')).filter(|(_, words)| !words[0].starts_with('%')) {
            let [first, second, rest @ ..] = &words[..] else { return expected(line, "two names") };
            let [u, v] = [first, second].map(|&name| {
                let next = numbers.len() as u32;
                *numbers.entry(name).or_insert(next)
            });
            self.n = numbers.len();
            self.add(line, u, v, rest)?;
        }
        Ok(())
    }

    /// Cards `number colour`, joined where they agree in one: names are compared in small letters.
    fn deck(&mut self, text: &str) -> Result<(), String> {
        let mut alike: HashMap<(usize, String), Vec<u32>> = HashMap::new();
        for (line, words) in lines(text, Some('#')).filter(|(_, words)| !words[0].starts_with("---")) {
            let [first, second, ..] = words[..] else { return expected(line, "a number and a colour") };
            let card = self.n as u32;
            self.n += 1;
            for (side, word) in [first, second].into_iter().enumerate() {
                let name = word.parse::<u32>().map_or(word.to_lowercase(), |value| value.to_string());
                let group = alike.entry((side, name)).or_default();
                group.iter().try_for_each(|&other| self.add(line, other, card, &[]))?;
                group.push(card);
            }
        }
        Ok(())
    }
}
