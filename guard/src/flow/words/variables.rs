//! What is known of the variables that a line sets.

/// How many values a variable, or a word made of several, may have before it is taken as unknown.
pub(in crate::flow) const VALUES_MAX: usize = 256;

/// The variables whose values are known, with each value they may have. What is not among them may
/// have any value, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Sorted by name; few, so that a list is quicker than a map.
    known: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

impl Variables {
    /// Nothing is known of any.
    pub(in crate::flow) const fn new() -> Variables {
        Variables { known: Vec::new() }
    }

    /// Is nothing known of any?
    pub(in crate::flow) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The values that the variable may have, if they are known.
    pub(in crate::flow) fn get(&self, name: &[u8]) -> Option<&[Vec<u8>]> {
        let at = self.find(name).ok()?;
        Some(&self.known[at].1)
    }

    /// From here on it has one of these values; `None` for any.
    pub(in crate::flow) fn set(&mut self, name: &[u8], values: Option<Vec<Vec<u8>>>) {
        let values = values.filter(|values| values.len() <= VALUES_MAX);
        match (self.find(name), values) {
            (Ok(at), Some(values)) => self.known[at].1 = values,
            (Ok(at), None) => {
                self.known.remove(at);
            }
            (Err(at), Some(values)) => self.known.insert(at, (name.to_vec(), values)),
            (Err(_), None) => {}
        }
    }

    /// What is known whichever of two ways the shell has come.
    pub(in crate::flow) fn join(&mut self, other: &Variables) {
        self.known.retain_mut(|(name, values)| {
            let Some(others) = other.get(name) else { return false };
            for value in others {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
            values.sort();
            values.len() <= VALUES_MAX
        });
    }

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.known.binary_search_by(|(known, _)| known.as_slice().cmp(name))
    }
}
