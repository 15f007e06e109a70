//! `terzo book`

mod build;
mod journal;
mod verify;

use indicatif::{ProgressBar, ProgressStyle};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  terzo book build quarto -o quarto.book\n  terzo book verify quarto --sample 500")]
pub struct BookCommand {
    #[command(subcommand)]
    command: BookSubcommand,
}

#[derive(clap::Subcommand)]
enum BookSubcommand {
    /// Solve every position with at most four pieces placed, and those with up to six that follow from the book's own turns
    #[command(
        after_help = "A player who keeps to the book's turns meets few of the positions with five or six pieces placed. With their values and turns in the book, what it must search is solved in a moment.\nSolved positions go to a journal beside the book at once: Ctrl-C loses nothing, and the same command goes on.\n\nExamples:\n  terzo book build quarto-squares -o squares.book\n  terzo book build quarto-torus -o torus.book --depth 3 --reach 5"
    )]
    Build(Box<build::Build>),
    /// Solve a random sample of the book and of its edge again, without the book
    #[command(after_help = "Example:\n  terzo book verify quarto --sample 200 --seed 3")]
    Verify(verify::Verify),
}

impl BookCommand {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            BookSubcommand::Build(build) => build.run(),
            BookSubcommand::Verify(verify) => verify.run(),
        }
    }
}

fn bar(length: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec:.0}}, {{eta}} left  {{msg}}");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
