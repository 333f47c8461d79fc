//! The report, opened and clicked in a real browser without a screen: Chromium, spoken to by its DevTools protocol through a
//! pair of pipes. Where no browser is installed, that is said on standard error and nothing is tested.
//!
//! Source: *Chrome DevTools Protocol*, https://chromedevtools.github.io/devtools-protocol/; with `--remote-debugging-pipe` the
//! browser reads messages from file descriptor 3 and writes them to 4, each ended by a zero byte.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::pictures::{folder, longhaul};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser's program, if there is one.
fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let programs = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

/// A page in a browser.
struct Page {
    browser: Child,
    requests: File,
    replies: BufReader<File>,
    session: Option<String>,
    number: u64,
    /// What the page told since the last look: errors of its script, what it asked the network for.
    events: Vec<Value>,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

impl Page {
    fn open(program: &Path, name: &str, file: &Path) -> Page {
        let folder = folder(name);
        let pipes = ["requests", "replies"].map(|pipe| folder.join(pipe));
        for pipe in &pipes {
            let _ = std::fs::remove_file(pipe);
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        // Only a shell can hand on file descriptors without unsafe code.
        let browser = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<requests 4>replies"])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let requests = OpenOptions::new().write(true).open(&pipes[0]).unwrap();
        let replies = BufReader::new(File::open(&pipes[1]).unwrap());
        let mut page = Page { browser, requests, replies, session: None, number: 0, events: Vec::new() };
        let target = page.ask("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = page.ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        page.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.ask(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({ "width": 1200, "height": 1000, "deviceScaleFactor": 1, "mobile": false });
        page.ask("Emulation.setDeviceMetricsOverride", size);
        page.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !page.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            page.hear();
        }
        page
    }

    /// One message of the browser.
    fn hear(&mut self) -> Value {
        let mut message = Vec::new();
        self.replies.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "the browser has gone");
        let message: Value = serde_json::from_slice(&message).unwrap();
        if message.get("method").is_some() {
            self.events.push(message.clone());
        }
        message
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut request = json!({ "id": self.number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        write!(self.requests, "{request}\0").unwrap();
        loop {
            let reply = self.hear();
            if reply["id"] == self.number {
                assert!(reply.get("error").is_none(), "{method}: {reply}");
                return reply["result"].clone();
            }
        }
    }

    /// The value of an expression of JavaScript.
    fn value(&mut self, expression: &str) -> Value {
        let reply = self.ask("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(reply.get("exceptionDetails").is_none(), "{expression}: {reply}");
        reply["result"]["value"].clone()
    }

    /// The middle of an element on the screen.
    fn middle(&mut self, element: &str) -> [f64; 2] {
        let middle = self.value(&format!(
            "(() => {{ const box = document.querySelector({element:?}).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        [0, 1].map(|axis| middle[axis].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], more: Value) {
        let mut event = json!({ "type": kind, "x": x, "y": y });
        more.as_object().unwrap().iter().for_each(|(name, value)| event[name] = value.clone());
        self.ask("Input.dispatchMouseEvent", event);
    }

    fn click(&mut self, element: &str) {
        let place = self.middle(element);
        let left = json!({ "button": "left", "buttons": 1, "clickCount": 1 });
        self.mouse("mousePressed", place, left.clone());
        self.mouse("mouseReleased", place, left);
    }

    fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" && key.len() == 1 { json!(key) } else { Value::Null };
            let mut event = json!({ "type": kind, "key": key, "code": key });
            if !text.is_null() {
                event["text"] = text;
            }
            if key == "Tab" {
                event["windowsVirtualKeyCode"] = json!(9);
            }
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// What part of the picture is seen: its corner and its width.
    fn view(&mut self) -> [f64; 3] {
        let view = self.value(
            "(() => { const view = document.querySelector('#picture svg').viewBox.baseVal; \
             return [view.x, view.y, view.width]; })()",
        );
        [0, 1, 2].map(|at| view[at].as_f64().unwrap())
    }

    fn told(&mut self) -> String {
        self.value("document.getElementById('told').textContent").as_str().unwrap().to_owned()
    }

    /// No error of the script, and nothing asked of a network.
    fn is_quiet(&self) -> bool {
        let troubles = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => {
                !event["params"]["request"]["url"].as_str().unwrap_or_default().starts_with("file:")
            }
            _ => false,
        };
        let troubles: Vec<&Value> = self.events.iter().filter(troubles).collect();
        assert!(troubles.is_empty(), "{troubles:#?}");
        true
    }
}

#[test]
fn the_report_moves_steps_and_listens() {
    let Some(program) = installed() else {
        // Past the test harness, which would keep it to itself.
        writeln!(std::io::stderr(), "no browser is installed ({}): the report was not opened", NAMES.join(", "))
            .unwrap();
        return;
    };
    let report = folder("browser").join("report.html");
    longhaul(&["solve", "graphs/real/karate.gr", "--quiet", "--report", report.to_str().unwrap()]);
    let mut page = Page::open(&program, "browser-graph", &report);
    let steps = page.value("document.querySelectorAll('#steps li').length").as_u64().unwrap();
    assert_eq!(steps, 25);

    // Zoom by buttons, by the wheel about the pointer, and back.
    let whole = page.view();
    page.click("#nearer");
    let nearer = page.view();
    // A view box has the numbers of single precision.
    assert!((nearer[2] * 1.4 / whole[2] - 1.0).abs() < 1e-6, "{whole:?} {nearer:?}");
    page.click("#farther");
    page.click("#farther");
    assert!(page.view()[2] > whole[2]);
    page.click("#whole");
    assert_eq!(page.view(), whole);
    let middle = page.middle("#picture");
    page.mouse("mouseWheel", middle, json!({ "deltaX": 0, "deltaY": -100 }));
    let wheeled = page.view();
    assert!(wheeled[2] < whole[2]);

    // Dragging to the right shows what is on the left.
    let left = json!({ "button": "left", "buttons": 1, "clickCount": 1 });
    page.mouse("mousePressed", middle, left.clone());
    page.mouse("mouseMoved", [middle[0] + 60.0, middle[1] + 30.0], json!({ "buttons": 1 }));
    page.mouse("mouseReleased", [middle[0] + 60.0, middle[1] + 30.0], left);
    let dragged = page.view();
    assert!(dragged[0] < wheeled[0] && dragged[1] < wheeled[1] && dragged[2] == wheeled[2], "{wheeled:?} {dragged:?}");
    page.click("#whole");

    // Along the path, by buttons and by keys.
    let name = |page: &mut Page, at: u64| {
        page.value(&format!("document.querySelectorAll('#steps li')[{at}].textContent")).as_str().unwrap().to_owned()
    };
    page.click("#back");
    let before_last = name(&mut page, steps - 2);
    assert_eq!(page.told(), format!("24 of 25: {before_last}"));
    assert_eq!(page.value("document.querySelector('.here').dataset.name"), json!(before_last));
    assert_eq!(page.value("document.querySelectorAll('.step.later').length"), json!(1));
    page.click("#forth");
    assert_eq!(page.value("document.querySelectorAll('.later').length"), json!(0));
    page.value("document.activeElement.blur()");
    page.press("Home");
    let first = name(&mut page, 0);
    assert_eq!(page.told(), format!("1 of 25: {first}"));
    page.press("ArrowRight");
    page.press("ArrowRight");
    assert!(page.told().starts_with("3 of 25: "));
    page.press("ArrowLeft");
    assert!(page.told().starts_with("2 of 25: "));
    page.press("End");
    page.press("+");
    assert!(page.view()[2] < whole[2]);
    page.press("0");
    assert_eq!(page.view(), whole);

    // What the pointer rests on is named, on the path or not.
    let place = page.middle("circle.node:not(.on)");
    page.mouse("mouseMoved", place, json!({}));
    let named = page.value("document.querySelector('circle.node:not(.on)').dataset.name");
    assert_eq!(json!(page.told()), named);

    // The keyboard goes from button to button, and shows where it is.
    page.value("document.getElementById('farther').focus()");
    page.press("Tab");
    assert_eq!(page.value("document.activeElement.id"), json!("whole"));
    assert_eq!(page.value("getComputedStyle(document.activeElement).outlineStyle"), json!("solid"));

    // Light, dark, and on paper.
    let paper =
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.paper')).fill]";
    let scheme = |scheme: &str| json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    page.ask("Emulation.setEmulatedMedia", scheme("light"));
    assert_eq!(page.value(paper), json!(["rgb(255, 255, 255)", "rgb(255, 255, 255)"]));
    page.ask("Emulation.setEmulatedMedia", scheme("dark"));
    assert_eq!(page.value(paper), json!(["rgb(21, 24, 29)", "rgb(21, 24, 29)"]));
    let mut on_paper = scheme("dark");
    on_paper["media"] = json!("print");
    page.ask("Emulation.setEmulatedMedia", on_paper);
    assert_eq!(page.value("getComputedStyle(document.querySelector('.tools')).display"), json!("none"));
    assert_eq!(page.value(paper), json!(["rgb(255, 255, 255)", "rgb(255, 255, 255)"]));
    let printed = page.ask("Page.printToPDF", json!({}));
    assert!(printed["data"].as_str().unwrap().starts_with("JVBERi0"), "no PDF");
    assert!(page.is_quiet());
}

#[test]
fn reports_of_cards_and_of_no_path_work_as_well() {
    let Some(program) = installed() else { return };
    let folder = folder("browser-others");
    let [deck, none, cards_page, none_page] =
        ["hand.deck", "none.el", "cards.html", "none.html"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    longhaul(&["generate", "uno", "50", "--seed", "3", "--out", &deck]);
    longhaul(&["uno", &deck, "--quiet", "--report", &cards_page]);
    let mut page = Page::open(&program, "browser-cards", Path::new(&cards_page));
    page.press("Home");
    page.press("ArrowRight");
    assert_eq!(page.value("document.querySelectorAll('.card.later').length"), json!(48));
    assert_eq!(page.value("document.querySelectorAll('.match.later').length"), json!(48));
    assert!(page.is_quiet());

    std::fs::write(&none, "a b\nc d\n").unwrap();
    longhaul(&["solve", &none, "--from", "a", "--to", "d", "--quiet", "--report", &none_page]);
    let mut page = Page::open(&program, "browser-none", Path::new(&none_page));
    page.press("Home");
    page.click("#nearer");
    assert_eq!(page.value("document.querySelector('.summary').textContent"), json!("there is no such path: proved"));
    assert!(page.is_quiet());
}
