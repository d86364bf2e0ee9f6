//! The links that a path leads through, for people who want to see why it leads where it does.

use super::Physical;
use super::resolve::way;
use crate::view::{FsView, Kind};
use std::path::PathBuf;

/// A symbolic link on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it stands.
    pub at: Physical,
    /// Its text.
    pub target: PathBuf,
}

/// Every link that is met when `text` is resolved from the directory `from`, each once, in the
/// order in which they are met. As far as it can be resolved.
pub fn links_on_the_way(view: &dyn FsView, from: &Physical, text: &[u8]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for at in way(view, from, text) {
        if links.iter().any(|link| link.at == at)
            || view.kind(at.as_path()).ok() != Some(Kind::Link)
        {
            continue;
        }
        if let Ok(target) = view.read_link(at.as_path()) {
            links.push(Link { at, target });
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;

    #[test]
    fn links_are_listed_in_the_order_of_the_way() {
        let mut view = MemoryView::default();
        view.link("/p/a", "b/c").link("/p/b", "../q").link("/q/c", "/r").dir("/r");
        let met = |text: &str| {
            let links = links_on_the_way(&view, &Physical::root(), text.as_bytes());
            let shown =
                links.iter().map(|link| format!("{} -> {}", link.at, link.target.display()));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(met("/p/a/x"), ["/p/a -> b/c", "/p/b -> ../q", "/q/c -> /r"]);
        assert_eq!(met("/p"), [""; 0]);
        view.link("/p/loop", "loop");
        let links = links_on_the_way(&view, &Physical::root(), b"/p/loop");
        assert_eq!(links.len(), 1);
    }
}
