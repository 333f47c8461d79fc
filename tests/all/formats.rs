//! The formats beyond those of the beginning: what they read, what they refuse and where, that each reads what it writes, and
//! that no content passes for another format.

use longhaul::io::{Format, GraphFile, NodeName, ReadOptions, read_bytes};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use proptest::prelude::*;

fn parse(name: &str, text: &str) -> Result<GraphFile, String> {
    GraphFile::parse(name, text.as_bytes(), &ReadOptions::default()).map_err(|error| error.to_string())
}

/// Edges by names with weights.
fn edges(file: &GraphFile) -> Vec<(String, String, i64)> {
    let name = |node: NodeIndex| file.names.name(node).to_string();
    file.graph.edge_references().map(|edge| (name(edge.source()), name(edge.target()), *edge.weight())).collect()
}

fn edge(source: &str, target: &str, weight: i64) -> (String, String, i64) {
    (source.to_owned(), target.to_owned(), weight)
}

/// A cycle of four nodes in METIS, which an edge list would be as well.
const RING: &str = "4 4\n2 4\n1 3\n2 4\n1 3\n";

#[test]
fn metis_tells_each_edge_twice() {
    let file = parse("ring.graph", &format!("% a ring\n{RING}")).unwrap();
    assert_eq!(edges(&file), [edge("1", "2", 1), edge("1", "4", 1), edge("2", "3", 1), edge("3", "4", 1)]);
    assert_eq!((file.format, file.directed, file.weighted), (Format::Metis, false, false));
    let weighted = parse("a.graph", "3 2 011 2\n7 8 2 5\n7 8 1 5 3 -6\n7 8 2 -6\n").unwrap();
    assert_eq!(edges(&weighted), [edge("1", "2", 5), edge("2", "3", -6)]);
    assert_eq!(weighted.notes.len(), 1);
    let lonely = parse("a.graph", "3 1\n3\n\n1\n").unwrap();
    assert_eq!((lonely.graph.node_count(), lonely.graph.edge_count()), (3, 1));
}

#[test]
fn csv_names_its_columns_or_not() {
    let file =
        parse("a.csv", "Road,To,From,Weight\nA1,Milan,Rome,477\n\"A\"\"3\",\"Köln, am Rhein\",Milan, 5 \n").unwrap();
    assert_eq!(edges(&file), [edge("Rome", "Milan", 477), edge("Milan", "Köln, am Rhein", 5)]);
    assert_eq!(file.notes, ["these columns are left out: Road"]);
    assert_eq!(edges(&parse("a.csv", "a, b\nb, c\n").unwrap()), [edge("a", "b", 1), edge("b", "c", 1)]);
    assert_eq!(edges(&parse("a.tsv", "source\ttarget\nNew York\tBoston\n").unwrap()), [edge("New York", "Boston", 1)]);
    assert_eq!(edges(&parse("a.csv", "1;2;7\r\n2;3;8").unwrap()), [edge("1", "2", 7), edge("2", "3", 8)]);
    let directed = parse("a.csv", "Source,Target,Type\n1,2,Directed\n2,3,directed\n").unwrap();
    assert!(directed.directed);
}

#[test]
fn edge_lists_take_the_attributes_of_networkx() {
    assert_eq!(edges(&parse("a.el", "a b {}\nb c {}\n").unwrap()), [edge("a", "b", 1), edge("b", "c", 1)]);
    let weighted =
        parse("a.el", "a b {'weight': 3}\nb c {\"x\": [1, {2: 'weight: 9'}], 'weight': 4.0, 'y': '}'}\n").unwrap();
    assert_eq!(edges(&weighted), [edge("a", "b", 3), edge("b", "c", 4)]);
}

