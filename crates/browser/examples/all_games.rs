//! The module for all games. The crate itself, as a module, is for Quarto and its variants alone, so that it is small; this one is fetched by who plays something else.

// A function that the host finds by its name must be exported under that name: see `browser::abi`.
#![allow(unsafe_code)]

pub use browser::*;

/// Lets all games in. The host calls it first.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
pub extern "C" fn admit() {
    games::admit_all();
}
