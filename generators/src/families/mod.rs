//! One file per family: what it plants and turns (`prepare`), and what it says (`act`).

pub(crate) mod cd_group;
pub(crate) mod code;
pub(crate) mod dot_dot;
pub(crate) mod environment;
pub(crate) mod expansion;
pub(crate) mod failed_cd;
pub(crate) mod forms;
pub(crate) mod links;
pub(crate) mod patterns;
pub(crate) mod quoting;
pub(crate) mod redirection;
pub(crate) mod repository;
pub(crate) mod running;
pub(crate) mod scoping;
pub(crate) mod system;
pub(crate) mod texts;
pub(crate) mod tools;
pub(crate) mod verbs;
