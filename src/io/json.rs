//! Node-link JSON, as networkx (`node_link_data`) and D3 write it.
//!
//! ```text
//! {"directed": false,
//!  "nodes": [{"id": "Rome", "x": 12.5, "y": 41.9}, {"id": "Milan"}],
//!  "links": [{"source": "Rome", "target": "Milan", "weight": 477}]}
//! ```
//!
//! - `nodes` is a list of objects with an `id` each, a text or a whole number. Where no node has one, nodes are called by
//!   their `name`s, and links tell their ends by position from 0, as older versions of D3 do. `x` and `y` say where a node is drawn.
//! - `links` (or `edges`) is a list of objects with `source`, `target` and perhaps a `weight` (or `value`, as in D3), a number;
//!   either all have one or none has.
//! - `directed` says whether edges have a direction; without it they have none. All else is left out.
//!
//! The text is read twice, nodes first, and never held as a tree: what is skipped costs no memory, however deep it is.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};

use super::builder::Builder;
use super::builder::ONE;
use super::decimal::{Decimal, DecimalFlaw};
use super::error::FileError;
use super::names::NodeName;
use super::text::Text;
use super::{Format, GraphFile, ReadOptions};
use serde_json::value::RawValue;

/// What is read of one file, in two passes.
struct Reading<'a> {
    source: &'a Text<'a>,
    builder: Builder,
    directed: bool,
    /// Whether nodes have ids, once there is a node; else links count positions.
    has_ids: Option<bool>,
    lists: Lists,
}

/// Which lists the file has.
#[derive(Default)]
struct Lists {
    nodes: bool,
    links: bool,
}

/// The two passes over the outermost object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Nodes,
    Links,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut reading = Reading {
        source,
        builder: Builder::new(source, options),
        directed: false,
        has_ids: None,
        lists: Lists::default(),
    };
    for pass in [Pass::Nodes, Pass::Links] {
        let text = source.as_str().trim_start_matches('\u{FEFF}');
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let whole = Level { is_list: false, reading: &mut reading, pass }.deserialize(&mut deserializer);
        whole.and_then(|()| deserializer.end()).map_err(|error| place(source, text, &error))?;
    }
    for (there, list) in [(reading.lists.nodes, "nodes"), (reading.lists.links, "links")] {
        if !there {
            return Err(source.ends_early(format!("a list \"{list}\" in the object")));
        }
    }
    Ok(reading.builder.finish(Format::Json, reading.directed))
}

/// The reader's complaint at its place in the text.
fn place(source: &Text<'_>, text: &str, error: &serde_json::Error) -> FileError {
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
    let line = text.split_inclusive('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    if error.is_eof() || line.is_empty() {
        return source.ends_early(format!("the rest of the JSON ({said})"));
    }
    // The reader counts bytes and points to the last one it took.
    let mut at = error.column().saturating_sub(1).min(line.trim_end().len().saturating_sub(1));
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    let letter = line[at..].chars().next().map_or(0, char::len_utf8);
    let found = source.word_of(&line[at..at + letter]);
    let expected = match (said.split_once(", expected "), said.strip_prefix("expected ")) {
        (Some((found, expected)), _) => format!("{expected} ({found})"),
        (None, Some(expected)) => expected.to_owned(),
        (None, None) => format!("JSON of nodes and links ({said})"),
    };
    found.unexpected(expected)
}

/// The outermost object, or one of its lists.
struct Level<'r, 'a> {
    reading: &'r mut Reading<'a>,
    pass: Pass,
    is_list: bool,
}

impl<'de> DeserializeSeed<'de> for Level<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.is_list { deserializer.deserialize_seq(self) } else { deserializer.deserialize_map(self) }
    }
}

