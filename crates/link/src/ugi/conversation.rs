//! A conversation that is written down while it goes on.

use player::{ConversationLine, Speaker};
use std::time::Instant;

/// How many bytes of a conversation are kept between two askings. A program that floods is not written down to its end.
const LONGEST: usize = 4 << 20;

/// A line longer than this is cut.
const LONGEST_LINE: usize = 4096;

/// What was said so far.
#[derive(Debug, Default)]
pub struct Conversation {
    lines: Vec<ConversationLine>,
    bytes: usize,
    /// Lines that found no room.
    left_out: usize,
    /// Standard error comes in pieces: the line that has not ended yet.
    stderr: Vec<u8>,
}

impl Conversation {
    /// Notes a line.
    pub fn add(&mut self, speaker: Speaker, text: &str) {
        let cut = text.char_indices().map(|(at, _)| at).find(|&at| at >= LONGEST_LINE);
        let text = cut.map_or(text, |at| &text[..at]);
        self.bytes += text.len() + size_of::<ConversationLine>();
        if self.bytes > LONGEST {
            self.left_out += 1;
            return;
        }
        self.lines.push(ConversationLine {
            at: Instant::now(),
            speaker,
            text: text.into(),
        });
    }

    /// Notes a piece of standard error.
    pub fn add_stderr(&mut self, piece: &[u8]) {
        for byte in piece {
            match byte {
                b'\n' => self.end_stderr(),
                _ if self.stderr.len() < LONGEST_LINE => self.stderr.push(*byte),
                _ => (),
            }
        }
    }

    fn end_stderr(&mut self) {
        let line = std::mem::take(&mut self.stderr);
        self.add(Speaker::Stderr, &String::from_utf8_lossy(&line));
    }

    /// What was said since the last asking.
    pub fn take(&mut self) -> Vec<ConversationLine> {
        if !self.stderr.is_empty() {
            self.end_stderr();
        }
        let mut all = std::mem::take(self);
        if let (1.., Some(last)) = (all.left_out, all.lines.last().cloned()) {
            all.lines.push(ConversationLine {
                text: format!("({} more lines left out)", all.left_out),
                ..last
            });
        }
        all.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_kept_to_its_limit_and_standard_error_line_by_line() {
        let mut conversation = Conversation::default();
        conversation.add(Speaker::Referee, "ugi");
        conversation.add_stderr(b"half a ");
        conversation.add_stderr(b"line\nand");
        let told: Vec<_> = conversation
            .take()
            .into_iter()
            .map(|line| (line.speaker, line.text))
            .collect();
        let expected = [
            (Speaker::Referee, "ugi"),
            (Speaker::Stderr, "half a line"),
            (Speaker::Stderr, "and"),
        ];
        assert_eq!(told, expected.map(|(speaker, text)| (speaker, text.to_string())));
        let flood = "é".repeat(LONGEST_LINE);
        for _ in 0..10_000 {
            conversation.add(Speaker::Program, &flood);
        }
        let kept = conversation.take();
        assert!(kept.iter().map(|line| line.text.len()).sum::<usize>() <= LONGEST);
        assert!(kept.last().unwrap().text.contains("more lines left out"));
        assert_eq!(conversation.take(), []);
    }
}
