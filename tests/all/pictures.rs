//! Pictures and reports as files: the path's steps are there, each an edge between the nodes that it names.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A folder of its own for each test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a command that must succeed, and returns what it prints.
pub(crate) fn longhaul(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhaul"));
    let output = command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The values of an attribute, in order.
pub(crate) fn values<'a>(text: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    text.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

fn names(answer: &Value) -> Vec<String> {
    let name = |node: &Value| node.as_str().map_or_else(|| node.to_string(), str::to_owned);
    answer["nodes"].as_array().unwrap().iter().map(name).collect()
}

/// Solves and draws, and checks that the picture's steps are those of the answer.
fn drawn(test: &str, args: &[&str]) -> String {
    let picture = folder(test).join("picture.svg");
    let mut all = vec!["solve", "--output", "json", "--picture", picture.to_str().unwrap()];
    all.extend(args);
    let answer: Value = serde_json::from_str(&longhaul(&all)).unwrap();
    let mut names = names(&answer);
    if answer["cycle"] == true {
        names.push(names[0].clone());
    }
    let svg = std::fs::read_to_string(picture).unwrap();
    assert_eq!(values(&svg, "data-from"), names[..names.len().saturating_sub(1)], "{test}");
    assert_eq!(values(&svg, "data-to"), names.get(1..).unwrap_or_default(), "{test}");
    svg
}

#[test]
fn a_picture_shows_the_steps_of_the_path() {
    drawn("karate", &["graphs/real/karate.gr"]);
    drawn("road18", &["graphs/rivals/road18.gr"]);
    drawn("maze40", &["graphs/rivals/maze40.gr"]);
    drawn("karate-cycle", &["graphs/real/karate.gr", "--cycle"]);
}

#[test]
fn heads_show_directions_and_without_a_path_the_graph_is_drawn() {
    let folder = folder("pictures-small");
    let file = folder.join("directed.el");
    std::fs::write(&file, "a b\nb c\nc a\nc d\n").unwrap();
    let file = file.to_str().unwrap();
    let svg = drawn("directed", &[file, "--directed"]);
    assert_eq!(svg.matches("marker-end=\"url(#path-head)\"").count(), 3);
    assert_eq!(svg.matches("marker-end=\"url(#head)\"").count(), 4);
    let svg = drawn("no-path", &[file, "--directed", "--from", "d", "--to", "a"]);
    assert_eq!(svg.matches("class=\"node\"").count(), 4);
}

/// However the nodes lie in a layout, none covers another.
#[test]
fn nodes_do_not_cover_each_other() {
    for file in ["graphs/real/karate.gr", "graphs/rivals/road18.gr"] {
        let svg = drawn("apart", &[file]);
        let circles: Vec<&str> = svg.lines().filter(|line| line.starts_with("<circle")).collect();
        let number = |line: &str, name: &str| values(line, name)[0].parse::<f64>().unwrap();
        for (at, one) in circles.iter().enumerate() {
            for two in &circles[..at] {
                let [x, y] = ["cx", "cy"].map(|axis| number(one, axis) - number(two, axis));
                assert!(x.hypot(y) > 1.8 * number(one, "r"), "{file}: {one} {two}");
            }
        }
    }
}

#[test]
fn a_tangle_is_drawn_as_its_blocks() {
    let folder = folder("pictures-tangle");
    let [graph, picture] = ["ba.el", "ba.svg"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    longhaul(&["generate", "barabasi-albert", "800", "2", "--seed", "1", "--out", &graph]);
    longhaul(&["info", &graph, "--picture", &picture]);
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.contains("blocks with their numbers of nodes"));
}

#[test]
fn cards_lie_in_a_row_with_what_matches_between_them() {
    let folder = folder("pictures-cards");
    let [deck, picture] = ["hand.deck", "hand.svg"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    longhaul(&["generate", "uno", "50", "--seed", "3", "--out", &deck]);
    let answer: Value =
        serde_json::from_str(&longhaul(&["uno", &deck, "--output", "json", "--picture", &picture])).unwrap();
    let svg = std::fs::read_to_string(picture).unwrap();
    let cards: Vec<&str> = answer["cards"].as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
    assert_eq!(values(&svg, "data-card"), cards);
    let links = values(&svg, "data-link");
    assert_eq!(links.len() + 1, cards.len());
    for (link, pair) in links.iter().zip(cards.windows(2)) {
        let [one, two] = [pair[0], pair[1]].map(|card| card.split_once(' ').unwrap());
        assert!(match link.split_once(' ').unwrap() {
            ("number", number) => one.0 == number && two.0 == number,
            ("colour", colour) => one.1 == colour && two.1 == colour,
            _ => one == two,
        });
    }
}

/// A report is whole without a network, and holds the picture, the steps and how to make it again.
#[test]
fn a_report_is_one_page() {
    let report = folder("report").join("report.html");
    let answer =
        longhaul(&["solve", "graphs/real/karate.gr", "--output", "json", "--report", report.to_str().unwrap()]);
    let nodes = names(&serde_json::from_str(&answer).unwrap());
    let page = std::fs::read_to_string(report).unwrap();
    assert_eq!(values(&page, "data-from"), nodes[..nodes.len() - 1]);
    assert!(page.contains("longhaul solve graphs/real/karate.gr --output json --report"));
    let links = ["src=", "href=", "@import", "url(http"];
    assert!(links.iter().all(|link| !page.contains(link)));
}
