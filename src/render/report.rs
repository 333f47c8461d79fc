//! The report of a run: one page of HTML with its picture, its curve, its table, the structure of the graph and how to
//! reproduce it. It needs no network, and its small script only moves the picture and walks along the path.

use std::fmt::Write;

use super::svg::text;

/// A row of a table: what it is, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What a report tells.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was asked.
    pub title: String,
    /// The answer in a sentence.
    pub summary: String,
    /// The [picture](super::picture) or the [cards](super::cards).
    pub picture: String,
    /// The [curve](super::curve) of length and bound; empty where nothing was searched.
    pub curve: String,
    /// The names of the nodes in order, or the cards.
    pub steps: Vec<String>,
    /// Of the run: status, time, memory.
    pub run: Vec<Fact>,
    /// What was decided and why.
    pub decisions: Vec<String>,
    /// Of the graph.
    pub structure: Vec<Fact>,
    /// How to get the same answer again.
    pub command: String,
}

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

impl Report {
    /// The page.
    ///
    /// # Example
    /// ```
    /// use longhaul::render::Report;
    ///
    /// let report = Report { title: "ring.el".to_owned(), ..Report::default() };
    /// let page = report.page();
    /// assert!(page.starts_with("<!DOCTYPE html>") && !page.contains("http://") || page.contains("www.w3.org"));
    /// ```
    pub fn page(&self) -> String {
        let title = text(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} · longhaul</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"summary\">{}</p>\n</header>\n<main>\n",
            text(&self.summary)
        );
        self.write_picture(&mut page);
        if !self.curve.is_empty() {
            // Writing to a string never fails.
            let _ = write!(
                page,
                "<section>\n<h2>Length and bound over time</h2>\n<div class=\"curve\">{}</div>\n</section>\n",
                self.curve
            );
        }
        write_table(&mut page, "The run", &self.run);
        let decisions: String =
            self.decisions.iter().map(|decision| format!("<li>{}</li>\n", text(decision))).collect();
        if !decisions.is_empty() {
            let _ = write!(page, "<section>\n<h2>What was decided, and why</h2>\n<ol>\n{decisions}</ol>\n</section>\n");
        }
        write_table(&mut page, "The graph", &self.structure);
        let _ = write!(
            page,
            "<section>\n<h2>To reproduce</h2>\n<pre><code>{}</code></pre>\n</section>\n</main>\n<script>\n{SCRIPT}</script>\n\
             </body>\n</html>\n",
            text(&self.command)
        );
        page
    }

    fn write_picture(&self, page: &mut String) {
        let _ = write!(
            page,
            "<section>\n<h2>The picture</h2>\n<div class=\"tools\" role=\"toolbar\" aria-label=\"picture\">\n\
             <button id=\"nearer\" type=\"button\" title=\"nearer (+)\">+</button>\n\
             <button id=\"farther\" type=\"button\" title=\"farther (-)\">−</button>\n\
             <button id=\"whole\" type=\"button\" title=\"all of it (0)\">all</button>\n"
        );
        let last = self.steps.len().saturating_sub(1);
        if last > 0 {
            let _ = write!(
                page,
                "<button id=\"back\" type=\"button\" title=\"a step back (left arrow)\">◀</button>\n\
                 <label>step <input id=\"step\" type=\"range\" min=\"0\" max=\"{last}\" value=\"{last}\"></label>\n\
                 <button id=\"forth\" type=\"button\" title=\"a step on (right arrow)\">▶</button>\n"
            );
        }
        let _ = write!(
            page,
            "<output id=\"told\" aria-live=\"polite\"></output>\n</div>\n\
             <div id=\"picture\" tabindex=\"0\" aria-label=\"the graph; drag to move, wheel to zoom\">{}</div>\n",
            self.picture
        );
        if self.steps.is_empty() {
            page.push_str("<ol id=\"steps\" hidden></ol>\n</section>\n");
            return;
        }
        let steps: String = self.steps.iter().map(|step| format!("<li>{}</li>\n", text(step))).collect();
        let _ = write!(
            page,
            "<details>\n<summary>all {} in order</summary>\n<ol id=\"steps\">\n{steps}</ol>\n</details>\n</section>\n",
            self.steps.len()
        );
    }
}

fn write_table(page: &mut String, title: &str, facts: &[Fact]) {
    if facts.is_empty() {
        return;
    }
    let rows: String = facts
        .iter()
        .map(|fact| format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", text(&fact.name), text(&fact.value)))
        .collect();
    let _ = write!(page, "<section>\n<h2>{title}</h2>\n<table>\n{rows}</table>\n</section>\n");
}
