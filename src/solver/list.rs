//! More than one path: how many there are, all of the longest, the best few, or some at random.

use std::fmt;
use std::time::Instant;

use num_bigint::BigUint;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::check_options;
use super::reading::{Question, Reading};
use crate::certificate::{Claim, Demands};
use crate::engine::Engine;
use crate::engines::sweep::Script;
use crate::engines::sweep::count::Counting;
use crate::engines::sweep::diagram::{Answers, BestAnswers, BestCounts, Diagram};
use crate::error::Error;
use crate::instance::{Budget, Monitor, Run};
use crate::options::Options;
use crate::problem::{LongestPath, PathCounts};
use crate::solution::{Answer, Path, Solution, Stats, Stop};
use crate::strategy::sweep;
use crate::view::InputGraph;

impl<'a, G: InputGraph> LongestPath<'a, G> {
    /// Counts the longest paths (cycles), with all demands.
    ///
    /// Where the graph has no direction, a path and its reverse are the same, and so are the ways to tell a cycle; parallel
    /// edges make different paths. Of options only limits hold, and the engine must be [`Auto`](Engine::Auto) or
    /// [`Frontier`](Engine::Frontier).
    ///
    /// # Errors
    /// As [`solve`](Self::solve); and for [`induced`](Self::induced) paths, which are not counted.
    ///
    /// # Complexity
    /// As the engine [`Frontier`](Engine::Frontier): exponential in the width of the graph only, whatever the count.
    ///
    /// # Example
    /// ```
    /// use longhaul::LongestPath;
    /// use petgraph::graph::UnGraph;
    ///
    /// // 0 ─ 1 ─ 2
    /// // │   │   │
    /// // 3 ─ 4 ─ 5
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
    /// let counts = LongestPath::new(&graph).count()?;
    /// assert_eq!((counts.length(), counts.count()), (Some(5), Some(8u32.into())));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn count(self) -> Result<PathCounts, Error> {
        self.counts(Counting::Best)
    }

    /// Counts all paths (cycles) with all demands, by their lengths: the whole length distribution.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Complexity
    /// As [`count`](Self::count), times the number of different lengths.
    ///
    /// # Example
    /// ```
    /// use longhaul::{BigUint, LongestPath};
    /// use petgraph::graph::UnGraph;
    ///
    /// // 0 ─ 1 ─ 2
    /// // │   │   │
    /// // 3 ─ 4 ─ 5
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
    /// let counts = LongestPath::new(&graph).from(0.into()).to(5.into()).distribution()?;
    /// assert_eq!(counts.by_length(), [(3, BigUint::from(3u32)), (5, BigUint::from(1u32))]);
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn distribution(self) -> Result<PathCounts, Error> {
        self.counts(Counting::ByWorth)
    }

    fn counts(self, counting: Counting) -> Result<PathCounts, Error> {
        let (Listed { reading, .. }, mut run) = self.read()?;
        let counted = if reading.only_lone() {
            run.enter(Engine::Auto, "auto: no path with an edge can be an answer".to_owned());
            Ok(Vec::new())
        } else {
            sweep::counts(&reading.asked, counting, &mut run)
        };
        let (mut by_length, stop) = match counted {
            Ok(counts) => (counts, Stop::Finished),
            Err(stop) => (Vec::new(), stop),
        };
        if stop == Stop::Finished {
            reading.lones().for_each(|(_, length)| add_one(&mut by_length, length));
            if counting == Counting::Best {
                by_length.drain(..by_length.len().saturating_sub(1));
            }
            if let Some(&(length, _)) = by_length.last() {
                run.incumbent(length);
                run.bound(length);
            }
        }
        Ok(PathCounts { by_length, stop, stats: run.into_stats() })
    }

    /// All longest paths (cycles), with all demands, one after the other in an order that is always the same.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Complexity
    /// Before the first path as [`count`](Self::count), in memory as well; then linear in the size of the graph for each.
    ///
    /// # Example
    /// ```
    /// use longhaul::LongestPath;
    /// use petgraph::graph::UnGraph;
    ///
    /// let square = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
    /// let longest: Vec<_> = LongestPath::new(&square).all()?.collect();
    /// assert_eq!(longest.len(), 4);
    /// assert!(longest.iter().all(|path| path.length() == 3));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn all(self) -> Result<Paths<'a, G>, Error> {
        self.list(|diagram, script, lones| {
            let best = lones.iter().map(|&(_, worth)| worth).chain(diagram.best()).max();
            lones.retain(|&(_, worth)| Some(worth) == best);
            if diagram.best() == best { Source::Best(script, BestAnswers::new(diagram)) } else { Source::None }
        })
    }

    /// The `k` best paths (cycles), with all demands, from the longest on; fewer if there are not so many. Those of equal
    /// length come in an order that is always the same.
    ///
    /// # Errors
    /// As [`count`](Self::count), and if `k` is 0.
    ///
    /// # Complexity
    /// Before the first path as [`count`](Self::count), in memory as well; then linear in the size of the graph for each.
    ///
    /// # Example
    /// ```
    /// use longhaul::LongestPath;
    /// use petgraph::graph::UnGraph;
    ///
    /// let graph = UnGraph::<(), i64>::from_edges([(0, 1, 5), (1, 2, 1), (0, 2, 2)]);
    /// let best = LongestPath::new(&graph).weights(|edge| *edge.weight()).best(3)?;
    /// assert_eq!(best.map(|path| path.length()).collect::<Vec<_>>(), [7, 6, 5]);
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn best(self, k: usize) -> Result<Paths<'a, G>, Error> {
        if k == 0 {
            return Err(Error::request("best(0)".to_owned(), "a number of paths is 1 or more"));
        }
        let mut paths = self.list(|diagram, script, _| Source::Ranked(script, Answers::new(diagram)))?;
        paths.left = k;
        Ok(paths)
    }

    /// A longest path (cycle), with all demands: each is as likely. The same seed gives the same path.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Complexity
    /// As [`count`](Self::count), in memory as well.
    ///
    /// # Example
    /// ```
    /// use longhaul::LongestPath;
    /// use petgraph::graph::UnGraph;
    ///
    /// let square = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
    /// let solution = LongestPath::new(&square).sample(7)?;
    /// assert_eq!((solution.length(), solution.is_optimal()), (Some(3), true));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn sample(self, seed: u64) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
        let mut paths = self.samples(seed)?;
        let path = paths.next();
        let upper_bound = match (&path, paths.stop) {
            (Some(path), _) => Some(path.length),
            (None, Stop::Finished) => None,
            (None, _) => Some(paths.listed.reading.most),
        };
        let answer = Answer::new(path.map(Path::with_length), upper_bound, paths.stop, paths.stats);
        Ok(Solution { answer, witness: Err(super::UNASKED.to_owned()) })
    }

    /// Longest paths (cycles), with all demands, without end: each is any of them with equal probability, whatever came
    /// before. The same seed gives the same paths.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Complexity
    /// Before the first path as [`count`](Self::count), in memory as well; then linear in the size of the graph for each.
    pub fn samples(self, seed: u64) -> Result<Paths<'a, G>, Error> {
        self.list(|diagram, script, lones| {
            let best = lones.iter().map(|&(_, worth)| worth).chain(diagram.best()).max();
            lones.retain(|&(_, worth)| Some(worth) == best);
            let counts = BestCounts::new(&diagram);
            let edged = if diagram.best() == best { counts.total() } else { BigUint::ZERO };
            Source::Random { script, diagram, counts, edged, rng: Pcg64Mcg::seed_from_u64(seed) }
        })
    }

    /// Makes the diagram, and the list from it and the paths of a single vertex.
    fn list(self, source: impl FnOnce(Diagram, Script, &mut Vec<(u32, i64)>) -> Source) -> Result<Paths<'a, G>, Error> {
        let (listed, mut run) = self.read()?;
        let reading = &listed.reading;
        let made = if reading.only_lone() { Ok(None) } else { sweep::diagram(&reading.asked, &mut run) };
        let (diagram, stop) = match made {
            Ok(diagram) => (diagram, Stop::Finished),
            Err(stop) => (None, stop),
        };
        let mut lones: Vec<(u32, i64)> = if stop == Stop::Finished { reading.lones().collect() } else { Vec::new() };
        // The next stands at the end.
        lones.sort_by_key(|&(vertex, worth)| (worth, std::cmp::Reverse(vertex)));
        let (script, diagram) = diagram.unwrap_or_else(|| (Script::empty(), Diagram::empty()));
        let source = source(diagram, script, &mut lones);
        let budget = run.budget.clone();
        let stats = run.into_stats();
        Ok(Paths { listed, source, lones, left: usize::MAX, budget, stop, stats })
    }

    /// Reads the question, and begins to answer it.
    fn read(self) -> Result<(Listed<'a, G>, Run<'a>), Error> {
        let LongestPath { graph, from, to, closed, weights, prizes, demands, options, observer, proof } = self;
        if proof.is_some() {
            return Err(Error::contradiction(
                "a proof is one of a single longest path, not of lists, counts or samples",
            ));
        }
        check(&options, &demands)?;
        let claim = Claim { from, to, closed };
        let question = Question { graph, claim, demands: &demands, weights: &weights, prizes: &prizes };
        let reading = question.read()?;
        let run = Run::new(Instant::now(), &options.limits, options.goal, observer);
        Ok((Listed { graph, claim, demands, weights, prizes, reading }, run))
    }
}

