//! Runs shell lines under real shells in contained throwaway trees, and compares what happened with
//! what a guard predicted.

pub mod trace;
