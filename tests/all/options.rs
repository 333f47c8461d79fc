//! Every option of every command stands in a recorded command line, once at least where it is used well and once where it is
//! used badly. What there is, the binary's own help says.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use values::{FirstCard, Gap, parse_gap, parse_positive, parse_size, parse_threads, parse_time};

/// A file of the command line: so it needs no harness, and with it no second build, of its own.
#[path = "../../src/bin/longhaul/options/values.rs"]
mod values;

/// A recorded command line behind `longhaul`, and whether it ends with a mistake.
struct Line {
    words: Vec<String>,
    is_bad: bool,
}

fn help(command: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_longhaul")).arg("help").args(command).output().unwrap();
    assert!(output.status.success(), "help {command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// All commands that have none below, with their options.
fn commands() -> Vec<(Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(command) = waiting.pop() {
        let text = help(&command);
        let below =
            text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.ends_with(':'));
        // Names stand two spaces in; what a long description continues, farther.
        let names = below.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
        let names = names.filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty() && *name != "help");
        let below: Vec<Vec<String>> = names.map(|name| [&command[..], &[name.to_owned()]].concat()).collect();
        if below.is_empty() {
            found.push((command, options(&text)));
        }
        waiting.extend(below);
    }
    found
}

/// The long names of options that begin a line of help.
fn options(text: &str) -> Vec<String> {
    let long = |line: &str| {
        let line = line.trim_start();
        let line = if line.starts_with('-') && line.get(2..4) == Some(", ") { &line[4..] } else { line };
        let name = line.strip_prefix("--")?;
        let end = name.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(name.len());
        Some(name[..end].to_owned())
    };
    text.lines().filter_map(long).filter(|name| name != "help" && name != "version").collect()
}

fn recorded() -> Vec<Line> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "trycmd") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let mut rows = text.lines().peekable();
        while let Some(row) = rows.next() {
            if let Some(words) = row.strip_prefix("$ longhaul") {
                let is_bad = rows.peek().is_some_and(|next| ["? 1", "? 2"].contains(next));
                lines.push(Line { words: words.split_whitespace().map(str::to_owned).collect(), is_bad });
            }
        }
    }
    lines
}

#[test]
fn every_option_is_used_well_and_badly() {
    const SHORT: [(&str, &str); 3] = [("-v", "verbose"), ("-q", "quiet"), ("-o", "out")];
    let (commands, lines) = (commands(), recorded());
    assert!(commands.len() > 20 && lines.len() > 200, "{} commands, {} lines", commands.len(), lines.len());
    let mut missing = BTreeSet::new();
    for (command, options) in &commands {
        let lines: Vec<&Line> = lines.iter().filter(|line| line.words.starts_with(command)).collect();
        let name = command.join(" ");
        for is_bad in [false, true] {
            let what = if is_bad { "badly" } else { "well" };
            let of_kind = || lines.iter().filter(|line| line.is_bad == is_bad);
            if of_kind().next().is_none() {
                missing.insert(format!("{name}, {what}"));
            }
            for option in options {
                let means = |word: &String| {
                    let word = word.split('=').next().unwrap_or_default();
                    word.strip_prefix("--") == Some(option) || SHORT.contains(&(word, option.as_str()))
                };
                if !of_kind().any(|line| line.words.iter().any(means)) {
                    missing.insert(format!("{name} --{option}, {what}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "no recorded command line has: {missing:#?}");
}

#[test]
fn help_is_read_as_it_is_printed() {
    let text = "Options:\n  -o, --out <FILE>\n          Write --there\n      --at-most-one\n  -h, --help\n";
    assert_eq!(options(text), ["out", "at-most-one"]);
}

/// Builds for tests have clap assert of every command that its options fit together, and a completion goes through all.
#[test]
fn options_are_consistent() {
    let output = Command::new(env!("CARGO_BIN_EXE_longhaul")).args(["completions", "bash"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn times_and_sizes() {
    assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
    assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
    assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
    assert!(parse_time("soon").is_err());
    assert!(parse_time("5 days").is_err());
    assert_eq!(parse_size("200MB"), Ok(200_000_000));
    assert_eq!(parse_size("1.5 KiB"), Ok(1536));
    assert!(parse_size("much").is_err());
    assert!(parse_size("3 apples").is_err());
    for parse in [parse_positive, parse_threads] {
        assert_eq!(parse("2"), Ok(2));
        assert!(["0", "-1", "two"].into_iter().all(|wrong| parse(wrong).is_err()));
    }
}

#[test]
fn gaps() {
    assert_eq!(parse_gap("3"), Ok(Gap::Number(3)));
    assert_eq!(parse_gap("5%"), Ok(Gap::Share(0.05)));
    assert_eq!(parse_gap("0.5 %"), Ok(Gap::Share(0.005)));
    for wrong in ["-1", "101%", "5.5", "%", "NaN%"] {
        assert!(parse_gap(wrong).is_err(), "{wrong}");
    }
    let (number, share) = (Gap::Number(3), Gap::Share(0.05));
    assert_eq!((number.units(2), number.share()), (300, 0.0));
    assert_eq!((share.units(2), share.share()), (0, 0.05));
}

#[test]
fn first_cards() {
    assert_eq!("7".parse(), Ok(FirstCard::Position(7)));
    let card = |number: &str, colour: &str| Ok(FirstCard::Card(number.to_owned(), colour.to_owned()));
    assert_eq!("5,3".parse(), card("5", "3"));
    assert_eq!("5 3".parse(), card("5", "3"));
    assert_eq!("skip,blue".parse(), card("skip", "blue"));
    for wrong in ["0", "-1", "5,", "x", "1,2,3", "4294967296,0"] {
        assert!(wrong.parse::<FirstCard>().is_err(), "{wrong}");
    }
}