impl<'de> Visitor<'de> for Level<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_list { "a list of objects" } else { "an object with \"nodes\" and \"links\"" })
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Level { reading, pass, is_list } = self;
        if is_list {
            return Err(M::Error::invalid_type(Unexpected::Map, &"a list of objects"));
        }
        while let Some(key) = map.next_key::<Scalar<'de>>()? {
            match (key.0.as_ref(), pass) {
                ("directed", Pass::Nodes) => reading.directed = map.next_value()?,
                ("nodes", Pass::Nodes) | ("links" | "edges", Pass::Links) => {
                    reading.once(pass)?;
                    map.next_value_seed(Level { reading, pass, is_list: true })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        let Level { reading, pass, is_list } = self;
        if !is_list {
            return Err(S::Error::invalid_type(Unexpected::Seq, &"an object with \"nodes\" and \"links\""));
        }
        while let Some(object) = seq.next_element_seed(Object { pass })? {
            match pass {
                Pass::Nodes => reading.add_node(&object)?,
                Pass::Links => reading.add_link(&object)?,
            }
            if reading.source.must_stop() {
                return Err(S::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// A text, or a number as it stands there.
struct Scalar<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor).map(Scalar)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or a whole number")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }
}

/// What matters of a node or link.
#[derive(Default)]
struct Fields<'de> {
    id: Option<Cow<'de, str>>,
    name: Option<Cow<'de, str>>,
    place: [Option<f64>; 2],
    source: Option<Cow<'de, str>>,
    target: Option<Cow<'de, str>>,
    /// As they stand there.
    weight: Option<&'de RawValue>,
    value: Option<&'de RawValue>,
}

struct Object {
    pass: Pass,
}

impl<'de> DeserializeSeed<'de> for Object {
    type Value = Fields<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.pass {
            Pass::Nodes => "a node, as an object like {\"id\": 1}",
            Pass::Links => "a link, as an object like {\"source\": 1, \"target\": 2}",
        })
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields<'de>, M::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<Scalar<'de>>()? {
            match (key.0.as_ref(), self.pass) {
                ("id", Pass::Nodes) => fields.id = Some(map.next_value::<Scalar<'de>>()?.0),
                ("name", Pass::Nodes) => fields.name = Some(map.next_value::<Scalar<'de>>()?.0),
                ("x", Pass::Nodes) => fields.place[0] = map.next_value()?,
                ("y", Pass::Nodes) => fields.place[1] = map.next_value()?,
                ("source", Pass::Links) => fields.source = Some(map.next_value::<Scalar<'de>>()?.0),
                ("target", Pass::Links) => fields.target = Some(map.next_value::<Scalar<'de>>()?.0),
                ("weight", Pass::Links) => fields.weight = map.next_value()?,
                ("value", Pass::Links) => fields.value = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

impl Reading<'_> {
    fn once<E: Error>(&mut self, pass: Pass) -> Result<(), E> {
        let (there, list) = match pass {
            Pass::Nodes => (&mut self.lists.nodes, "nodes"),
            Pass::Links => (&mut self.lists.links, "links or edges"),
        };
        match std::mem::replace(there, true) {
            true => Err(E::custom(format!("expected one list of {list}, and this is the second"))),
            false => Ok(()),
        }
    }

    fn add_node<E: Error>(&mut self, fields: &Fields<'_>) -> Result<(), E> {
        let count = self.builder.graph.node_count();
        let has_id = fields.id.is_some();
        if *self.has_ids.get_or_insert(has_id) != has_id {
            return Err(E::custom("expected an id for every node or for none"));
        }
        let position;
        let name = match fields.id.as_ref().or(fields.name.as_ref()) {
            Some(name) => name.as_ref(),
            None => {
                position = count.to_string();
                &position
            }
        };
        let at = self.source.word(0..0);
        let node = self.builder.node(name, &at).map_err(E::custom)?;
        if node.index() != count {
            return Err(E::custom(format!("expected another node than '{name}', which the file has already")));
        }
        if let [Some(x), Some(y)] = fields.place
            && x.is_finite()
            && y.is_finite()
        {
            self.builder.place(node, [x, y]);
        }
        Ok(())
    }

    fn add_link<E: Error>(&mut self, fields: &Fields<'_>) -> Result<(), E> {
        let tail = self.end(&fields.source, "source")?;
        let head = self.end(&fields.target, "target")?;
        let read = |text: &RawValue| match (self.builder.unit_weights, text.get().parse::<Decimal>()) {
            (true, _) => Ok(ONE),
            (false, Ok(weight)) => Ok(weight),
            (false, Err(DecimalFlaw::TooLong)) => Err(E::custom(format!(
                "found the weight {text}, expected a weight of fewer digits, which fits 64 bits"
            ))),
            (false, Err(_)) => {
                Err(E::custom(format!("found the weight {text}, expected a weight (a number like 3, -1.5 or 2e3)")))
            }
        };
        let weight = fields.weight.or(fields.value).map(read).transpose()?;
        let weight = self.builder.plain_weight(weight).map_err(E::custom)?;
        let at = self.source.word(0..0);
        self.builder.edge(tail, head, weight, &at).map_err(E::custom)
    }

    /// A node by its id, or by its position where nodes have no ids.
    fn end<E: Error>(&self, end: &Option<Cow<'_, str>>, which: &str) -> Result<NodeIndex, E> {
        let Some(name) = end else {
            return Err(E::custom(format!("expected a {which} in the link")));
        };
        let index = match self.has_ids {
            Some(false) => name.parse().ok().filter(|&index| (index as usize) < self.builder.graph.node_count()),
            _ => self.builder.names.find(name),
        };
        let missing = || E::custom(format!("found the {which} '{name}', expected a node of the file"));
        index.map(|index: u32| NodeIndex::new(index as usize)).ok_or_else(missing)
    }
}

/// Writes any graph, a node or link a line.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let name = |node: NodeIndex, out: &mut dyn Write| match file.names.name(node) {
        NodeName::Number(number) => write!(out, "{number}"),
        NodeName::Word(word) => Ok(serde_json::to_writer(out, word)?),
    };
    write!(out, "{{\"directed\": {}, \"multigraph\": true, \"graph\": {{}},\n \"nodes\": [", file.directed)?;
    for node in file.graph.node_indices() {
        write!(out, "{}{{\"id\": ", if node.index() == 0 { "\n  " } else { ",\n  " })?;
        name(node, out)?;
        if let Some([x, y]) = file.coordinates.as_ref().map(|places| places[node.index()]) {
            write!(out, ", \"x\": {x:?}, \"y\": {y:?}")?;
        }
        write!(out, "}}")?;
    }
    write!(out, "],\n \"links\": [")?;
    for (position, edge) in file.graph.edge_references().enumerate() {
        write!(out, "{}{{\"source\": ", if position == 0 { "\n  " } else { ",\n  " })?;
        name(edge.source(), out)?;
        write!(out, ", \"target\": ")?;
        name(edge.target(), out)?;
        if file.weighted {
            write!(out, ", \"weight\": {}", file.decimal(*edge.weight()))?;
        }
        write!(out, "}}")?;
    }
    writeln!(out, "]}}")
}
