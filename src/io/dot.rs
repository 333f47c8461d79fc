//! DOT, the language of Graphviz.
//!
//! ```text
//! graph roads {
//!   node [shape=circle]
//!   Rome -- Milan [weight=477]
//!   Milan -- { Turin "Reggio Emilia" } [weight=126]
//!   Rome [pos="12.5,41.9"]
//! }
//! ```
//!
//! - `graph` has edges `--`, `digraph` has edges `->`. Names are words, numbers, texts in double quotes (which `+` joins) or in
//!   angle brackets; ports behind a colon are left out. A chain `a -- b -- c` is two edges, and a group in braces stands for each
//!   node in it, subgraphs too.
//! - The attribute `weight` of an edge is its weight, its own or the default of an `edge [ … ]` before it, and `pos` of a node says
//!   where it is drawn. Other attributes are left out. In a `strict` graph an edge told of again is the same edge, and the
//!   weight told last holds.
//! - `//`, `/* */` and lines that begin with `#` are comments. Keywords are in small or capital letters.
//!
//! Groups are kept on a stack of our own, so that no depth of braces overflows that of the process.
//!
//! Source: *The DOT Language*, Graphviz documentation, graphviz.org/doc/info/lang.html.

use std::io::Write;

use hashbrown::HashMap;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::decimal::Decimal;
use super::dot_tokens::Tokens;
use super::error::FileError;
use super::text::{Text, Word};
use super::{Format, GraphFile, ReadOptions};

/// Groups within groups: more is no graph.
const DEEPEST: usize = 256;

/// A list of statements in braces.
#[derive(Default)]
struct Group<'a> {
    /// The nodes that it mentions, each once or more.
    nodes: Vec<NodeIndex>,
    /// The weight of edges that give none.
    weight: Option<Word<'a>>,
    /// The statement that this group is a part of: the edges to make from what stands before it.
    chain: Chain<'a>,
}

/// A statement of nodes and edges as far as it is read.
#[derive(Default)]
struct Chain<'a> {
    /// The nodes of each place of the chain.
    places: Vec<Vec<NodeIndex>>,
    /// Where the statement begins.
    at: Option<Word<'a>>,
    /// Whether an edge sign came last.
    open: bool,
}

/// The attributes that matter.
#[derive(Default)]
struct Attributes<'a> {
    weight: Option<Word<'a>>,
    pos: Option<Word<'a>>,
}

struct Reading<'a> {
    tokens: Tokens<'a>,
    builder: Builder,
    directed: bool,
    /// In a strict graph, the edges by their ends.
    strict: Option<HashMap<(NodeIndex, NodeIndex), EdgeIndex>>,
    groups: Vec<Group<'a>>,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut tokens = Tokens::new(source);
    let (strict, directed) = read_head(&mut tokens)?;
    let mut reading = Reading {
        tokens,
        builder: Builder::new(source, options),
        directed,
        strict: strict.then(HashMap::new),
        groups: vec![Group::default()],
    };
    while !reading.groups.is_empty() {
        reading.read_statement()?;
        if source.stopped().is_some() {
            break;
        }
    }
    if let Some(token) = reading.tokens.next()? {
        return Err(token.word().unexpected("the end of the file after its one graph"));
    }
    Ok(reading.builder.finish(Format::Dot, directed))
}

/// `strict? (graph | digraph) name? {`
fn read_head(tokens: &mut Tokens<'_>) -> Result<(bool, bool), FileError> {
    let expected = "'graph' or 'digraph'";
    let mut token = tokens.expect(expected)?;
    let strict = token.is_keyword("strict");
    if strict {
        token = tokens.expect(expected)?;
    }
    let directed = token.is_keyword("digraph");
    if !directed && !token.is_keyword("graph") {
        return Err(token.word().unexpected(expected));
    }
    token = tokens.expect("'{'")?;
    if token.name().is_some() {
        token = tokens.expect("'{'")?;
    }
    if !token.is_sign("{") {
        return Err(token.word().unexpected("'{'"));
    }
    Ok((strict, directed))
}