/// What paths are listed of.
struct Listed<'a, G: InputGraph> {
    graph: G,
    claim: Claim<G::NodeId>,
    demands: Demands<G::NodeId, G::EdgeId>,
    weights: Option<Box<dyn Fn(G::EdgeRef) -> i64 + Send + 'a>>,
    prizes: Option<Box<dyn Fn(G::NodeId) -> i64 + Send + 'a>>,
    reading: Reading<G::NodeId, G::EdgeId>,
}

impl<G: InputGraph> Listed<'_, G> {
    fn check(&self, path: &Path<G::NodeId, G::EdgeId>) {
        let Listed { graph, claim, demands, weights, prizes, .. } = self;
        Question { graph: *graph, claim: *claim, demands, weights, prizes }.check(path);
    }
}

/// Refuses what is not counted or listed.
fn check<NodeId, EdgeId>(options: &Options, demands: &Demands<NodeId, EdgeId>) -> Result<(), Error> {
    check_options(options)?;
    if demands.induced {
        return Err(Error::contradiction("induced paths are not counted or listed; ask for the longest alone"));
    }
    match options.engine.engine() {
        Engine::Auto | Engine::Frontier => Ok(()),
        engine => Err(Error::request(
            format!("the engine '{engine}' for more than one path"),
            "only 'auto' and 'frontier' count and list",
        )),
    }
}

