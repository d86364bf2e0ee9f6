//! Runs shell lines under real shells in contained throwaway trees, and compares what happened with
//! what a guard predicted.
//!
//! Data flows one way: seed → case → trace → finding → fixture → report. The [`engine`] turns a
//! case and an installed shell into a [`trace`]; [`guards`] turn a case into a [`prediction`];
//! [`judge`] compares the two; [`confirm`] minimises what contradicts; [`campaign`] does all of it
//! many times.
#![deny(unsafe_code)]

pub mod bench;
pub mod campaign;
pub mod commands;
pub mod compare;
pub mod confirm;
pub mod contain;
pub mod culprit;
pub mod engine;
pub mod facilities;
pub mod guards;
pub mod installations;
pub mod interrupt;
mod invocation;
pub mod judge;
pub mod lab;
mod launch;
pub mod merging;
pub mod minimise;
mod observe;
mod plant;
pub mod precision;
pub mod prediction;
mod processors;
pub mod recording;
pub mod rejudge;
pub mod replay;
pub mod selftest;
pub mod signature;
pub mod startup;
pub mod steps;
mod system;
pub mod trace;
pub mod worker;