impl<'a> Reading<'a> {
    /// One step: a part of a statement, or the brace that ends a group.
    fn read_statement(&mut self) -> Result<(), FileError> {
        let token = self.tokens.expect("a statement or '}'")?;
        if token.is_sign(";") || token.is_sign(",") {
            return self.end_statement(None);
        }
        if token.is_sign("}") {
            self.end_statement(None)?;
            return self.close_group();
        }
        if token.is_sign("{") {
            return self.open_group(token.word());
        }
        if token.is_sign("--") || token.is_sign("->") {
            return self.read_edge_sign(&token.word());
        }
        if token.is_sign("[") {
            let attributes = self.read_attributes()?;
            return self.end_statement(Some(attributes));
        }
        if token.is_keyword("subgraph") {
            self.begin_unless_open()?;
            let mut token = self.tokens.expect("'{'")?;
            if token.name().is_some() {
                token = self.tokens.expect("'{'")?;
            }
            return match token.is_sign("{") {
                true => self.open_group(token.word()),
                false => Err(token.word().unexpected("'{'")),
            };
        }
        for kind in ["graph", "node", "edge"] {
            if token.is_keyword(kind) {
                return self.read_defaults(kind);
            }
        }
        let Some(name) = token.name() else { return Err(token.word().unexpected("a statement or '}'")) };
        self.read_name(&name, token.word())
    }

    fn group(&mut self) -> &mut Group<'a> {
        self.groups.last_mut().expect("a statement stands in a group")
    }

    /// A name begins a statement, unless the one before waits for the other end of an edge.
    fn begin_unless_open(&mut self) -> Result<(), FileError> {
        if self.group().chain.open { Ok(()) } else { self.end_statement(None) }
    }

    /// A node, or the name of an attribute of the graph.
    fn read_name(&mut self, name: &str, word: Word<'a>) -> Result<(), FileError> {
        self.begin_unless_open()?;
        if self.tokens.peek_sign()? == Some("=") {
            self.tokens.next()?;
            let value = self.tokens.expect("a value")?;
            return value.name().map(|_| ()).ok_or_else(|| value.word().unexpected("a value"));
        }
        while self.tokens.peek_sign()? == Some(":") {
            self.tokens.next()?;
            let port = self.tokens.expect("a port")?;
            port.name().ok_or_else(|| port.word().unexpected("a port"))?;
        }
        let node = self.builder.node(name, &word)?;
        let group = self.group();
        group.nodes.push(node);
        group.chain.places.push(vec![node]);
        group.chain.at.get_or_insert(word);
        group.chain.open = false;
        Ok(())
    }

    fn read_edge_sign(&mut self, sign: &Word<'a>) -> Result<(), FileError> {
        let wanted = if self.directed { "->" } else { "--" };
        if sign.text != wanted {
            let kind = if self.directed { "digraph" } else { "graph" };
            return Err(sign.unexpected(format!("'{wanted}', the edges of a {kind}")));
        }
        let chain = &mut self.group().chain;
        if chain.places.is_empty() || chain.open {
            return Err(sign.unexpected("a node before the edge"));
        }
        chain.open = true;
        Ok(())
    }

    /// `graph [ … ]`, `node [ … ]` or `edge [ … ]`: defaults for what follows.
    fn read_defaults(&mut self, kind: &str) -> Result<(), FileError> {
        self.end_statement(None)?;
        let token = self.tokens.expect("'['")?;
        if !token.is_sign("[") {
            return Err(token.word().unexpected("'['"));
        }
        let attributes = self.read_attributes()?;
        if kind == "edge" && attributes.weight.is_some() {
            self.group().weight = attributes.weight;
        }
        Ok(())
    }

    /// Attributes up to `]`; `[` is read.
    fn read_attributes(&mut self) -> Result<Attributes<'a>, FileError> {
        let mut attributes = Attributes::default();
        loop {
            let token = self.tokens.expect("an attribute or ']'")?;
            if token.is_sign("]") {
                return Ok(attributes);
            }
            if token.is_sign(";") || token.is_sign(",") {
                continue;
            }
            let Some(name) = token.name() else { return Err(token.word().unexpected("an attribute or ']'")) };
            if self.tokens.peek_sign()? != Some("=") {
                continue;
            }
            self.tokens.next()?;
            let value = self.tokens.expect("the value of the attribute")?;
            if value.name().is_none() {
                return Err(value.word().unexpected("the value of the attribute"));
            }
            match name.as_ref() {
                "weight" => attributes.weight = Some(value.inner()),
                "pos" => attributes.pos = Some(value.inner()),
                _ => {}
            }
        }
    }

    /// The statement is complete: its edges are made, or its node is drawn where it is said.
    fn end_statement(&mut self, attributes: Option<Attributes<'a>>) -> Result<(), FileError> {
        let group = self.group();
        let default = group.weight;
        let chain = std::mem::take(&mut group.chain);
        let Some(at) = chain.at else {
            return Ok(());
        };
        if chain.open {
            return Err(at.unexpected("the other end of the edge before the end of the statement"));
        }
        let attributes = attributes.unwrap_or_default();
        if let [place] = &chain.places[..] {
            if let (Some(pos), [node]) = (attributes.pos, &place[..]) {
                let place = read_pos(&pos)?;
                self.builder.place(*node, place);
            }
            return Ok(());
        }
        let weight = attributes.weight.or(default);
        let weight = self.builder.weight(weight, |expected| at.unexpected(expected))?;
        for pair in chain.places.windows(2) {
            for (&tail, &head) in pair[0].iter().flat_map(|tail| pair[1].iter().map(move |head| (tail, head))) {
                self.add_edge(tail, head, weight, &at)?;
            }
        }
        Ok(())
    }

    fn add_edge(&mut self, tail: NodeIndex, head: NodeIndex, weight: Decimal, at: &Word<'a>) -> Result<(), FileError> {
        if let Some(edges) = &mut self.strict {
            let ends = if self.directed { (tail, head) } else { (tail.min(head), tail.max(head)) };
            if let Some(&edge) = edges.get(&ends) {
                self.builder.graph[edge] = self.builder.units(weight, at)?;
                return Ok(());
            }
            edges.insert(ends, EdgeIndex::new(self.builder.graph.edge_count()));
        }
        self.builder.edge(tail, head, weight, at)
    }

    fn open_group(&mut self, brace: Word<'a>) -> Result<(), FileError> {
        self.begin_unless_open()?;
        if self.groups.len() > DEEPEST {
            return Err(brace.unexpected(format!("no more than {DEEPEST} groups within each other")));
        }
        let group = self.group();
        group.chain.at.get_or_insert(brace);
        let weight = group.weight;
        self.groups.push(Group { weight, ..Group::default() });
        Ok(())
    }

    /// The nodes of a group stand in the chain of the one around it.
    fn close_group(&mut self) -> Result<(), FileError> {
        let Some(mut group) = self.groups.pop() else { return Ok(()) };
        group.nodes.sort_unstable();
        group.nodes.dedup();
        if let Some(outer) = self.groups.last_mut() {
            outer.nodes.extend_from_slice(&group.nodes);
            outer.chain.places.push(group.nodes);
            outer.chain.open = false;
        }
        Ok(())
    }
}

