//! Filters of `jq` that compute, and touch nothing but what they are given.
//!
//! Only tokens: what a filter can reach, it reaches through a name. `env` and `$ENV` show the
//! environment, `import`, `include` and `modulemeta` read files; all others that are declared
//! compute. A field or a key of any name is none of them.

/// Functions that compute, and keywords. What a filter defines itself comes to these.
#[rustfmt::skip]
pub(super) const NAMES: &[&[u8]] = &[
    b"IN", b"INDEX", b"JOIN", b"__loc__", b"abs", b"acos", b"acosh", b"add", b"all", b"and", b"any",
    b"arrays", b"as", b"ascii", b"ascii_downcase", b"ascii_upcase", b"asin", b"asinh", b"atan",
    b"atan2", b"atanh", b"booleans", b"break", b"bsearch", b"builtins", b"capture", b"catch",
    b"cbrt", b"ceil", b"combinations", b"contains", b"copysign", b"cos", b"cosh", b"date",
    b"dateadd", b"datesub", b"debug", b"def", b"del", b"delpaths", b"drem", b"elif", b"else",
    b"empty", b"end", b"endswith", b"erf", b"erfc", b"error", b"exp", b"exp10", b"exp2", b"explode",
    b"expm1", b"fabs", b"false", b"fdim", b"finites", b"first", b"flatten", b"floor", b"fma",
    b"fmax", b"fmin", b"fmod", b"foreach", b"format", b"frexp", b"from_entries", b"fromdate",
    b"fromdateiso8601", b"fromjson", b"fromstream", b"gamma", b"getpath", b"gmtime", b"group_by",
    b"gsub", b"halt", b"halt_error", b"has", b"have_decnum", b"have_literal_numbers", b"hypot",
    b"if", b"implode", b"in", b"index", b"indices", b"infinite", b"input", b"input_filename",
    b"input_line_number", b"inputs", b"inside", b"isempty", b"isfinite", b"isinfinite", b"isnan",
    b"isnormal", b"isvalid", b"iterables", b"j0", b"j1", b"jn", b"join", b"keys", b"keys_unsorted",
    b"label", b"last", b"ldexp", b"leaf_paths", b"length", b"lgamma", b"lgamma_r", b"limit",
    b"localtime", b"log", b"log10", b"log1p", b"log2", b"logb", b"ltrim", b"ltrimstr", b"map",
    b"map_values", b"match", b"max", b"max_by", b"min", b"min_by", b"mktime", b"modf", b"nan",
    b"nearbyint", b"nextafter", b"nexttoward", b"normals", b"not", b"now", b"nth", b"null",
    b"nulls", b"numbers", b"objects", b"or", b"path", b"paths", b"pick", b"pow", b"pow10", b"range",
    b"recurse", b"recurse_down", b"reduce", b"remainder", b"repeat", b"reverse", b"rindex", b"rint",
    b"round", b"rtrim", b"rtrimstr", b"scalars", b"scalars_or_empty", b"scalb", b"scalbln", b"scan",
    b"select", b"setpath", b"significand", b"sin", b"sinh", b"skip", b"sort", b"sort_by", b"split",
    b"splits", b"sqrt", b"startswith", b"stderr", b"strflocaltime", b"strftime", b"strings",
    b"strptime", b"sub", b"tan", b"tanh", b"test", b"tgamma", b"then", b"to_entries", b"toarray",
    b"todate", b"todateiso8601", b"tojson", b"tonumber", b"tostream", b"tostring", b"transpose",
    b"trim", b"trimstr", b"true", b"trunc", b"truncate_stream", b"try", b"type", b"unique",
    b"unique_by", b"until", b"utf8bytelength", b"values", b"walk", b"while", b"with_entries", b"y0",
    b"y1", b"yn",
];

/// Names that are none of a filter's own.
const REFUSED: &[&[u8]] = &[b"env", b"get_search_list", b"import", b"include", b"modulemeta"];

/// How deep brackets and texts may stand within each other.
const DEPTH_MAX: usize = 64;

/// Does this filter touch nothing?
pub(super) fn only_computes(filter: &[u8]) -> bool {
    let mut reading = Reading {
        rest: filter,
        open: Vec::new(),
        key_follows: false,
        used: Vec::new(),
        defined: Vec::new(),
    };
    reading.filter().is_some()
}

/// Something that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Round,
    Square,
    Curly,
    /// `\(` in a text, which goes on behind the parenthesis that closes it.
    InText,
    /// The parameters of a function that is defined.
    Parameters,
}

struct Reading<'f> {
    rest: &'f [u8],
    open: Vec<Bracket>,
    /// Is a name here the key of an object?
    key_follows: bool,
    used: Vec<&'f [u8]>,
    defined: Vec<&'f [u8]>,
}

impl<'f> Reading<'f> {
    /// All of it. Nothing if there is something that touches more, or that is not declared.
    fn filter(&mut self) -> Option<()> {
        loop {
            self.skip_blanks()?;
            let Some(first) = self.rest.first() else { break };
            self.token(*first)?;
        }
        self.defined.sort_unstable();
        let is_known = |name: &&[u8]| {
            NAMES.binary_search(name).is_ok() || self.defined.binary_search(name).is_ok()
        };
        (self.open.is_empty() && self.used.iter().all(is_known)).then_some(())
    }

