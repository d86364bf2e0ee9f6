//! A picture of a page as a browser draws it.

use std::io;
use std::path::Path;
use std::process::Command;

/// What is seen of the page, in pixels.
const SIZE: (u32, u32) = (1000, 960);

/// The names under which distributions have a browser that draws without a window.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Draws the top of a page as an SVG of shapes, in which fonts are outlines: it looks the same
/// wherever it is shown, and is text as all that is kept here. Needs a browser and `pdftocairo`.
pub fn svg_of(page: &Path) -> io::Result<String> {
    let scratch = tempfile::tempdir()?;
    let (html, pdf, svg) = (
        scratch.path().join("page.html"),
        scratch.path().join("page.pdf"),
        scratch.path().join("page.svg"),
    );
    let size = format!("<style>@page{{size:{}px {}px;margin:0}}", SIZE.0, SIZE.1);
    std::fs::write(&html, std::fs::read_to_string(page)?.replacen("<style>", &size, 1))?;
    let mut drawn = Err(io::Error::other(format!("there is none of {BROWSERS:?}")));
    for browser in BROWSERS {
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]);
        command.arg(format!("--print-to-pdf={}", pdf.display()));
        command.arg(format!("file://{}", html.display()));
        drawn = command.output();
        if drawn.is_ok() {
            break;
        }
    }
    drawn?;
    let mut command = Command::new("pdftocairo");
    command.args(["-svg", "-f", "1", "-l", "1"]).args([&pdf, &svg]);
    let output = command
        .output()
        .map_err(|error| io::Error::other(format!("pdftocairo (poppler-utils): {error}")))?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(rounded(&std::fs::read_to_string(&svg)?))
}

/// The same with two places after the point, of which an eye sees no more.
fn rounded(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut places = None;
    for c in svg.chars() {
        places = match (c, places) {
            ('.', _) => Some(0),
            ('0'..='9', Some(places)) => Some(places + 1),
            _ => None,
        };
        if places.is_none_or(|places| places <= 2) {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shortened_and_nothing_else() {
        let svg = "<path d=\"M 1.203125 4.25 L 10 -0.5\" version=\"1.0\"/> glyph0-1234 .";
        assert_eq!(rounded(svg), svg.replace("1.203125", "1.20"));
    }
}
