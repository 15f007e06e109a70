//! The bundled games that have no published counts, each beside a twin: the same rules written down plainly in Rust, without a
//! sheet. Both have the same moves everywhere, the same numbers of sequences and the same ends.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Rng, perft};
use gdl::{BuildLimits, Machine, Position, Sheet};

/// A game by brute force. Moves are what the sheet calls them.
trait Twin: Clone {
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, mv: &str);
    fn outcome(&self) -> Option<Vec<u8>>;
}

/// The numbers in a move.
fn numbers(mv: &str) -> Vec<usize> {
    mv.split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect()
}

fn count(twin: &impl Twin, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if twin.outcome().is_some() {
        return 0;
    }
    let after = |mv: String| {
        let mut next = twin.clone();
        next.play(&mv);
        count(&next, depth - 1)
    };
    twin.moves().into_iter().map(after).sum()
}

fn same_game(start: &Position, twin: &impl Twin, rng: &mut Rng, at: &str) {
    let (mut position, mut twin) = (start.clone(), twin.clone());
    loop {
        let outcome = position
            .outcome()
            .map(|all| all.all().iter().map(|one| one.points()).collect());
        assert_eq!(outcome, twin.outcome(), "{at}: {}", position.print());
        if outcome.is_some() {
            return;
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mut texts: Vec<String> = legal.iter().map(|&mv| position.print_move(mv)).collect();
        let mut expected = twin.moves();
        texts.sort();
        expected.sort();
        assert_eq!(texts, expected, "{at}: {}", position.print());
        let mv = &texts[game::below(rng, texts.len() as u32) as usize];
        twin.play(mv);
        position.play(position.parse_move(mv).unwrap()).unwrap();
    }
}

fn same(name: &str, twin: &impl Twin, depth: u32, games: u64) {
    let sheet = Sheet::load(name).unwrap();
    assert_eq!(sheet.warnings, [], "{name} is written without a fault");
    let start = Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap();
    for depth in 1..=depth {
        assert_eq!(perft(&start, depth), count(twin, depth), "{name} at depth {depth}");
    }
    for seed in 0..games {
        same_game(&start, twin, &mut game::rng(seed), &format!("{name}, game {seed}"));
    }
}

const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Stones on a square board, 0 for none, 1 and 2 for the players. Columns and rows begin with 1.
#[derive(Clone)]
struct Board {
    size: i32,
    cells: Vec<u8>,
}

impl Board {
    fn new(size: i32) -> Self {
        let cells = vec![0; (size * size) as usize];
        Board { size, cells }
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let size = self.size;
        (1..=size).flat_map(move |x| (1..=size).map(move |y| (x, y)))
    }

    fn at(&self, x: i32, y: i32) -> Option<u8> {
        let inside = (1..=self.size).contains(&x) && (1..=self.size).contains(&y);
        inside.then(|| self.cells[((x - 1) * self.size + y - 1) as usize])
    }

    fn set(&mut self, x: i32, y: i32, stone: u8) {
        self.cells[((x - 1) * self.size + y - 1) as usize] = stone;
    }

    fn empty(&self) -> Vec<(i32, i32)> {
        self.all().filter(|&(x, y)| self.at(x, y) == Some(0)).collect()
    }

    fn has_line(&self, stone: u8, length: i32) -> bool {
        self.all().any(|(x, y)| {
            WAYS.iter()
                .any(|(dx, dy)| (0..length).all(|n| self.at(x + n * dx, y + n * dy) == Some(stone)))
        })
    }
}

#[derive(Clone)]
struct Five {
    board: Board,
    mover: u8,
}

impl Twin for Five {
    fn moves(&self) -> Vec<String> {
        let put = |(x, y)| format!("(put,{x},{y})");
        self.board.empty().into_iter().map(put).collect()
    }

    fn play(&mut self, mv: &str) {
        let at = numbers(mv);
        self.board.set(at[0] as i32, at[1] as i32, self.mover);
        self.mover = 3 - self.mover;
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        match [1, 2].map(|stone| self.board.has_line(stone, 5)) {
            [true, _] => Some(vec![100, 0]),
            [_, true] => Some(vec![0, 100]),
            _ => self.board.empty().is_empty().then(|| vec![50, 50]),
        }
    }
}

#[test]
fn five_in_a_row_is_what_its_sheet_says() {
    let start = Five {
        board: Board::new(9),
        mover: 1,
    };
    same("gomoku", &start, 3, 20);
}

#[derive(Clone)]
struct Amazons {
    /// 1 and 2 are amazons, 3 is closed.
    board: Board,
    mover: u8,
    shooter: Option<(i32, i32)>,
}

impl Amazons {
    fn start() -> Self {
        let mut board = Board::new(6);
        for (x, y, stone) in [(3, 1, 1), (4, 6, 1), (1, 4, 2), (6, 3, 2)] {
            board.set(x, y, stone);
        }
        Amazons {
            board,
            mover: 1,
            shooter: None,
        }
    }

    fn reached(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut reached = Vec::new();
        for (dx, dy) in WAYS.into_iter().chain(WAYS.map(|(dx, dy)| (-dx, -dy))) {
            let (mut x, mut y) = (x + dx, y + dy);
            while self.board.at(x, y) == Some(0) {
                reached.push((x, y));
                (x, y) = (x + dx, y + dy);
            }
        }
        reached
    }
}

impl Twin for Amazons {
    fn moves(&self) -> Vec<String> {
        if let Some(from) = self.shooter {
            let shoot = |(x, y)| format!("(shoot,{x},{y})");
            return self.reached(from).into_iter().map(shoot).collect();
        }
        let own = self
            .board
            .all()
            .filter(|&(x, y)| self.board.at(x, y) == Some(self.mover));
        let moves = own.flat_map(|from| self.reached(from).into_iter().map(move |to| (from, to)));
        moves
            .map(|((x1, y1), (x2, y2))| format!("(move,{x1},{y1},{x2},{y2})"))
            .collect()
    }

    fn play(&mut self, mv: &str) {
        match numbers(mv)[..] {
            [x1, y1, x2, y2] => {
                self.board.set(x1 as i32, y1 as i32, 0);
                self.board.set(x2 as i32, y2 as i32, self.mover);
                self.shooter = Some((x2 as i32, y2 as i32));
            }
            [x, y] => {
                self.board.set(x as i32, y as i32, 3);
                self.shooter = None;
                self.mover = 3 - self.mover;
            }
            _ => panic!("{mv}"),
        }
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        let lost = if self.mover == 1 { vec![0, 100] } else { vec![100, 0] };
        self.moves().is_empty().then_some(lost)
    }
}

#[test]
fn amazons_is_what_its_sheet_says() {
    same("amazons", &Amazons::start(), 3, 20);
}

#[derive(Clone)]
struct Turntables {
    board: Board,
    mover: u8,
    turns: bool,
}

impl Twin for Turntables {
    fn moves(&self) -> Vec<String> {
        if !self.turns {
            let put = |(x, y)| format!("(put,{x},{y})");
            return self.board.empty().into_iter().map(put).collect();
        }
        let hands = |table| ["left", "right"].map(|hand| format!("(turn,{table},{hand})"));
        ["sw", "se", "nw", "ne"].into_iter().flat_map(hands).collect()
    }

    fn play(&mut self, mv: &str) {
        if let [x, y] = numbers(mv)[..] {
            self.board.set(x as i32, y as i32, self.mover);
            self.turns = true;
            return;
        }
        let (left, down) = (
            if mv.contains("w,") { 0 } else { 3 },
            if mv.contains(",s") { 0 } else { 3 },
        );
        let before = self.board.clone();
        for x in 0..3 {
            for y in 0..3 {
                // Clockwise, what was on the left comes to the top.
                let (to_x, to_y) = if mv.contains("right") { (y, 2 - x) } else { (2 - y, x) };
                let stone = before.at(left + x + 1, down + y + 1).unwrap();
                self.board.set(left + to_x + 1, down + to_y + 1, stone);
            }
        }
        self.turns = false;
        self.mover = 3 - self.mover;
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        match [1, 2].map(|stone| self.board.has_line(stone, 5)) {
            [true, true] => Some(vec![50, 50]),
            [true, false] => Some(vec![100, 0]),
            [false, true] => Some(vec![0, 100]),
            _ => (self.board.empty().is_empty() && !self.turns).then(|| vec![50, 50]),
        }
    }
}

#[test]
fn turntables_is_what_its_sheet_says() {
    let start = Turntables {
        board: Board::new(6),
        mover: 1,
        turns: false,
    };
    same("turntables", &start, 3, 40);
}

#[derive(Clone)]
struct Race {
    at: [usize; 3],
    mover: usize,
}

const FINISH: usize = 20;

impl Twin for Race {
    fn moves(&self) -> Vec<String> {
        let from = self.at[self.mover];
        let in_slipstream = self.at.contains(&(from + 1));
        let runs = |n: &usize| *n < 4 || in_slipstream;
        let free = |n: &usize| !self.at.contains(&(from + n).min(FINISH));
        let run = |n| format!("(run,{n})");
        [1, 2, 3, 5].into_iter().filter(runs).filter(free).map(run).collect()
    }

    fn play(&mut self, mv: &str) {
        self.at[self.mover] = (self.at[self.mover] + numbers(mv)[0]).min(FINISH);
        self.mover = (self.mover + 1) % 3;
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        let got = |&own: &usize| match self.at.iter().filter(|&&other| other > own).count() {
            0 => 100,
            1 if self.at.iter().filter(|&&other| other == own).count() == 2 => 25,
            1 => 40,
            _ => 10,
        };
        self.at.contains(&FINISH).then(|| self.at.iter().map(got).collect())
    }
}

#[test]
fn race_is_what_its_sheet_says() {
    let start = Race { at: [0; 3], mover: 0 };
    same("race", &start, 8, 200);
}

#[derive(Clone)]
struct Auction {
    hands: [Vec<u8>; 2],
    /// What the first has bid, while the second is asked.
    bid: Option<u8>,
    worth: [u8; 2],
    round: usize,
}

impl Twin for Auction {
    fn moves(&self) -> Vec<String> {
        let hand = &self.hands[usize::from(self.bid.is_some())];
        hand.iter().map(|card| format!("(bid,{card})")).collect()
    }

    fn play(&mut self, mv: &str) {
        let card = numbers(mv)[0] as u8;
        let last = self.hands[0].len() == 1;
        let Some(bid) = self.bid.take() else {
            if last {
                // Neither has a choice, so only one is asked.
                let other = self.hands[1][0];
                return self.settle(card, other);
            }
            self.bid = Some(card);
            return;
        };
        self.settle(bid, card);
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        let [left, right] = self.worth;
        (self.round == 5).then(|| match left.cmp(&right) {
            std::cmp::Ordering::Greater => vec![100, 0],
            std::cmp::Ordering::Less => vec![0, 100],
            std::cmp::Ordering::Equal => vec![50, 50],
        })
    }
}

impl Auction {
    fn settle(&mut self, left: u8, right: u8) {
        let prize = [3, 1, 5, 2, 4][self.round];
        if left != right {
            self.worth[usize::from(right > left)] += prize;
        }
        self.hands[0].retain(|&card| card != left);
        self.hands[1].retain(|&card| card != right);
        self.round += 1;
    }
}

#[test]
fn auction_is_what_its_sheet_says() {
    let start = Auction {
        hands: [(1..=5).collect(), (1..=5).collect()],
        bid: None,
        worth: [0; 2],
        round: 0,
    };
    same("auction", &start, 9, 200);
}

#[derive(Clone)]
struct Towers {
    pegs: [Vec<u8>; 3],
    moves: u32,
}

const PEGS: [&str; 3] = ["left", "middle", "right"];

impl Twin for Towers {
    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (from, peg) in self.pegs.iter().enumerate() {
            for (to, other) in self.pegs.iter().enumerate().filter(|&(to, _)| to != from) {
                if peg
                    .last()
                    .is_some_and(|disc| other.last().is_none_or(|under| under > disc))
                {
                    moves.push(format!("(carry,{},{})", PEGS[from], PEGS[to]));
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let mut words = mv.trim_matches(['(', ')']).split(',').skip(1);
        let mut peg = || {
            let word = words.next();
            PEGS.iter().position(|peg| Some(*peg) == word).unwrap()
        };
        let (from, to) = (peg(), peg());
        let disc = self.pegs[from].pop().unwrap();
        self.pegs[to].push(disc);
        self.moves += 1;
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        match self.pegs[2].len() {
            4 => Some(vec![100]),
            _ => (self.moves == 20).then(|| vec![0]),
        }
    }
}

#[test]
fn towers_is_what_its_sheet_says() {
    let start = Towers {
        pegs: [vec![4, 3, 2, 1], Vec::new(), Vec::new()],
        moves: 0,
    };
    same("towers", &start, 9, 40);
}

#[derive(Clone)]
struct Tour {
    board: Board,
    knight: (i32, i32),
}

impl Twin for Tour {
    fn moves(&self) -> Vec<String> {
        let (x, y) = self.knight;
        let jumps = |&(to_x, to_y): &(i32, i32)| (to_x - x).abs() * (to_y - y).abs() == 2;
        let jump = |(x, y)| format!("(jump,{x},{y})");
        self.board.empty().into_iter().filter(jumps).map(jump).collect()
    }

    fn play(&mut self, mv: &str) {
        let at = numbers(mv);
        self.knight = (at[0] as i32, at[1] as i32);
        self.board.set(self.knight.0, self.knight.1, 1);
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        let visited = 25 - self.board.empty().len() as u8;
        self.moves().is_empty().then(|| vec![4 * visited])
    }
}

#[test]
fn tour_is_what_its_sheet_says() {
    let mut board = Board::new(5);
    board.set(1, 1, 1);
    same("tour", &Tour { board, knight: (1, 1) }, 9, 60);
}
