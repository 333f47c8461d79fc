//! The command line as people meet it: every command, every output form, every diagnostic, every exit code.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

#[test]
fn commands_answer_as_written_down() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

fn longhaul(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhaul"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The deck, its answer and `check` fit together in every form that an answer is printed in.
#[test]
fn every_output_can_be_checked() {
    for (command, file) in
        [("uno", "graphs/uno/projet12.deck"), ("solve", "graphs/rivals/uno24.gr"), ("solve", "graphs/rivals/dgnp30.gr")]
    {
        for form in ["text", "json", "jsonl", "dimacs"] {
            let answer = longhaul(&[command, file, "--output", form]).output().unwrap();
            assert!(answer.status.success());
            assert!(answer.stderr.is_empty(), "{}", String::from_utf8_lossy(&answer.stderr));
            let mut check = longhaul(&["check", file, "-"]).stdin(Stdio::piped()).spawn().unwrap();
            check.stdin.take().unwrap().write_all(&answer.stdout).unwrap();
            let verdict = check.wait_with_output().unwrap();
            let text = String::from_utf8(verdict.stdout).unwrap();
            assert!(verdict.status.success() && text.starts_with("valid: a path of length "), "{file} {form}: {text}");
            assert_eq!(text.contains("as it claims"), form != "text");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for form in ["text", "jsonl", "dimacs", "json"] {
        let mut child = longhaul(&["uno", "graphs/uno/hand_200.deck", "--output", form]).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(child.wait().unwrap().success(), "{form}: {errors}");
        assert_eq!(errors, "");
    }
}

/// A reduced instance, written to a file, solved by the command for it, and the solution carried back and checked.
#[test]
fn reductions_go_there_and_back() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let output = longhaul(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let graph = place("there_and_back.gr");
    run(&["generate", "cubic", "random", "12", "--seed", "1", "--out", &graph]);
    let again = place("there_and_back_again.gr");
    run(&["generate", "cubic", "random", "12", "--seed", "1", "--out", &again]);
    assert_eq!(std::fs::read(&graph).unwrap(), std::fs::read(&again).unwrap());

    // The kind, its options, the command that solves, and the options of the check.
    type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], &'a [&'a str]);
    let cases: [Case<'_>; 7] = [
        ("cubic-hamiltonian-path-to-uno1", &[], &["uno"], &[]),
        ("hamiltonian-path-to-uno2", &[], &["uno", "--cooperative=strict"], &[]),
        ("hamiltonian-path-to-longest-path", &[], &["solve"], &[]),
        ("hamiltonian-path-to-cycle", &["--format", "graph6"], &["solve", "--cycle"], &[]),
        ("hamiltonian-cycle-to-path", &[], &["solve"], &["--cycle"]),
        ("longest-path-free-to-fixed", &["--at-least", "11"], &["solve"], &[]),
        ("undirected-to-directed", &["--at-least", "11", "--format", "edge-list"], &["solve", "--directed"], &[]),
    ];
    for (kind, options, solve, check) in cases {
        let target = place(&format!("{kind}.{}", if solve[0] == "uno" { "deck" } else { "target" }));
        run(&[&["reduce", kind, &graph, "--out", &target], options].concat());
        for form in ["text", "json"] {
            let solution = place(&format!("{kind}.{form}"));
            let output = run(&[solve, &[&target, "--output", form, "--threads", "1"]].concat());
            std::fs::write(&solution, output).unwrap();
            let back = place(&format!("{kind}.back"));
            run(&[&["reduce", "--back", kind, &graph, &solution, "--out", &back], options].concat());
            let verdict = String::from_utf8(run(&[&["check", &graph, &back], check].concat())).unwrap();
            assert!(verdict.contains("12 nodes"), "{kind} {form}: {verdict}");
            let forth = run(&[&["reduce", "--forward", kind, &graph, &back], options].concat());
            assert!(!forth.is_empty());
        }
    }
}

