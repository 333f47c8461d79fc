//! Which formats there are, and which one a file is in: by its name where that says something, else by its content, and
//! never against a content that is clearly another format.

use std::path::Path;
use std::str::FromStr;

use super::error::FileError;
use super::text::Text;
use super::{csv, graph6, metis};
use crate::named::named;

/// A format that graphs come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An edge a line, as two names and perhaps a weight.
    EdgeList,
    /// An edge a row, with separators between the columns and perhaps their names in the first row.
    Csv,
    /// `p edge` or `p arc`, then `e u v` lines.
    Dimacs,
    /// METIS: a line of neighbours for each node.
    Metis,
    /// graph6 or digraph6: a graph a line, by its matrix.
    Graph6,
    /// sparse6: a graph a line, by its edges. Whoever reads one of the two reads the other.
    Sparse6,
    /// TSPLIB with a section of edges, as Hamiltonian cycle problems have it.
    Tsplib,
    /// Matrix Market: the adjacency matrix by its entries.
    MatrixMarket,
    /// GraphML, in XML.
    GraphMl,
    /// GEXF, in XML, of Gephi.
    Gexf,
    /// GML: keys, values and brackets.
    Gml,
    /// DOT, of Graphviz.
    Dot,
    /// Node-link JSON, of networkx and D3.
    Json,
    /// A deck of UNO cards.
    Deck,
}

/// What content or extension tells.
enum Sign {
    Ours(Format),
    /// The name of a format that cannot be read here.
    Foreign(&'static str),
}

/// Extensions of formats that are not read here, and what is known of them.
const FOREIGN_EXTENSIONS: [(&str, &str); 12] = [
    ("net", "Pajek"),
    ("paj", "Pajek"),
    ("tgf", "the trivial graph format"),
    ("lgf", "the LEMON graph format"),
    ("lgl", "the large graph layout format"),
    ("dl", "UCINET DL"),
    ("gdf", "GUESS"),
    ("vna", "NetDraw VNA"),
    ("cnf", "a SAT formula"),
    ("lp", "a linear program"),
    ("mps", "a linear program"),
    ("xlsx", "a workbook"),
];

named!(
    Format, "format", "formats", 14:
    "edge-list" => EdgeList,
    "csv" => Csv,
    "dimacs" => Dimacs,
    "metis" => Metis,
    "graph6" => Graph6,
    "sparse6" => Sparse6,
    "tsplib" => Tsplib,
    "matrix-market" => MatrixMarket,
    "graphml" => GraphMl,
    "gexf" => Gexf,
    "gml" => Gml,
    "dot" => Dot,
    "json" => Json,
    "deck" => Deck,
);

impl Format {
    /// The format that the extension of a file name promises, if it is one of ours; `.gz` behind it is looked through.
    pub fn from_extension(file: &str) -> Option<Self> {
        match extension(file)?.as_str() {
            "el" | "edges" | "edgelist" | "ncol" | "txt" => Some(Format::EdgeList),
            "csv" | "tsv" => Some(Format::Csv),
            "gr" | "dimacs" | "col" | "clq" => Some(Format::Dimacs),
            "graph" | "metis" => Some(Format::Metis),
            "g6" | "d6" => Some(Format::Graph6),
            "s6" => Some(Format::Sparse6),
            "hcp" | "tsp" => Some(Format::Tsplib),
            "mtx" => Some(Format::MatrixMarket),
            "graphml" => Some(Format::GraphMl),
            "gexf" => Some(Format::Gexf),
            "gml" => Some(Format::Gml),
            "dot" | "gv" => Some(Format::Dot),
            "json" => Some(Format::Json),
            "deck" => Some(Format::Deck),
            _ => None,
        }
    }

    /// Whether a file of this format says itself if its edges have a direction.
    pub fn states_direction(self) -> bool {
        !matches!(self, Format::EdgeList | Format::Csv | Format::Dimacs)
    }

    /// Whether files of this format have a graph in each line, and may have many.
    pub fn is_a_line(self) -> bool {
        matches!(self, Format::Graph6 | Format::Sparse6)
    }

    /// The format of a text. The extension of its name decides, unless the content is clearly something else; `.txt` and
    /// extensions that say nothing leave the decision to the content.
    pub(crate) fn detect<'a>(source: &'a Text<'a>) -> Result<Self, FileError> {
        let file = source.file();
        let refuse = |message: String| Err(FileError::graph(file, message));
        let all = Self::ALL.map(|(name, _)| name).join(", ");
        let signature = signature(source);
        let extension = extension(file).unwrap_or_default();
        if let Some(Sign::Foreign(what)) = signature {
            return refuse(format!("this looks like {what}, which is not read here; the formats are {all}"));
        }
        if let Some((_, what)) = FOREIGN_EXTENSIONS.iter().find(|(foreign, _)| *foreign == extension) {
            return refuse(format!(
                "the extension .{extension} is that of {what}, which is not read here; if the file is something else, \
                 say what with --format: {all}"
            ));
        }
        let promised = Self::from_extension(file).filter(|_| extension != "txt");
        let seen = match signature {
            Some(Sign::Ours(format)) => Some(format),
            _ if promised.is_none_or(|format| format == Format::EdgeList) => Self::by_shape(source),
            _ => None,
        };
        match (promised, seen) {
            (Some(promised), Some(seen)) if promised != seen && !(promised.is_a_line() && seen.is_a_line()) => {
                refuse(format!(
                    "the extension .{extension} promises the format {promised}, and the content looks like {seen}; say \
                 which it is with --format"
                ))
            }
            (promised, seen) => Ok(promised.or(seen).unwrap_or(Format::EdgeList)),
        }
    }

