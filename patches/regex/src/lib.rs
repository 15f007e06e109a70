//! `regex-lite` under the name `regex`. The only one here who asks for regular expressions is async-nats, twice, and for short ASCII
//! texts: a server's version and a file of credentials. For that the large engine, its tables of Unicode and the searcher for many
//! words took thirteen seconds of processor time in every build from nothing, and a megabyte of the program.
//! Both crates are kept by the same people, with the same interface as far as it goes.

pub use regex_lite::*;