#[test]
fn tsplib_matrix_market_gml_and_dot_follow_their_descriptions() {
    let hcp = "NAME : ring\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n 2 3\n3 4\n4 1\n-1\nEOF\n";
    assert_eq!(edges(&parse("a.hcp", hcp).unwrap()).len(), 4);
    let neighbours = "DIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\nNODE_COORD_SECTION\n1 0 0\n2 1.5 0\n3 1 1\nEDGE_DATA_SECTION\n1 2 3 -1\n2 1\n-1 -1\n";
    let file = parse("standard input", neighbours).unwrap();
    assert_eq!(edges(&file), [edge("1", "2", 1), edge("1", "3", 1)]);
    assert_eq!(file.coordinates, Some(vec![[0.0, 0.0], [1.5, 0.0], [1.0, 1.0]]));

    let matrix = "%%MatrixMarket matrix coordinate real symmetric\n% comment\n3 3 2\n2 1 5.0\n3 2 -7\n";
    let file = parse("a.mtx", matrix).unwrap();
    assert_eq!((edges(&file), file.directed), (vec![edge("1", "2", 5), edge("2", "3", -7)], false));
    let file = parse("x", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n").unwrap();
    assert_eq!((edges(&file), file.directed), (vec![edge("1", "2", 1), edge("2", "1", 1)], true));

    let gml = "Creator \"somebody\"\ngraph [\n directed 1\n edge [ source 5 target -3 value 2 ]\n node [ id 5 label \"R&#246;m\" graphics [ x 1 y 2.5 ] ]\n node [ id -3 label \"b\" z [ u [ v 1 ] ] graphics [ x 0 y 0 ] ] ]\n";
    let file = parse("a.gml", gml).unwrap();
    assert_eq!((edges(&file), file.directed), (vec![edge("Röm", "b", 2)], true));
    assert_eq!(file.coordinates, Some(vec![[1.0, 2.5], [0.0, 0.0]]));
    let same =
        parse("a.gml", "graph [ node [ id 1 label \"a\" ] node [ id 2 label \"a\" ] edge [ source 1 target 2 ] ]")
            .unwrap();
    assert_eq!((edges(&same), same.notes.len()), (vec![edge("1", "2", 1)], 1));

    let dot = "/* roads */ strict digraph \"my roads\" {\n rankdir = LR; node [shape=box]\n a -> \"b c\" -> {d; e} [weight=\"3\", color=red];\n\
               # a comment\n subgraph x { edge [weight=4] d:n -> a } // more\n a [pos=\"1,2!\"]\n}";
    let file = parse("a.dot", dot).unwrap();
    let expected = [edge("a", "b c", 3), edge("b c", "d", 3), edge("b c", "e", 3), edge("d", "a", 4)];
    assert_eq!((edges(&file), file.directed), (expected.to_vec(), true));
    assert_eq!(file.notes.len(), 1, "coordinates of one node of four: {:?}", file.notes);
    let strict = parse("x", "strict graph{a--b[weight=1]b--a[weight=9]}").unwrap();
    assert_eq!((strict.format, edges(&strict)), (Format::Dot, vec![edge("a", "b", 9)]));
}

#[test]
fn content_is_known_without_a_telling_name() {
    let cases = [
        (RING, Format::Metis),
        ("a, b\nb, c\n", Format::Csv),
        ("source\ttarget\na\tb\n", Format::Csv),
        ("NAME: x\nDIMENSION: 2\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n", Format::Tsplib),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", Format::MatrixMarket),
        ("# by somebody\ngraph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]\n", Format::Gml),
        ("// roads\ngraph { a -- b }\n", Format::Dot),
        ("digraph{a->b}", Format::Dot),
        ("graph b\nb c\n", Format::EdgeList),
        ("4 3\n1 2\n2 3\n", Format::EdgeList),
    ];
    for (text, format) in cases {
        for name in ["standard input", "a.txt", "a.unheard", "b.txt.gz"] {
            assert_eq!(parse(name, text).map(|file| file.format), Ok(format), "{name}: {text}");
        }
    }
}

/// Nothing becomes a wrong graph silently: what the name promises and the content contradicts is refused, and so is what
/// cannot be read at all.
#[test]
fn no_content_passes_for_another_format() {
    let refused = [
        ("ring.el", RING, "looks like metis"),
        ("a.edges", "a, b\n", "looks like csv"),
        ("a.gr", "graph { a -- b }", "looks like dot"),
        ("a.graph", "{\"nodes\": []}", "looks like json"),
        ("a.net", "1 2\n", "that of Pajek"),
        ("a.unheard", "*Vertices 2\n1 2\n", "looks like Pajek"),
        ("a", "<svg>", "a picture in SVG"),
        ("a", "<?xml version='1.0'?><!-- < --><html>", "a web page"),
        ("a.tgf", "1 a\n2 b\n#\n1 2\n", "the trivial graph format"),
    ];
    for (name, text, reason) in refused {
        let error = parse(name, text).expect_err(text);
        assert!(error.contains(reason) && error.starts_with(&format!("{name}: ")), "{error}");
    }
    let header = parse("a.el", "4 3\n1 2\n2 3\n3 4\n").unwrap();
    assert!(header.notes[0].contains("taken as an edge"), "{:?}", header.notes);
    assert!(parse("a.el", "4 3\n1 2\n2 3\n3 5\n").unwrap().notes.is_empty());
}

#[test]
fn mistakes_are_told_with_their_place() {
    let matrix = "%%MatrixMarket matrix coordinate";
    let cases = [
        ("a.graph", "", "a.graph:1:1: found an empty file, expected the first line, NODES EDGES"),
        ("a.graph", "4\n", "a.graph:1:2: found the end of the line, expected the number of edges"),
        (
            "a.graph",
            "1000000000000 5\n",
            "a.graph:1:1: found '1000000000000', expected the number of nodes (a whole number",
        ),
        (
            "a.graph",
            "4000000000 5\n",
            "a.graph:1:1: found '4000000000', expected no more nodes than a file of 13 bytes",
        ),
        ("a.graph", "2 1 7\n2\n1\n", "a.graph:1:5: found '7', expected the format, as up to three digits 0 or 1"),
        ("a.graph", "2 1\n2\n", "a.graph:3:1: found the end of the file, expected the neighbours of node 2"),
        ("a.graph", "2 1\n2\n1\n1\n", "a.graph:4:1: found '1', expected the end of the file after the 2 nodes"),
        ("a.graph", "2 1\n3\n1\n", "a.graph:2:1: found '3', expected a node from 1 to 2"),
        ("a.graph", "2 1\n-1\n1\n", "a.graph:2:1: found '-1', expected a node from 1 to 2"),
        ("a.graph", "2 1\n1\n1\n", "a.graph:2:1: found '1', expected another node than the line's own"),
        ("a.graph", "2 1\n2 2\n1\n", "a.graph:2:3: found '2', expected each neighbour once"),
        ("a.graph", "3 2\n2 3\n1\n\n", "a.graph:2:3: found '3', expected a node that has 1 among its neighbours"),
        ("a.graph", "3 2\n\n1 3\n2\n", "a.graph:3:1: found '1', expected a node that has 2 among its neighbours"),
        ("a.graph", "2 2\n2\n1\n", "a.graph:1:3: found '2', expected 1, the number of edges in the file"),
        ("a.graph", "2 1 1\n2 5\n1 6\n", "a.graph:3:3: found '6', expected 5, the weight that node 1 gives this edge"),
        ("a.csv", "source,target\na\n", "a.csv:2:1: found 'a', expected 2 columns, as in the first row"),
        ("a.csv", "a,b,1\nb,c,x\n", "a.csv:2:5: found 'x', expected a weight"),
        ("a.csv", "a,b\nb,\n", "a.csv:2:3: found '', expected the name of a node"),
        ("a.csv", "a,\"b\n", "a.csv:1:3: found '\\\"b', expected a quote that ends the field"),
        ("a.csv", "a,\"b\" c\n", "a.csv:1:7: found 'c', expected a separator or the end of the row"),
        ("a.csv", "source,target,type\n1,2,both\n", "a.csv:2:5: found 'both', expected 'directed' or 'undirected'"),
        ("a.el", "a b {'weight': }\n", "a.el:1:16: found '', expected a weight"),
        ("a.el", "a b {'weight': 2\n", "a.el:1:5: found '{\\'weight\\': 2', expected attributes in braces"),
        ("a.el", "a b {} c\n", "a.el:1:7: found ' c', expected the end of the line after the attributes"),
        ("a.el", "a b 2.5x\n", "a.el:1:5: found '2.5x', expected a weight (a number like 3, -1.5 or 2e3)"),
        (
            "a.el",
            "a b 1000000000000000\nb c 0.00001\n",
            "a.el:2:1: found 'b', expected numbers that have a common unit",
        ),
        ("a.hcp", "TYPE : TOUR\n", "a.hcp:1:8: found 'TOUR', expected HCP"),
        ("a.hcp", "DIMENSION : 1000000000000\n", "a.hcp:1:13: found '1000000000000', expected the number of nodes"),
        ("a.hcp", "DIMENSION : 3\nEOF\n", "a.hcp:3:1: found the end of the file, expected an EDGE_DATA_SECTION"),
        ("a.hcp", "EDGE_DATA_FORMAT : X\n", "a.hcp:1:20: found 'X', expected EDGE_LIST or ADJ_LIST"),
        ("a.hcp", "EDGE_WEIGHT_SECTION\n", "a.hcp:1:1: found 'EDGE_WEIGHT_SECTION', expected EDGE_DATA_SECTION"),
        (
            "a.hcp",
            "DIMENSION:2\nEDGE_DATA_FORMAT:EDGE_LIST\nEDGE_DATA_SECTION\n1 3\n",
            "a.hcp:4:3: found '3', expected a node from 1 to 2, or -1",
        ),
        ("a.mtx", "1 2\n", "a.mtx:1:1: found '1', expected '%%MatrixMarket'"),
        ("a.gml", "graph [ node [ label 1 ] ]", "a.gml:1:24: found ']', expected the id of the node"),
        ("a.gml", "graph [ node [ id x ] ]", "a.gml:1:19: found 'x', expected an id, as a whole number"),
        ("a.gml", "graph [ node [ id 1 ] node [ id 1 ] ]", "a.gml:1:33: found '1', expected the name of a node that"),
        (
            "a.gml",
            "graph [ edge [ source 1 target 2 ] ]",
            "a.gml:1:23: found '1', expected the name of a node of the file",
        ),
        ("a.gml", "graph [ node [ id 1 ]", "a.gml:1:22: found the end of the file, expected ']'"),
        ("a.dot", "graph { a -> b }", "a.dot:1:11: found '->', expected '--', the edges of a graph"),
        ("a.dot", "graph { a -- }", "a.dot:1:9: found 'a', expected the other end of the edge"),
        ("a.dot", "graph { a -- b", "a.dot:1:15: found the end of the file, expected a statement or '}'"),
        ("a.dot", "graph { a } b", "a.dot:1:13: found 'b', expected the end of the file after its one graph"),
        ("a.dot", "graph { a -- b [weight=x] }", "a.dot:1:24: found 'x', expected a weight"),
        ("a.dot", "graph { a [label=\"b] }", "a.dot:1:18: found '\\\"b] }', expected a quote that ends the text"),
    ];
    for (name, text, expected) in cases {
        let error = parse(name, text).expect_err(text);
        assert!(error.starts_with(expected), "{text:?}:\n  {error}\n  {expected}");
    }
    for (rest, expected) in [
        (" array real general\n", "a.mtx:1:23: found 'array', expected 'coordinate'"),
        (" coordinate complex general\n", "a.mtx:1:34: found 'complex', expected 'pattern', 'integer' or 'real'"),
        (" coordinate pattern general\n2 3 0\n", "a.mtx:2:3: found '3', expected 2, as many columns as rows"),
        (
            " coordinate pattern general\n1000000000000 1 0\n",
            "a.mtx:2:1: found '1000000000000', expected the number of rows",
        ),
        (" coordinate pattern symmetric\n2 2 1\n1 2\n", "a.mtx:3:3: found '2', expected a column up to 1"),
        (" coordinate pattern general\n2 2 2\n1 2\n1 2\n", "a.mtx: the entry in row 1 and column 2 comes twice"),
        (" coordinate pattern general\n2 2 3\n1 2\n", "a.mtx:2:5: found '3', expected 1, the number of entries"),
        (" coordinate integer general\n2 2 1\n1 2\n", "a.mtx:3:4: found the end of the line, expected the value"),
    ] {
        let text = format!("{}{rest}", matrix.strip_suffix(" coordinate").unwrap());
        let error = parse("a.mtx", &text).expect_err(&text);
        assert!(error.starts_with(expected), "{text:?}:\n  {error}\n  {expected}");
    }
}

#[test]
fn weights_may_be_left_alone() {
    let options = ReadOptions { unit_weights: true, ..ReadOptions::default() };
    for (name, text) in [("a.el", "a b 2.5\nb c x\n"), ("a.csv", "a,b,2.5\n"), ("a.gr", "p edge 2 1\ne 1 2 x\n")] {
        let file = GraphFile::parse(name, text.as_bytes(), &options).unwrap();
        assert!(!file.weighted && file.graph.edge_weights().all(|&weight| weight == 1));
    }
}

#[test]
fn what_is_compressed_otherwise_is_named() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, magic, what) in [("a.zip", &b"PK\x03\x04"[..], "a zip archive"), ("a.xz", b"\xFD7zXZ\0", "with xz")] {
        let path = folder.join(name);
        std::fs::write(&path, magic).unwrap();
        assert!(read_bytes(&path).unwrap_err().to_string().contains(what));
    }
}