/// What can't be written leaves no file behind.
#[test]
fn a_graph_is_written_whole_or_not_at_all() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("weighted.g6");
    let path = file.to_str().unwrap();
    let args = ["reduce", "longest-path-free-to-fixed", "graphs/named/TietzeGraph.gr", "--at-least", "3"];
    let output = longhaul(&args).args(["--format", "graph6", "--out", path]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("graph6 has no weights"));
    assert!(!file.exists());
    let output = longhaul(&args).args(["--format", "graph6"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

/// A graph that exhaustive search takes ages for, whatever the machine.
const ENDLESS: [&str; 4] = ["solve", "graphs/rivals/road50.gr", "--engine", "plain-backtracking"];

/// SIGINT once the search has found a path.
#[cfg(unix)]
#[test]
fn an_interrupted_run_tells_what_it_has() {
    let mut child = longhaul(&ENDLESS).args(["--output", "jsonl"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let has_path = |line: &String| !line.contains("\"length\":null");
    lines.by_ref().map(Result::unwrap).find(has_path).unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let last = lines.map(Result::unwrap).last().unwrap();
    assert!(child.wait().unwrap().success());
    let answer: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!(answer["stop"], "interrupted");
    assert_eq!(answer["status"], "feasible");
    assert_eq!(answer["nodes"].as_array().unwrap().len() as i64, answer["length"].as_i64().unwrap() + 1);
    assert!(answer["upper_bound"].as_i64() >= answer["length"].as_i64());
}

#[test]
fn a_spent_limit_is_an_answer() {
    let output = longhaul(&ENDLESS).args(["--output", "json", "--time-limit", "100ms"]).output().unwrap();
    assert!(output.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["stop"], "time-limit");
    assert_eq!(answer["status"], "feasible");
    let output = longhaul(&ENDLESS).args(["--sat-exit-codes", "--time-limit", "100ms"]).output().unwrap();
    assert_eq!(output.status.code(), Some(10));
}

/// Every command that reads and then searches, its file on the way. The file does not come.
const READERS: [&[&str]; 8] = [
    &["solve", "-"],
    &["trail", "-"],
    &["uno", "-"],
    &["uno", "-", "--count"],
    &["uno", "-", "--attributes", "3"],
    &["game", "-"],
    &["rummy", "-"],
    &["clique", "-"],
];

fn unread(output: std::process::Output, stop: &str) {
    assert!(output.status.success(), "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["status"], &answer["stop"], &answer["engine"]),
        (&"unknown".into(), &stop.into(), &"reading".into())
    );
}

#[test]
fn time_is_up_while_the_file_is_read() {
    for args in READERS {
        let command = longhaul(args).args(["--output", "json", "--time-limit", "50ms"]).stdin(Stdio::piped()).spawn();
        let mut child = command.unwrap();
        // Held until the answer is there.
        let input = child.stdin.take();
        unread(child.wait_with_output().unwrap(), "time-limit");
        drop(input);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_comes_while_the_file_is_read() {
    for args in READERS {
        let mut child = longhaul(args).args(["--output", "json"]).stdin(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let id = child.id().to_string();
        while !catches(&id, SIGTERM) {
            std::thread::yield_now();
        }
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        unread(child.wait_with_output().unwrap(), "interrupted");
        drop(input);
    }
}

/// A file that is not written to its end goes when a signal ends the process.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_unfinished_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unfinished");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("large.csv");
    let args = ["generate", "gnp", "3000", "0.5", "--out", path.to_str().unwrap()];
    let mut child = longhaul(&args).spawn().unwrap();
    let files = || std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    while files().is_empty() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    // Whether the signal came in time or not: nothing, or all of it.
    assert_eq!(files(), if status.success() { vec![path] } else { Vec::new() });
}

#[cfg(target_os = "linux")]
const SIGINT: u32 = 2;
#[cfg(target_os = "linux")]
const SIGTERM: u32 = 15;

#[cfg(target_os = "linux")]
fn catches(id: &str, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// The first signal asks for what there is so far, the second ends the process. It gets both at once, having been stopped; even so it
/// may have answered the first before it hears of the second, but not every time.
#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_the_process() {
    const TRIES: usize = 200;
    let is_ended_by_the_second = || {
        let mut child = longhaul(&["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        // Waiting would close it, and an empty file is an error.
        let input = child.stdin.take();
        let id = child.id().to_string();
        while !catches(&id, SIGTERM) {
            std::thread::yield_now();
        }
        for signal in ["-STOP", "-INT", "-TERM", "-CONT"] {
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        }
        let code = child.wait().unwrap().code().unwrap();
        drop(input);
        assert!([0, 128 + SIGINT as i32, 128 + SIGTERM as i32].contains(&code), "{code}");
        code != 0
    };
    assert!((0..TRIES).any(|_| is_ended_by_the_second()));
}
