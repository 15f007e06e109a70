#[derive(clap::Args)]
pub struct Play {}
impl Play {
    pub fn run(self) -> anyhow::Result<()> {
        Ok(())
    }
}