/// The formats that a graph can be written in.
fn writable() -> impl Iterator<Item = Format> {
    let ours = if cfg!(feature = "formats") { &[][..] } else { &[Format::GraphMl, Format::Gexf, Format::Json][..] };
    Format::ALL
        .map(|(_, format)| format)
        .into_iter()
        .filter(move |format| *format != Format::Deck && !ours.contains(format))
}

/// Edges by the positions that names stand for, so that formats which number nodes compare with those that name them.
fn shape(file: &GraphFile, names: &[&str], numbered_from: Option<usize>) -> Vec<(usize, usize, i64)> {
    let position = |node: NodeIndex| match (file.names.name(node), numbered_from) {
        (NodeName::Number(number), Some(first)) => number as usize - first,
        (name, _) => names.iter().position(|known| *known == name.to_string()).unwrap(),
    };
    let mut edges: Vec<_> = file
        .graph
        .edge_references()
        .map(|edge| {
            let (tail, head) = (position(edge.source()), position(edge.target()));
            let (tail, head) = if file.directed { (tail, head) } else { (tail.min(head), tail.max(head)) };
            (tail, head, *edge.weight())
        })
        .collect();
    edges.sort_unstable();
    edges
}

proptest! {
    /// Whatever a format agrees to write comes back: the same edges, weights, direction, names and places.
    #[test]
    fn what_is_written_is_read_again(
        n in 1usize..8,
        pairs in prop::collection::vec((0usize..8, 0usize..8, any::<i64>()), 1..16),
        directed: bool,
        weighted: bool,
        placed: bool,
        named in 0usize..3,
    ) {
        const WORDS: [&str; 8] = ["Köln", "a b", "say \"x\"", "<&>;'", "7", "node", "x,y", "#1\\n"];
        const PLAIN: [&str; 8] = ["Rome", "b2", "c_c", "07", "E", "f", "graphs", "h"];
        const NUMBERS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
        let names = [&NUMBERS, &PLAIN, &WORDS][named];
        let mut text = format!("{} {{\n", if directed { "digraph" } else { "graph" });
        for (node, name) in names[..n].iter().enumerate() {
            let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
            let pos = if placed { format!(" [pos=\"{node}.5,{}\"]", node * node) } else { String::new() };
            text += &format!("\"{quoted}\"{pos};\n");
        }
        for (source, target, weight) in &pairs {
            let [source, target] = [source, target].map(|node| names[node % n].replace('\\', "\\\\").replace('"', "\\\""));
            let sign = if directed { "->" } else { "--" };
            text += &format!("\"{source}\" {sign} \"{target}\"");
            text += &if weighted { format!(" [weight={weight}];\n") } else { ";\n".to_owned() };
        }
        let file = parse("a.dot", &(text + "}\n")).unwrap();
        prop_assert_eq!(file.graph.node_count(), n);
        for format in writable() {
            let mut written = Vec::new();
            if file.write(format, &mut written).is_err() {
                prop_assert!(![Format::Dot, Format::Gml, Format::GraphMl, Format::Gexf, Format::Json, Format::Dimacs].contains(&format));
                continue;
            }
            let keeps_names = file.losses(format).is_empty() || !file.losses(format).iter().any(|loss| loss.contains("names"));
            let told = directed && !format.states_direction();
            let options = ReadOptions { format: Some(format), directed: told, ..ReadOptions::default() };
            let again = GraphFile::parse("again", &written, &options).unwrap();
            prop_assert_eq!(again.directed, directed, "{}", format);
            prop_assert_eq!(again.weighted, weighted, "{}", format);
            prop_assert_eq!(again.graph.node_count(), n, "{}", format);
            let first = (!keeps_names).then_some(usize::from(!format.is_a_line()));
            prop_assert_eq!(shape(&again, names, first), shape(&file, names, None), "{}", format);
            let keeps_places = !file.losses(format).iter().any(|loss| loss.contains("coordinates"));
            if placed && keeps_places {
                prop_assert_eq!(again.coordinates, file.coordinates.clone(), "{}", format);
            }
        }
    }
}

