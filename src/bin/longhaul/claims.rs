//! What an answer claims beside its path, and whether that can be true.
//!
//! A bound can't be verified without a witness, so of it only contradictions are told. That there is no path at all is
//! verified: between two nodes there is one if the one can be reached from the other; and there is a cycle if some strong
//! component has two nodes, or an edge joins what others join already.

use std::cmp::Ordering;
use std::collections::HashSet;

use longhaul::io::{Decimal, GraphFile};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;
use petgraph::unionfind::UnionFind;
use petgraph::visit::{EdgeRef, NodeFiltered};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::input::Ends;

/// Claims beside the path; what is `None` is not claimed.
#[derive(Default)]
pub(crate) struct Claims {
    /// As JSON spells it: optimal, feasible, infeasible or unknown.
    pub(crate) status: Option<String>,
    upper_bound: Option<Decimal>,
    /// Whether it is about a trail.
    pub(crate) is_trail: bool,
    pub(crate) closed: Option<bool>,
    directed: Option<bool>,
    /// How many nodes were asked for.
    pub(crate) k: Option<u64>,
    /// The names of the ends that were asked for.
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    weights: Option<Vec<Decimal>>,
    /// Whether the length is more than the weights.
    has_prizes: bool,
}

/// The name of a node, which may be a number.
pub(crate) fn name_of(node: &Value) -> Option<String> {
    match node {
        Value::String(word) => Some(word.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The numbers of an answer, digit by digit.
#[derive(Deserialize)]
pub(crate) struct Numbers<'a> {
    #[serde(borrow)]
    pub(crate) length: Option<&'a RawValue>,
    #[serde(borrow)]
    upper_bound: Option<&'a RawValue>,
    #[serde(borrow)]
    weights: Option<Vec<&'a RawValue>>,
}

/// The number that stands there, if it is one.
pub(crate) fn decimal(text: &RawValue) -> Option<Decimal> {
    text.get().parse().ok()
}

impl Claims {
    /// From an object, and the numbers of it as they stand there.
    pub(crate) fn of_json(value: &Value, numbers: &Numbers<'_>) -> Self {
        let ends = &value["ends"];
        let weights = numbers.weights.as_ref();
        Claims {
            status: value["status"].as_str().map(str::to_owned),
            upper_bound: numbers.upper_bound.and_then(decimal),
            is_trail: value["edges"].is_array(),
            closed: value["cycle"].as_bool(),
            directed: value["directed"].as_bool(),
            k: value["k"].as_u64(),
            from: name_of(&ends["from"]),
            to: name_of(&ends["to"]),
            has_prizes: !value["prizes"].is_null(),
            weights: weights.map(|all| all.iter().filter_map(|weight| decimal(weight)).collect()),
        }
    }

    /// From an `s` line of DIMACS.
    pub(crate) fn of_dimacs_status(words: &str) -> Option<String> {
        let status = match words.trim() {
            "OPTIMUM FOUND" => "optimal",
            "FEASIBLE" => "feasible",
            "INFEASIBLE" => "infeasible",
            "UNKNOWN" => "unknown",
            _ => return None,
        };
        Some(status.to_owned())
    }

    /// What can't be true of the question, whatever the path.
    pub(crate) fn fit(&self, file: &GraphFile) -> Result<(), String> {
        let kind = |directed: bool| if directed { "directed" } else { "undirected" };
        match self.directed {
            Some(directed) if directed != file.directed => {
                let (claimed, read) = (kind(directed), kind(file.directed));
                Err(format!("the answer is about {claimed} edges, and the graph is read with {read} ones"))
            }
            _ => Ok(()),
        }
    }

    /// What can't be true of a path of this length with these nodes.
    pub(crate) fn fit_path(&self, length: i64, places: u32, nodes: &[String]) -> Result<(), String> {
        let shown = Decimal { units: length, places };
        let contradiction = |claim: String| Err(format!("a path of length {shown}, and the answer claims {claim}"));
        let bound_is = |order: Ordering| {
            self.upper_bound.is_some_and(|upper| upper.compare(Decimal { units: length, places }) == order)
        };
        match self.status.as_deref() {
            Some(status @ ("infeasible" | "unknown")) => return contradiction(format!("to be {status}")),
            Some("optimal") if bound_is(Ordering::Less) || bound_is(Ordering::Greater) => {
                return contradiction(format!("that this is optimal, with a bound of {}", self.bound()));
            }
            Some("optimal" | "feasible") | None => {}
            Some(other) => return Err(format!("the answer claims the status '{other}', which there is none of")),
        }
        if bound_is(Ordering::Less) {
            return contradiction(format!("that none is longer than {}", self.bound()));
        }
        if let Some(k) = self.k.filter(|&k| k != nodes.len() as u64) {
            return contradiction(format!("{k} nodes, where there are {}", nodes.len()));
        }
        let last = &nodes[nodes.len() - 1];
        let is_closed = self.closed == Some(true);
        if let Some(from) = self.from.as_ref().filter(|&from| !nodes.contains(from) || !is_closed && nodes[0] != *from)
        {
            return contradiction(format!("to begin at '{from}'"));
        }
        if let Some(to) = self.to.as_ref().filter(|&to| to != last) {
            return contradiction(format!("to end at '{to}'"));
        }
        if let Some(weights) = &self.weights {
            let edges = nodes.len() - usize::from(!is_closed);
            let sum = weights.iter().try_fold(0i64, |sum, weight| sum.checked_add(weight.units_of(places)?));
            if weights.len() != edges || (!self.has_prizes && sum != Some(length)) {
                let sum = sum.map_or("another number".to_owned(), |units| Decimal { units, places }.to_string());
                return contradiction(format!("{} weight(s) that add up to {sum}", weights.len()));
            }
        }
        Ok(())
    }

    fn bound(&self) -> String {
        self.upper_bound.map_or("none".to_owned(), |upper| upper.to_string())
    }

    /// What a proof that no path is longer than a bound (that there is none, without one) adds, or what of the claim it does not prove.
    pub(crate) fn fit_proof(&self, length: Option<i64>, bound: Option<i64>, places: u32) -> Result<String, String> {
        let shown = |units: i64| Decimal { units, places };
        match (length, bound) {
            (None, None) => Ok("; that there is none is proved".to_owned()),
            (None, Some(_)) if self.status.as_deref() == Some("infeasible") => {
                Err("the answer claims that there is no path, and the proof does not show that".to_owned())
            }
            (Some(_), None) => Err("the proof shows that there is no path at all, and here is one".to_owned()),
            (Some(length), Some(bound)) if bound < length => {
                Err(format!("the proof shows that none is longer than {}, and this one is", shown(bound)))
            }
            (_, Some(bound)) => {
                let is_optimal =
                    self.status.as_deref() == Some("optimal") && length.is_some_and(|length| length < bound);
                let is_below = self.upper_bound.is_some_and(|upper| upper.compare(shown(bound)) == Ordering::Less);
                match (is_optimal || is_below, length == Some(bound)) {
                    (true, _) => Err(format!(
                        "the answer claims more than the proof, which shows that none is longer than {}",
                        shown(bound)
                    )),
                    (false, true) => Ok("; that none is longer is proved".to_owned()),
                    (false, false) => Ok(format!("; that none is longer than {} is proved", shown(bound))),
                }
            }
        }
    }

    /// What was claimed and not checked.
    pub(crate) fn unchecked(&self) -> String {
        match (self.status.as_deref(), self.upper_bound) {
            (Some("optimal"), _) => "; that none is longer is claimed, and not checked".to_owned(),
            (_, Some(upper)) => format!("; that none is longer than {upper} is claimed, and not checked"),
            _ => String::new(),
        }
    }

    /// The verdict on an answer without a path: `None` if it should have one.
    /// Where more is asked than ends, only that there are ends is checked.
    pub(crate) fn without_path(
        &self,
        file: &GraphFile,
        ends: &Ends,
        asks_more: bool,
    ) -> Option<Result<String, String>> {
        let what = if ends.closed { "cycle" } else { "path" };
        match self.status.as_deref()? {
            "unknown" => Some(Ok(format!("no {what} is claimed, nor that there is none"))),
            "infeasible" if self.k.is_some() || (asks_more && exists(file, ends)) => {
                Some(Ok(format!("that there is no such {what} is claimed, and not checked")))
            }
            "infeasible" => Some(match exists(file, ends) {
                true => Err(format!("there is a {what}, which the answer denies")),
                false => Ok(format!("there is no such {what}, as it claims")),
            }),
            _ => None,
        }
    }
}

/// Whether there is a path, or a cycle, of the kind that is asked for.
fn exists(file: &GraphFile, ends: &Ends) -> bool {
    let graph = &file.graph;
    let is_allowed = |node: NodeIndex| !ends.forbidden[node.index()];
    if !ends.closed {
        return match (ends.from, ends.to) {
            (Some(from), Some(to)) => reached(file, ends, from, None).contains(&to),
            _ => graph.node_indices().any(is_allowed),
        };
    }
    if file.directed {
        let is_visited = |part: &Vec<NodeIndex>| ends.from.is_none_or(|from| part.contains(&from));
        let parts = kosaraju_scc(&NodeFiltered::from_fn(graph, is_allowed));
        return parts.iter().any(|part| part.len() > 1 && is_visited(part));
    }
    let allowed =
        graph.edge_references().map(|edge| (edge.source().min(edge.target()), edge.source().max(edge.target())));
    let allowed = allowed.filter(|&(one, two)| one != two && is_allowed(one) && is_allowed(two));
    match ends.from {
        // Without the vertex, two of its neighbours reach each other.
        Some(from) => {
            let mut seen = HashSet::new();
            let neighbours: HashSet<NodeIndex> = allowed
                .filter(|&(one, two)| one == from || two == from)
                .map(|(one, two)| if one == from { two } else { one })
                .collect();
            neighbours.iter().any(|&neighbour| {
                let is_seen = seen.contains(&neighbour);
                if !is_seen {
                    seen.extend(reached(file, ends, neighbour, Some(from)));
                }
                is_seen
            })
        }
        None => {
            let mut parts = UnionFind::new(graph.node_count());
            let edges: HashSet<(NodeIndex, NodeIndex)> = allowed.collect();
            edges.into_iter().any(|(one, two)| !parts.union(one.index(), two.index()))
        }
    }
}

/// The nodes that can be reached from one, without another if that is given.
fn reached(file: &GraphFile, ends: &Ends, start: NodeIndex, without: Option<NodeIndex>) -> HashSet<NodeIndex> {
    let mut seen = HashSet::from([start]);
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        let outgoing = file.graph.edges(node).map(|edge| edge.target());
        let incoming = file.graph.edges_directed(node, petgraph::Incoming).map(|edge| edge.source());
        for next in outgoing.chain(incoming.filter(|_| !file.directed)) {
            if !ends.forbidden[next.index()] && Some(next) != without && seen.insert(next) {
                stack.push(next);
            }
        }
    }
    seen
}