    /// The format that the shape of lines tells, if it is not that of an edge list.
    fn by_shape<'a>(source: &'a Text<'a>) -> Option<Self> {
        let mut lines = source.lines().filter_map(|mut line| {
            let first = line.next()?;
            let is_comment = first.text == "c" || first.text.starts_with(['#', '%']);
            (!is_comment).then(|| (first.text, line.next().is_some()))
        });
        match lines.next() {
            Some((word, false)) if graph6::resembles(word) => Some(graph6::format_of(word)),
            _ if metis::resembles(source) => Some(Format::Metis),
            _ if csv::resembles(source.as_str()) => Some(Format::Csv),
            _ => None,
        }
    }
}

/// The last extension in small letters that is not `gz`.
fn extension(file: &str) -> Option<String> {
    let file = Path::new(file);
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    if extension != "gz" {
        return Some(extension);
    }
    Some(Path::new(file.file_stem()?).extension()?.to_str()?.to_ascii_lowercase())
}

/// What the first words tell beyond doubt.
fn signature<'a>(source: &'a Text<'a>) -> Option<Sign> {
    let text = source.as_str().trim_start_matches('\u{FEFF}').trim_start();
    let starts = |prefix: &str| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    if text.starts_with('<') {
        return Some(xml_signature(text));
    }
    if starts("%%MatrixMarket") {
        return Some(Sign::Ours(Format::MatrixMarket));
    }
    if starts("*vertices") || starts("*network") {
        return Some(Sign::Foreign("Pajek"));
    }
    if starts("dl n") {
        return Some(Sign::Foreign("UCINET DL"));
    }
    if graph6::HEADERS.iter().any(|header| starts(header)) {
        return Some(Sign::Ours(graph6::format_of(text)));
    }
    if let Some(rest) = text.strip_prefix('{')
        && (rest.trim_start().starts_with(['"', '}']))
    {
        return Some(Sign::Ours(Format::Json));
    }
    if text.starts_with("[") && text[1..].trim_start().starts_with(['{', '[', ']', '"']) {
        return Some(Sign::Ours(Format::Json));
    }
    word_signature(source)
}

/// What the first words of a text tell that are no comment in the formats at hand.
fn word_signature<'a>(source: &'a Text<'a>) -> Option<Sign> {
    const TSPLIB: [&str; 6] = ["NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_DATA_FORMAT", "EDGE_WEIGHT_TYPE"];
    let is_comment = |word: &str| word == "c" || word.starts_with(['#', '%']) || word.starts_with("//");
    let mut line = source.lines().find(|line| line.clone().next().is_some_and(|word| !is_comment(word.text)))?;
    let first = line.next()?.text;
    let second = line.next().map(|word| word.text);
    let follows = |at: usize| {
        let mut words = source.lines().flatten().filter(|word| !word.text.starts_with('#')).map(|word| word.text);
        words.find(|word| *word == first);
        words.nth(at)
    };
    if first == "p" && second.is_some() {
        return Some(Sign::Ours(Format::Dimacs));
    }
    let key = first.split(':').next().unwrap_or_default();
    if TSPLIB.contains(&key) && (first.contains(':') || second.is_some_and(|word| word.starts_with(':'))) {
        return Some(Sign::Ours(Format::Tsplib));
    }
    let keyword = first.split(['{', '[']).next().unwrap_or_default().to_ascii_lowercase();
    let begins_dot = |word: Option<&str>| word.is_some_and(|word| word.contains('{'));
    match keyword.as_str() {
        "graph" if first.contains('[') || follows(0).is_some_and(|word| word.starts_with('[')) => {
            Some(Sign::Ours(Format::Gml))
        }
        "creator" | "version" if source.as_str().contains("graph") && source.as_str().contains('[') => {
            Some(Sign::Ours(Format::Gml))
        }
        "graph" | "digraph" | "strict"
            if first.contains('{') || (0..3).any(|at| begins_dot(follows(at))) || first.contains("/*") =>
        {
            Some(Sign::Ours(Format::Dot))
        }
        _ if first.starts_with("/*") && source.as_str().contains('{') => Some(Sign::Ours(Format::Dot)),
        _ => None,
    }
}

/// The first element of an XML text, behind declarations and comments.
fn xml_signature(mut text: &str) -> Sign {
    loop {
        text = text.trim_start();
        let skipped = match text {
            _ if text.starts_with("<!--") => text.find("-->").map(|at| at + 3),
            _ if text.starts_with("<?") => text.find("?>").map(|at| at + 2),
            // A document type may hold entities in brackets.
            _ if text.starts_with("<!") => match (text.find('['), text.find('>')) {
                (Some(open), Some(close)) if open < close => text.find("]>").map(|at| at + 2),
                (_, close) => close.map(|at| at + 1),
            },
            _ => None,
        };
        match skipped {
            Some(length) => text = &text[length..],
            None => break,
        }
    }
    let name = text.trim_start_matches('<');
    let end = name.find(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/')).unwrap_or(name.len());
    match name[..end].rsplit(':').next().unwrap_or_default() {
        "graphml" => Sign::Ours(Format::GraphMl),
        "gexf" => Sign::Ours(Format::Gexf),
        "svg" => Sign::Foreign("a picture in SVG"),
        "html" | "HTML" => Sign::Foreign("a web page"),
        _ => Sign::Foreign("XML that is neither GraphML nor GEXF"),
    }
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format '{0}'; the formats are {formats}", formats = Format::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::of_name(name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
