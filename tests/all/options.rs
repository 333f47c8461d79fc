//! Every option of every command stands in a recorded command line, once at least where it is used well and once where it is
//! used badly. What there is, the binary's own help says.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

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
