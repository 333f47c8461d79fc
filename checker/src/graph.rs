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

    /// The graph without some vertices' edges.
    pub fn without(&self, absent: &[bool]) -> Graph {
        let kept = |edge: &&(u32, u32, i64)| !absent[edge.0 as usize] && !absent[edge.1 as usize];
        Graph::new(self.directed, self.n, self.edges.iter().filter(kept).copied())
    }

    /// FNV-1a over everything: tells graphs that were mixed up. No rule rests on it.
    pub fn digest(&self) -> i64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut feed = |word: u64| {
            for byte in word.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        feed(self.n as u64);
        feed(u64::from(self.directed));
        for &(u, v, w) in &self.edges {
            feed(u64::from(u) << 32 | u64::from(v));
            feed(w as u64);
        }
        (hash >> 1) as i64
    }

    /// Reads a file; its form is told by its name, or by its first words.
    ///
    /// # Errors
    /// With the line at which it is none.
    pub fn read(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Graph, String> {
        let room = Room(options.memory.saturating_sub(bytes.len()));
        let text = std::str::from_utf8(bytes).map_err(|_| "this is no text".to_owned())?;
        let is_dimacs = || {
            let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
            lines.find(|line| !line.starts_with('c')).is_some_and(|line| line.starts_with("p "))
        };
        let (directed, n, mut edges) = match name.rsplit('.').next() {
            Some("deck") => deck(text, room)?,
            Some("gr" | "col" | "dimacs") => dimacs(text, room)?,
            Some("el" | "edges" | "txt") => edge_list(text, room)?,
            _ if is_dimacs() => dimacs(text, room)?,
            _ => edge_list(text, room)?,
        };
        if options.unit {
            edges.iter_mut().for_each(|edge| edge.2 = 1);
        }
        match edges.iter().any(|edge| edge.2.unsigned_abs() > MOST_WEIGHT) {
            true => Err("a weight is beyond 2^60".to_owned()),
            false => Ok(Graph::new(directed || options.directed, n, edges)),
        }
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

/// Bytes for what is read.
#[derive(Clone, Copy)]
struct Room(usize);

impl Room {
    /// Whether there is room for so many names, edges as they are read, and the graph of both.
    fn holds(self, n: usize, m: usize) -> Result<(), String> {
        match bytes(n, m).saturating_add(n.saturating_add(m).saturating_mul(48)) <= self.0 {
            true => Ok(()),
            false => Err("the graph is beyond the memory limit".to_owned()),
        }
    }
}

/// Sums of weights and prizes with multipliers stay within 128 bits.
pub const MOST_WEIGHT: u64 = 1 << 60;
/// A file may not ask for more vertices.
const MOST_VERTICES: usize = 1 << 26;

/// Whether edges have a direction, how many vertices there are, and the edges as they stand in the file.
type Raw = (bool, usize, Vec<(u32, u32, i64)>);

/// Lines by their numbers, as words: those that have any, without what follows a comment sign.
fn lines(text: &str, comment: Option<char>) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let bare = move |line: &'_ str| comment.and_then(|sign| line.find(sign)).unwrap_or(line.len());
    let words = (1..).zip(text.lines()).map(move |(at, line)| (at, line[..bare(line)].split_whitespace().collect()));
    words.filter(|(_, words): &(usize, Vec<&str>)| !words.is_empty())
}

fn expected<T>(line: usize, what: &str) -> Result<T, String> {
    Err(format!("line {line}: expected {what}"))
}

fn weight(line: usize, rest: &[&str]) -> Result<i64, String> {
    let weight = rest.first().map_or(Some(1), |word| word.parse().ok());
    weight.map_or_else(|| expected(line, "a whole number as the weight"), Ok)
}

fn dimacs(text: &str, room: Room) -> Result<Raw, String> {
    let mut header: Option<(bool, usize, usize)> = None;
    let mut list = Vec::new();
    for (line, words) in lines(text, None).filter(|(_, words)| !words[0].starts_with('c')) {
        match (&words[..], header) {
            (["p", kind, counts @ ..], None) => {
                let count = |at: usize| counts.get(at).and_then(|word| word.parse::<usize>().ok());
                let Some(n) = count(0).filter(|&n| n <= MOST_VERTICES) else {
                    return expected(line, "a number of nodes up to 2^26");
                };
                let Some(edges) = count(1) else { return expected(line, "the number of edges") };
                room.holds(n, 0)?;
                header = Some((matches!(*kind, "arc" | "sp"), n, edges));
            }
            (["e" | "a", ends @ ..], Some((_, n, _))) => {
                let node = |at: usize| ends.get(at)?.parse().ok().filter(|node| (1..=n).contains(node));
                let Some((u, v)) = node(0).zip(node(1)) else { return expected(line, "two nodes of the graph") };
                room.holds(n, list.len())?;
                list.push((u as u32 - 1, v as u32 - 1, weight(line, &ends[2..])?));
            }
            _ => return expected(line, "a header 'p edge N M' and edges 'e u v'"),
        }
    }
    let (directed, n, edges) = header.ok_or("there is no header 'p edge N M'")?;
    match list.len() {
        count if count == edges => Ok((directed, n, list)),
        count => Err(format!("the header says {edges} edges, and there are {count}")),
    }
}

fn edge_list(text: &str, room: Room) -> Result<Raw, String> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut edges = Vec::new();
    for (line, words) in lines(text, Some('#')).filter(|(_, words)| !words[0].starts_with('%')) {
        let [first, second, rest @ ..] = &words[..] else { return expected(line, "two names") };
        let [u, v] = [first, second].map(|&name| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        });
        room.holds(numbers.len(), edges.len())?;
        edges.push((u, v, weight(line, rest)?));
    }
    Ok((false, numbers.len(), edges))
}

/// Cards `number colour`, joined where they agree in one: names are compared in small letters.
fn deck(text: &str, room: Room) -> Result<Raw, String> {
    let (mut cards, mut edges) = (0, Vec::new());
    let mut alike: HashMap<(usize, String), Vec<u32>> = HashMap::new();
    for (line, words) in lines(text, Some('#')).filter(|(_, words)| !words[0].starts_with("---")) {
        let [first, second, ..] = words[..] else { return expected(line, "a number and a colour") };
        for (side, word) in [first, second].into_iter().enumerate() {
            let name = word.parse::<u32>().map_or(word.to_lowercase(), |value| value.to_string());
            let group = alike.entry((side, name)).or_default();
            room.holds(cards as usize, edges.len() + group.len())?;
            edges.extend(group.iter().map(|&other| (other, cards, 1)));
            group.push(cards);
        }
        cards += 1;
    }
    Ok((false, cards as usize, edges))
}
