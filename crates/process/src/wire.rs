//! What we and a supervisor say to each other on the control socket: the program to run and its three streams one way, once,
//! and a byte whenever processor time is to be counted anew; what became of it the other way.

use crate::{Excess, Gaps, Program, ProgramStreams};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// What is said here, as a number: a supervisor that was built from other sources may say and expect something else. It is told
/// the number when it is started.
pub const VERSION: &str = "2";

/// The error number of a supervisor that was told another version than its own: "protocol error".
pub const OTHER_VERSION: i32 = rustix::io::Errno::PROTO.raw_os_error();

/// How a program fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupervisorMessage {
    /// It runs, under this number.
    Started(i32),
    /// It could not be started: the system's error number.
    Failed(i32),
    /// It has ended: the system's wait status.
    Ended(i32),
    /// Its sandbox has gaps. This comes before it runs.
    Gaps(Gaps),
    /// It went beyond a limit, and is being killed.
    Exceeded(Excess),
}

impl SupervisorMessage {
    /// How many bytes it takes.
    pub const LENGTH: usize = 5;

    fn encode(self) -> [u8; Self::LENGTH] {
        let (tag, number) = match self {
            SupervisorMessage::Started(pid) => (b'S', pid),
            SupervisorMessage::Failed(error) => (b'F', error),
            SupervisorMessage::Ended(status) => (b'E', status),
            SupervisorMessage::Gaps(gaps) => (b'G', gaps.bits().into()),
            SupervisorMessage::Exceeded(excess) => (b'X', excess as i32),
        };
        let [a, b, c, d] = number.to_le_bytes();
        [tag, a, b, c, d]
    }

    /// Reads it; `None` if it is not what a supervisor says.
    pub fn decode(bytes: [u8; Self::LENGTH]) -> Option<SupervisorMessage> {
        let [tag, rest @ ..] = bytes;
        let number = i32::from_le_bytes(rest);
        match tag {
            b'S' => Some(SupervisorMessage::Started(number)),
            b'F' => Some(SupervisorMessage::Failed(number)),
            b'E' => Some(SupervisorMessage::Ended(number)),
            b'G' => u8::try_from(number)
                .ok()
                .map(|bits| SupervisorMessage::Gaps(Gaps::of_bits(bits))),
            b'X' => {
                let excess = Excess::ALL.into_iter().find(|&excess| excess as i32 == number);
                excess.map(SupervisorMessage::Exceeded)
            }
            _ => None,
        }
    }

    /// Says it, if anybody is there to hear it.
    pub fn tell(self, mut socket: &UnixStream) {
        let _ = socket.write_all(&self.encode());
    }
}

/// Sends a program and its streams.
pub fn send(mut socket: &UnixStream, program: &Program, streams: &ProgramStreams) -> io::Result<()> {
    let text = serde_json::to_vec(program)?;
    let length = u32::try_from(text.len()).map_err(|_| io::Error::from(ErrorKind::ArgumentListTooLong))?;
    let files = [&streams.input, &streams.output, &streams.errors].map(AsFd::as_fd);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&files));
    // The files go with the first byte; a stream may take fewer bytes than it was given, but not none.
    let head = length.to_le_bytes();
    let sent = sendmsg(socket, &[IoSlice::new(&head)], &mut control, SendFlags::NOSIGNAL)?;
    socket.write_all(&head[sent..])?;
    socket.write_all(&text)
}

/// Receives what [`send`] sent.
pub fn receive(mut socket: &UnixStream) -> io::Result<(Program, ProgramStreams)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut head = [0; 4];
    let received = recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut head)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let files: Vec<OwnedFd> = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(files) => Some(files),
            _ => None,
        })
        .flatten()
        .collect();
    let [input, output, errors] = <[OwnedFd; 3]>::try_from(files).map_err(|_| ErrorKind::UnexpectedEof)?;
    socket.read_exact(&mut head[received.bytes..])?;
    let mut text = vec![0; u32::from_le_bytes(head) as usize];
    socket.read_exact(&mut text)?;
    let streams = ProgramStreams { input, output, errors };
    Ok((serde_json::from_slice(&text)?, streams))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::pipe;

    #[test]
    fn news_and_programs_arrive_as_they_were_sent() {
        let (here, there) = UnixStream::pair().unwrap();
        for news in [
            SupervisorMessage::Started(7),
            SupervisorMessage::Failed(2),
            SupervisorMessage::Ended(-1),
            SupervisorMessage::Gaps(Gaps {
                files: false,
                network: true,
            }),
            SupervisorMessage::Exceeded(Excess::Disk),
        ] {
            news.tell(&here);
            let mut bytes = [0; SupervisorMessage::LENGTH];
            (&there).read_exact(&mut bytes).unwrap();
            assert_eq!(SupervisorMessage::decode(bytes), Some(news));
        }
        assert_eq!(SupervisorMessage::decode(*b"?1234"), None);

        let program = Program {
            program: "sh".into(),
            arguments: vec!["-c".into(), "x".repeat(1 << 20)],
            folder: Some("/tmp".into()),
            environment: [("A".into(), "b\nc".into())].into(),
            port: Some(8888),
            without_cgroup: true,
            limits: "memory=1M,cpu=3s,sandbox".parse().unwrap(),
        };
        let (mut ours, theirs) = pipe().unwrap();
        let streams = ProgramStreams {
            input: theirs.try_clone().unwrap().into(),
            output: theirs.try_clone().unwrap().into(),
            errors: theirs.into(),
        };
        let sent = program.clone();
        let sender = std::thread::spawn(move || send(&here, &sent, &streams));
        let (received, streams) = receive(&there).unwrap();
        sender.join().unwrap().unwrap();
        assert_eq!(received, program);
        std::fs::File::from(streams.output).write_all(b"hello").unwrap();
        drop((streams.input, streams.errors));
        let mut text = String::new();
        ours.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
    }
}