/// Counts a path of this length.
fn add_one(by_length: &mut Vec<(i64, BigUint)>, length: i64) {
    match by_length.binary_search_by_key(&length, |&(known, _)| known) {
        Ok(at) => by_length[at].1 += 1u32,
        Err(at) => by_length.insert(at, (length, BigUint::from(1u32))),
    }
}

/// Paths one after the other: the answer of [`all`](LongestPath::all), [`best`](LongestPath::best) and
/// [`samples`](LongestPath::samples).
///
/// Each is made when it is asked for, in time linear in the size of the graph, and has passed the
/// [independent check](crate::certificate). The time limit, the memory limit and the interrupt flag of the question go on to
/// hold: past them the iterator ends, and [`stop`](Self::stop) says so.
pub struct Paths<'a, G: InputGraph> {
    listed: Listed<'a, G>,
    source: Source,
    /// Paths of a single vertex with their lengths, the next at the end.
    lones: Vec<(u32, i64)>,
    /// How many paths may still be told.
    left: usize,
    budget: Budget,
    stop: Stop,
    stats: Stats,
}

/// Without the graph, whose ids need not be printable.
impl<G: InputGraph> fmt::Debug for Paths<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Paths");
        told.field("left", &self.left).field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// Where the paths with an edge come from.
enum Source {
    None,
    Best(Script, BestAnswers),
    Ranked(Script, Answers),
    /// `edged` of the longest have an edge.
    Random {
        script: Script,
        diagram: Diagram,
        counts: BestCounts,
        edged: BigUint,
        rng: Pcg64Mcg,
    },
}

impl<G: InputGraph> Paths<'_, G> {
    /// Why there are no more paths than were given: [`Finished`](Stop::Finished) if these are all, or a limit.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How the list came about.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    fn next_lone(&mut self) -> Option<Path<G::NodeId, G::EdgeId>> {
        let (vertex, length) = self.lones.pop()?;
        Some(self.listed.reading.lone_path(vertex, length))
    }

    fn next_path(&mut self) -> Option<Path<G::NodeId, G::EdgeId>> {
        let lone = self.lones.last().map(|&(_, worth)| worth);
        let (script, decisions) = match &mut self.source {
            Source::None => return self.next_lone(),
            Source::Best(script, answers) => match answers.next() {
                Some(decisions) => (&*script, decisions),
                None => return self.next_lone(),
            },
            Source::Ranked(script, answers) => {
                if lone >= answers.peek() {
                    return self.next_lone();
                }
                (&*script, answers.next()?.0)
            }
            Source::Random { script, diagram, counts, edged, rng } => {
                let all = &*edged + self.lones.len();
                if all == BigUint::ZERO {
                    return None;
                }
                let place = below(rng, &all);
                if place >= *edged {
                    let place = usize::try_from(place - &*edged).expect("no more than there are vertices");
                    let (vertex, length) = self.lones[place];
                    return Some(self.listed.reading.lone_path(vertex, length));
                }
                (&*script, diagram.sample(counts, |count| below(rng, count))?)
            }
        };
        let edges = sweep::taken(script, &decisions);
        Some(self.listed.reading.path(&edges, self.listed.reading.worth(&edges)))
    }
}

impl<G: InputGraph> Iterator for Paths<'_, G> {
    type Item = Path<G::NodeId, G::EdgeId>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 || self.stop != Stop::Finished {
            return None;
        }
        if let Some(stop) = self.budget.spent() {
            self.stop = stop;
            return None;
        }
        if let Source::Ranked(_, answers) = &self.source
            && answers.bytes() > self.budget.memory
        {
            self.stop = Stop::MemoryLimit;
            return None;
        }
        self.left -= 1;
        let path = self.next_path()?;
        self.listed.check(&path);
        Some(path)
    }
}

/// A random number below this one, each as likely: numbers of as many bits are drawn until one is.
fn below(rng: &mut Pcg64Mcg, limit: &BigUint) -> BigUint {
    let bits = limit.bits();
    let words = bits.div_ceil(32) as usize;
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| rng.next_u32()).collect();
        if let Some(highest) = digits.last_mut()
            && !bits.is_multiple_of(32)
        {
            *highest >>= 32 - bits % 32;
        }
        let drawn = BigUint::new(digits);
        if drawn < *limit {
            return drawn;
        }
    }
}
