//! Where pictures and reports go.

use std::path::{Path, PathBuf};

/// Where pictures go.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PictureArgs {
    /// Draw the graph and the path (or the cards) to FILE.svg or FILE.html
    ///
    /// A page of HTML can be zoomed and stepped through.
    #[arg(long, value_name = "FILE", value_parser = picture_file)]
    pub(crate) picture: Option<PathBuf>,
    /// Tell of the run in one page, FILE.html
    ///
    /// With the picture, the curve of length and bound, decisions, structure, and how to reproduce it.
    #[arg(long, value_name = "FILE", value_parser = html_file)]
    pub(crate) report: Option<PathBuf>,
}

impl PictureArgs {
    /// Whether any is asked for.
    pub(crate) fn any(&self) -> bool {
        self.picture.is_some() || self.report.is_some()
    }
}

/// The same for commands that do not solve.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PictureOnlyArgs {
    /// Draw the graph (and the path) to FILE.svg or FILE.html
    ///
    /// A page of HTML can be zoomed and stepped through.
    #[arg(long, value_name = "FILE", value_parser = picture_file)]
    pub(crate) picture: Option<PathBuf>,
}

fn picture_file(name: &str) -> Result<PathBuf, String> {
    with_extension(name, &["svg", "html", "htm"])
}

fn html_file(name: &str) -> Result<PathBuf, String> {
    with_extension(name, &["html", "htm"])
}

fn with_extension(name: &str, known: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    match known.contains(&extension.as_str()) {
        true => Ok(path),
        false => Err(format!("'{name}' does not end in .{}", known.join(", ."))),
    }
}

/// Whether a picture is to be a page, by its name.
pub(crate) fn is_page(file: &Path) -> bool {
    !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}
