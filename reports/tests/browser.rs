//! The page in a real browser: it renders without complaint, and a hostile line is text there too.
#![forbid(unsafe_code)]

#[allow(dead_code, reason = "each test uses a part of it")]
mod support;

use shfence_reports::{History, Run, html};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::{manifest, write_run};
use tempfile::TempDir;

/// A line that would be markup, a script, an entity, a comment, a link.
const HOSTILE: &[u8] = b"</pre><script>document.title='x'</script><img src=x onerror=alert(1)>\
    <!-- &lt; \"' <a href=javascript:alert(1)> <style>*{display:none}</style> \xff\xe2\x80\xae";

/// The names under which distributions have it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Runs the browser on a page, without a window, to its end.
fn browse(page: &Path, options: &[&str]) -> Output {
    let profile = TempDir::new().expect("a directory");
    let fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"];
    for name in BROWSERS {
        let mut command = Command::new(name);
        command.args(fixed).args(options).env("HOME", profile.path());
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("file://{}", page.display()));
        match command.output() {
            Ok(output) => return output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
    panic!("there is no browser: install the package chromium, or one of {BROWSERS:?}")
}

/// A page with a finding of this line and a night before it, and where it stands.
fn page(dir: &Path, line: &[u8]) -> std::path::PathBuf {
    let run: Run = write_run(&dir.join("run"), line);
    let mut history = History::default();
    let mut before = run.clone();
    before.manifest.started = manifest().started.replace("11-30", "11-29");
    history.remember(&before);
    let path = dir.join("report.html");
    fs::write(&path, html(&run, &history)).expect("written");
    path
}

/// What the browser made of it, and what it said on its console.
fn document(line: &[u8]) -> (String, Vec<String>) {
    let scratch = TempDir::new().expect("a directory");
    let output = browse(&page(scratch.path(), line), &["--dump-dom"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    let console = said.lines().filter(|it| it.contains("CONSOLE")).map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// The names of the elements, in their order.
fn elements(document: &str) -> Vec<&str> {
    let tags = document.split('<').skip(1);
    tags.filter_map(|it| it.split([' ', '>', '\n']).next()).collect()
}

/// The values of an attribute that begin so.
fn values<'a>(document: &'a str, beginning: &str) -> Vec<&'a str> {
    document.split(beginning).skip(1).filter_map(|it| it.split('"').next()).collect()
}

#[test]
#[ignore = "needs a browser: the nightly job installs one"]
fn a_hostile_line_is_text_in_a_browser() {
    let (hostile, console) = document(HOSTILE);
    assert_eq!(console, [""; 0]);
    let (plain, _) = document(b"cat x");
    assert_eq!(elements(&hostile), elements(&plain));
    assert!(plain.contains("id=\"trend\"") && plain.contains("<rect"), "no trend");
    assert!(hostile.contains("<title>1 new finding · shfence campaign</title>"), "{hostile}");
    assert!(hostile.contains("&lt;script&gt;"), "{hostile}");
}

#[test]
#[ignore = "needs a browser: the nightly job installs one"]
fn every_link_of_the_page_leads_into_it() {
    let (document, _) = document(HOSTILE);
    let (links, ids) = (values(&document, "href=\""), values(&document, "id=\""));
    for link in &links {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads elsewhere"));
        assert!(ids.contains(&target), "{link} leads nowhere");
    }
}

/// A page that is blank has few colours, and one that is wider than the window is cut.
#[test]
#[ignore = "needs a browser: the nightly job installs one"]
fn it_is_drawn_in_light_and_dark_narrow_and_on_paper() {
    let scratch = TempDir::new().expect("a directory");
    let page = page(scratch.path(), HOSTILE);
    let picture = |name: &str, options: &[&str]| {
        let file = scratch.path().join(name);
        let option = match name.ends_with("pdf") {
            true => format!("--print-to-pdf={}", file.display()),
            false => format!("--screenshot={}", file.display()),
        };
        browse(&page, &[options, &[&option]].concat());
        fs::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let light = picture("light.png", &["--window-size=1000,1600"]);
    let dark = ["--window-size=1000,1600", "--blink-settings=preferredColorScheme=0"];
    let dark = picture("dark.png", &dark);
    let narrow = picture("narrow.png", &["--window-size=500,1600"]);
    let paper = picture("paper.pdf", &[]);
    assert_ne!(light, dark, "dark is as light");
    for (name, picture) in [("light", light), ("dark", dark), ("narrow", narrow), ("paper", paper)]
    {
        assert!(picture.len() > 20_000, "{name} is blank: {} bytes", picture.len());
    }
}