/// Weights with a point, in every format that holds weights: read, written and read again they are what they were.
#[test]
fn decimals_survive_every_format() {
    let text = "a b 1.5\nb c 2e3\nc d -0.125\n";
    let file = GraphFile::parse("roads.el", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(file.places, 3);
    assert!(file.graph.edge_weights().eq(&[1500, 2_000_000, -125]));
    let told: Vec<String> = file.graph.edge_weights().map(|&weight| file.decimal(weight).to_string()).collect();
    assert_eq!(told, ["1.5", "2000", "-0.125"]);
    let kept = [
        (Format::EdgeList, "a.el"),
        (Format::Csv, "a.csv"),
        (Format::Dimacs, "a.gr"),
        (Format::MatrixMarket, "a.mtx"),
        (Format::Gml, "a.gml"),
        (Format::GraphMl, "a.graphml"),
        (Format::Gexf, "a.gexf"),
        (Format::Dot, "a.dot"),
        (Format::Json, "a.json"),
    ];
    for (format, name) in kept {
        let mut bytes = Vec::new();
        file.write(format, &mut bytes).unwrap();
        let again = GraphFile::parse(name, &bytes, &ReadOptions::default()).unwrap();
        assert_eq!(again.places, 3, "{format}");
        let (mut one, mut two): (Vec<i64>, Vec<i64>) =
            (file.graph.edge_weights().copied().collect(), again.graph.edge_weights().copied().collect());
        one.sort_unstable();
        two.sort_unstable();
        assert_eq!(one, two, "{format}");
    }
    // METIS has whole numbers.
    assert!(file.write(Format::Metis, &mut Vec::new()).is_err());
    // More digits than a floating-point number holds.
    let exact = b"{\"nodes\": [{\"id\": 1}, {\"id\": 2}], \"links\": [{\"source\": 1, \"target\": 2, \"weight\": 12345678901.2345678}]}";
    let file = GraphFile::parse("a.json", exact, &ReadOptions::default()).unwrap();
    assert!(file.graph.edge_weights().eq(&[123_456_789_012_345_678]));
}
