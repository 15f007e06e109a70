//! `terzo book`

mod build;
mod count;
mod holding;
mod journal;
mod table;
mod table_journal;
mod verify;
mod verify_table;

pub use table_journal::{read_part, write_values};

use indicatif::{ProgressBar, ProgressStyle};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  terzo book build quarto -o quarto.book\n  terzo book verify quarto --sample 500")]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookSubcommand,
}

#[derive(clap::Subcommand)]
enum BookSubcommand {
    /// Solve every position with at most four pieces placed, and those with up to six that follow from the book's own turns
    #[command(
        after_help = "A player who keeps to the book's turns meets few of the positions with five or six pieces placed. With their values and turns in the book, what it must search is solved in a moment.\nSolved positions go to a journal beside the book at once: Ctrl-C loses nothing, and the same command goes on.\nWith --placed N it makes a table instead: every position with exactly N pieces placed, value and distance. A solver looks up there what it would have searched (`--tables FOLDER`, or TERZO_TABLES for players too), if the file is called GAME-N.table. With --tables, a table of one piece more makes the one before it quick.\n\nExamples:\n  terzo book build quarto-squares -o squares.book\n  terzo book build quarto-torus -o torus.book --depth 3 --reach 5\n  terzo book build quarto --placed 5 -o quarto-5.table"
    )]
    Build(Box<build::BookBuildArgs>),
    /// Solve a random sample of the book and of its edge, or of a table, again, without them
    #[command(
        after_help = "Of positions with one piece fewer than those of a table it is seen whether their values follow from it by one turn, as far as they are known: from the book, or from a table (--tables).\n\nExamples:\n  terzo book verify quarto --sample 200 --seed 3\n  terzo book verify quarto-torus --table quarto-torus-2.table --sample 5 --whole"
    )]
    Verify(verify::BookVerifyArgs),
    /// Count won, drawn and lost positions by the number of pieces placed: all where book or table has them, else a sample
    #[command(
        after_help = "A sample is of all positions in which no line is complete, each as likely as any other; what is looked up is counted up to symmetry. A draw with a single turn is lost by every other turn.\n\nExamples:\n  terzo book count quarto --placed 3\n  terzo book count quarto-squares --sample 2000 --svg squares.svg"
    )]
    Count(Box<count::BookCountArgs>),
}

impl BookArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            BookSubcommand::Build(build) => build.run(),
            BookSubcommand::Verify(verify) => verify.run(),
            BookSubcommand::Count(count) => count.run(),
        }
    }
}

fn bar(length: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec:.0}}, {{eta}} left  {{msg}}");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