/// `x,y`, perhaps with `!` behind it.
fn read_pos(word: &Word<'_>) -> Result<[f64; 2], FileError> {
    let mut parts = word.text.trim_end_matches('!').split(',').map(str::trim);
    let mut part = || parts.next().and_then(|part| part.parse().ok()).filter(|value: &f64| value.is_finite());
    part().zip(part()).map(|(x, y)| [x, y]).ok_or_else(|| word.unexpected("a position, as X,Y"))
}

/// Writes any graph.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let (kind, sign) = if file.directed { ("digraph", "->") } else { ("graph", "--") };
    let names: Vec<String> = (0..file.graph.node_count()).map(|node| quoted(&file.names.name_of(node))).collect();
    writeln!(out, "{kind} {{")?;
    for (node, name) in names.iter().enumerate() {
        match &file.coordinates {
            Some(places) => writeln!(out, "  {name} [pos=\"{:?},{:?}\"];", places[node][0], places[node][1])?,
            None => writeln!(out, "  {name};")?,
        }
    }
    for edge in file.graph.edge_references() {
        write!(out, "  {} {sign} {}", names[edge.source().index()], names[edge.target().index()])?;
        if file.weighted {
            write!(out, " [weight={}]", file.decimal(*edge.weight()))?;
        }
        writeln!(out, ";")?;
    }
    writeln!(out, "}}")
}

/// A name as DOT writes it: bare where it is a number or a plain word that means nothing else.
fn quoted(name: &str) -> String {
    const KEYWORDS: [&str; 6] = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !KEYWORDS.contains(&name.to_ascii_lowercase().as_str());
    if is_number || is_word {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}