    /// Blanks and comments. Newer ones go on behind a backslash at the end of the line.
    fn skip_blanks(&mut self) -> Option<()> {
        loop {
            match self.rest {
                [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] => self.rest = rest,
                [b'#', ..] => {
                    let comment = self.take_while(|byte| *byte != b'\n');
                    if comment.iter().any(|byte| matches!(byte, b'\\' | b'\r')) {
                        return None;
                    }
                }
                _ => return Some(()),
            }
        }
    }

    fn take_while(&mut self, good: impl Fn(&u8) -> bool) -> &'f [u8] {
        let length = self.rest.iter().take_while(|byte| good(byte)).count();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn token(&mut self, first: u8) -> Option<()> {
        let is_key = std::mem::take(&mut self.key_follows);
        match first {
            b'"' => {
                self.rest = &self.rest[1..];
                self.text()
            }
            b'.' | b'0'..=b'9' => self.field_or_number(),
            b'$' => self.variable(),
            b'@' => {
                self.rest = &self.rest[1..];
                (!self.take_while(is_name_byte).is_empty()).then_some(())
            }
            _ if is_name_byte(&first) => self.name(is_key),
            _ => self.sign(first),
        }
    }

    /// `.name`, `.`, `..`, or a number: a name behind a number is no field.
    fn field_or_number(&mut self) -> Option<()> {
        match self.rest {
            [b'.', b'.', rest @ ..] => self.rest = rest,
            [b'.', b'0'..=b'9', ..] | [b'0'..=b'9', ..] => {
                self.take_while(u8::is_ascii_digit);
                if let [b'.', rest @ ..] = self.rest {
                    self.rest = rest;
                    self.take_while(u8::is_ascii_digit);
                }
                self.exponent();
            }
            [_, rest @ ..] => {
                self.rest = rest;
                self.take_while(is_name_byte);
            }
            [] => {}
        }
        Some(())
    }

    fn exponent(&mut self) {
        let [b'e' | b'E', digits @ ..] = self.rest else { return };
        let digits = match digits {
            [b'+' | b'-', digits @ ..] => digits,
            _ => digits,
        };
        if digits.first().is_some_and(u8::is_ascii_digit) {
            self.rest = digits;
            self.take_while(u8::is_ascii_digit);
        }
    }

    /// `$name`, perhaps with blanks between them.
    fn variable(&mut self) -> Option<()> {
        self.rest = &self.rest[1..];
        self.skip_blanks()?;
        let name = self.take_while(is_name_byte);
        let good = match name {
            b"" | b"ENV" => false,
            b"__loc__" => true,
            _ => !name.starts_with(b"__"),
        };
        (good && !self.rest.starts_with(b"::")).then_some(())
    }

    fn name(&mut self, is_key: bool) -> Option<()> {
        let name = self.take_while(is_name_byte);
        if self.rest.starts_with(b"::") {
            return None;
        }
        let is_parameter = self.open.last() == Some(&Bracket::Parameters);
        match name {
            b"def" => return self.definition(),
            // `{env: 1}`, but not `{a: if . then 1, env else 2 end}`.
            _ if REFUSED.contains(&name) => return self.next_is_colon().then_some(()),
            _ if is_key => {}
            _ if is_parameter => self.defined.push(name),
            _ => self.used.push(name),
        }
        Some(())
    }

    /// Is the name before this a key, wherever it stands?
    fn next_is_colon(&self) -> bool {
        self.rest.iter().find(|byte| !b" \t\n".contains(byte)) == Some(&b':')
    }

    /// `def name:`, `def name(parameters):`.
    fn definition(&mut self) -> Option<()> {
        self.skip_blanks()?;
        let name = self.take_while(is_name_byte);
        if name.is_empty() || REFUSED.contains(&name) {
            return None;
        }
        self.defined.push(name);
        self.skip_blanks()?;
        match self.rest {
            [b'(', ..] => self.open(Bracket::Parameters),
            [b':', ..] => Some(()),
            _ => None,
        }
    }

    /// The rest of a text, up to what ends it or to what is computed within it.
    fn text(&mut self) -> Option<()> {
        loop {
            self.take_while(|byte| !matches!(byte, b'"' | b'\\'));
            match self.rest {
                [b'"', rest @ ..] => {
                    self.rest = rest;
                    return Some(());
                }
                [_, b'(', ..] => {
                    self.rest = &self.rest[1..];
                    return self.open(Bracket::InText);
                }
                [_, _, rest @ ..] => self.rest = rest,
                _ => return None,
            }
        }
    }

    /// Opens a bracket, which is one byte.
    fn open(&mut self, bracket: Bracket) -> Option<()> {
        self.rest = &self.rest[1..];
        self.key_follows = bracket == Bracket::Curly;
        self.open.push(bracket);
        (self.open.len() <= DEPTH_MAX).then_some(())
    }

    fn sign(&mut self, first: u8) -> Option<()> {
        match first {
            b'(' => return self.open(Bracket::Round),
            b'[' => return self.open(Bracket::Square),
            b'{' => return self.open(Bracket::Curly),
            _ => self.rest = &self.rest[1..],
        }
        match (first, self.open.last()) {
            (b')', Some(Bracket::InText)) => {
                self.open.pop();
                return self.text();
            }
            (b')', Some(Bracket::Round | Bracket::Parameters))
            | (b']', Some(Bracket::Square))
            | (b'}', Some(Bracket::Curly)) => _ = self.open.pop(),
            (b',', Some(Bracket::Curly)) => self.key_follows = true,
            (b',' | b'|' | b':' | b';' | b'=' | b'!' | b'<' | b'>' | b'?', _)
            | (b'+' | b'-' | b'*' | b'/' | b'%', _) => {}
            _ => return None,
        }
        Some(())
    }
}

fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}
