//! Messages of a stream, one after another, whatever happens to the server in between.

use super::{JetStreams, SILENCE};
use async_nats::jetstream::consumer::pull::{Batch, Config};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::{Context, Message};
use futures_util::StreamExt;
use std::pin::Pin;
use std::time::Duration;

/// How long the server keeps a question before it says that there is nothing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Takes messages from a stream. Those that are not acknowledged in time are given to somebody else, or again.
pub(super) struct Puller {
    context: Context,
    stream: &'static str,
    config: Config,
    /// How many messages to ask for at once.
    most: usize,
    batch: Option<Batch>,
    /// A question on its way. Whoever waits for a message may stop waiting at any moment; a question dropped then would be
    /// answered to nobody, and its messages would be missing for a while.
    asking: Option<Asking>,
}

type Asking = Pin<Box<dyn Future<Output = Option<Batch>> + Send>>;

impl Puller {
    /// Takes those of one subject, together with all others who do so under the same name.
    pub fn new(context: &Context, stream: &'static str, name: String, subject: String, most: usize) -> Self {
        let config = Config {
            durable_name: Some(name),
            filter_subject: subject,
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENCE,
            // Enough for hundreds of machines.
            max_ack_pending: 1 << 17,
            max_waiting: 1 << 14,
            ..Config::default()
        };
        Puller {
            context: context.clone(),
            stream,
            config,
            most,
            batch: None,
            asking: None,
        }
    }

    /// The next message, whenever it comes.
    pub async fn next(&mut self) -> Message {
        loop {
            if let Some(batch) = &mut self.batch {
                match batch.next().await {
                    Some(Ok(message)) => return message,
                    // The batch is over, or the server went away: ask again.
                    Some(Err(_)) | None => self.batch = None,
                }
            }
            let (context, stream, config, most) = (&self.context, self.stream, &self.config, self.most);
            let asking = self
                .asking
                .get_or_insert_with(|| Box::pin(ask(context.clone(), stream, config.clone(), most)));
            self.batch = asking.await;
            self.asking = None;
        }
    }
}

/// Asks the server for messages. `None`, after a moment, if it has nothing to say.
async fn ask(context: Context, stream: &'static str, config: Config, most: usize) -> Option<Batch> {
    let batch = try_ask(&context, stream, config, most).await;
    if batch.is_none() {
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    batch
}

async fn try_ask(context: &Context, stream: &'static str, config: Config, most: usize) -> Option<Batch> {
    let name = config.durable_name.as_deref()?;
    let known = context.get_consumer_from_stream::<Config, _, _>(name, stream).await;
    let consumer: Consumer<Config> = match known {
        Ok(consumer) => consumer,
        Err(_) => {
            // Perhaps the server has lost everything; what it should have is made anew.
            JetStreams::open(context).await.ok()?;
            context.create_consumer_on_stream(config, stream).await.ok()?
        }
    };
    let asked = consumer.batch().max_messages(most).expires(PATIENCE);
    asked.messages().await.ok()
}
