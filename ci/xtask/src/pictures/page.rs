//! A picture of a page as a browser draws it.

use std::io;
use std::path::Path;
use std::process::Command;

/// What is seen of the page, in pixels.
const SIZE: (u32, u32) = (1000, 1200);

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
    // A corner that is round is many numbers.
    let size = format!(
        "<style>@page{{size:{}px {}px;margin:28px}} *{{border-radius:0!important}}",
        SIZE.0, SIZE.1
    );
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

/// The same with one place after the point in what shapes are made of and where they stand: an eye
/// sees no more. What turns and scales them stays as it is.
fn rounded(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    for (at, part) in svg.split('"').enumerate() {
        let (before, separator) = (text.rsplit([' ', '<']).next(), if at > 0 { "\"" } else { "" });
        let is_place = at % 2 == 1 && matches!(before, Some("d=" | "x=" | "y="));
        text += separator;
        text += &if is_place { shortened(part) } else { part.to_owned() };
    }
    text
}

/// Every number with one place after its point.
fn shortened(numbers: &str) -> String {
    let short = |word: &str| match word.parse::<f64>() {
        Ok(number) => ((number * 10.0).round() / 10.0).to_string(),
        Err(_) => word.to_owned(),
    };
    numbers.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shortened_and_nothing_else() {
        let svg = "<path d=\"M 1.203125 4.25 L 10 -0.54\" r=\"1.25\"/><use x=\"7.08\"/> d=1.25";
        let short = "<path d=\"M 1.2 4.3 L 10 -0.5\" r=\"1.25\"/><use x=\"7.1\"/> d=1.25";
        assert_eq!(rounded(svg), short);
    }
}
