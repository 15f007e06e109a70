//! What a report says that needs no tournament: it is worked out, or replayed.

use arena::experiment::{Agreement, FigureComparison, ReadingLine};
use arena::stats::homogeneity;
use game::{Game, Payoff, Seat, rng};
use player::{Clock, Player};
use quarto::book::Book;
use quarto::heuristics::{almost_completed, completing, completing_by_attribute, none_safe, opposed, terzos, unplaced};
use quarto::solver::Outcome;
use quarto::{Position, Rules};
use stack4::run3::{Run3, recorded_games};
use std::collections::HashMap;

/// A table of a report that is checked.
pub struct ReportCheck {
    /// Its name; it begins with the report's.
    pub name: &'static str,
    /// What it is, in words.
    pub title: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// What should be known of it.
    pub note: &'static str,
    /// What came out.
    pub lines: fn() -> anyhow::Result<Vec<FigureComparison>>,
}

/// All of them.
pub const CHECKS: &[ReportCheck] = &[
    ReportCheck {
        name: "000-figures",
        title: "The boards of the evaluation functions",
        source: "report 000, section 1.4.1, figures 1.1 to 1.4",
        note: "The figures are not in the report's text. The boards here were made to fit its words, so that they give its numbers \
               shows only that the numbers can be: nothing is confirmed. `terzo show quarto BOARD` prints these numbers for \
               any board.",
        lines: figures,
    },
    ReportCheck {
        name: "001-scale",
        title: "At most ten terzos",
        source: "report 001, Scores and Heuristic",
        note: "So that 11 and 12 are above whatever is counted. That a draw is worth 11 changes no choice, though: at a fixed depth \
               all leaves hold the same number of pieces, so where one is a draw none is an unfinished board.",
        lines: most_terzos,
    },
    ReportCheck {
        name: "002-tictactoe",
        title: "Loisel at tic-tac-toe, against every reply",
        source: "report 002, the results, and the stages before",
        note: "Every game that can be played against it, on both seats. Loisel knows no chance, so that is all there is. The \
               stages are `loisel:stage=minimax`, `stage=alphabeta` and `stage=deepening`.",
        lines: tic_tac_toe,
    },
    ReportCheck {
        name: "003-recorded",
        title: "The points of the six recorded games",
        source: "report 003, the table of the experiments, column 3",
        note: "The games were recorded from the report's program. That our rules count the same points in five of them says that \
               the rules are the report's; the sixth ends 108:100, and 110:108 cannot be: no number of lines pays 218 points in all. The clean \
               player (`run3`) follows the report's text without its slips and plays other games, a single one a row. The table \
               has 20 moves of defence and 12 of attack as its best row; the report's last sentence turns that round.",
        lines: recorded,
    },
    ReportCheck {
        name: "004-rules",
        title: "What is said of perfect play and of boards that are lost",
        source: "report 004, sections 3.2 to 3.4 and footnote 5",
        note: "The report cites a proof that two optimal players tie; the book that comes with Terzo was solved independently \
               (docs/solved.md). That two opposed lines lose is true by the rules; it is counted on boards of random games, with \
               how many lost boards it does not see.",
        lines: perfect_play,
    },
    ReportCheck {
        name: "004-tables",
        title: "What the tournament's tables say of themselves",
        source: "report 004, section 5, tables 1 to 5",
        note: "The other two programs are lost, so the tables can be checked only against themselves: Abraham 356/238/228, Mikkel \
               196/444/182, Trond & Jørgen 366/236/220 (wins, losses, ties), and 7401, 18250 and 3352 seconds.",
        lines: tables,
    },
];

fn line(label: &str, ours: String, verdict: Agreement) -> ReadingLine {
    ReadingLine {
        label: label.into(),
        allowed: true,
        ours,
        difference: None,
        p: None,
        verdict,
    }
}

fn compared(what: &str, reported: &str, ours: String, verdict: Agreement) -> FigureComparison {
    FigureComparison {
        what: what.into(),
        reported: reported.into(),
        readings: vec![line("", ours, verdict)],
        verdict,
        best: 0,
    }
}

fn same(is: bool) -> Agreement {
    if is { Agreement::Agrees } else { Agreement::Differs }
}

fn figures() -> anyhow::Result<Vec<FigureComparison>> {
    let board = |text: &str| Position::new(Rules::standard()).parse(text);
    let three_lines = board(".e.4/.f8./.517/.... -")?;
    let spent = board("ac5./.d.b/.2f9/8137 -")?;
    let parts: Vec<String> = completing_by_attribute(&three_lines)
        .iter()
        .map(u32::to_string)
        .collect();
    let mut lines = vec![
        compared(
            "almost completed attributes, figure 1.1",
            "three in the text, four in the caption",
            format!(
                "{} on a board with the four that are named",
                almost_completed(&three_lines)
            ),
            Agreement::CannotTell,
        ),
        compared(
            "completing pieces, figure 1.2",
            "0 for two almost completed attributes",
            format!("{} for {}", completing(&spent), almost_completed(&spent)),
            Agreement::CannotTell,
        ),
        compared(
            "completing pieces, figure 1.3",
            "15 = 4 + 4 + 3 + 4",
            format!("{} = {}", completing(&three_lines), parts.join(" + ")),
            Agreement::CannotTell,
        ),
    ];
    for (side, text, reported) in [
        ("left", "..9./..4./0..8/..d. -", "0.27"),
        ("right", ".9c4/5..f/..7./e..3 -", "0.5"),
    ] {
        let board = board(text)?;
        let (pieces, remaining) = (completing(&board), unplaced(&board).len());
        let h = f64::from(pieces) / f64::from(remaining.max(1));
        lines.push(compared(
            &format!("h of the {side} board, figure 1.4"),
            reported,
            format!("{h:.2} = {pieces}/{remaining}"),
            Agreement::CannotTell,
        ));
    }
    Ok(lines)
}

fn most_terzos() -> anyhow::Result<Vec<FigureComparison>> {
    let rules = Rules::standard();
    let full = Position::new(rules).parse(".64d/9a.f/20e./1.7b -")?;
    let (lines, reached) = (rules.lines().len(), terzos(&full));
    Ok(vec![compared(
        "the most terzos on a board",
        "10: four rows, four columns, two diagonals",
        format!("{lines} lines; {reached} terzos on `.64d/9a.f/20e./1.7b -`"),
        same(lines == 10 && reached == 10),
    )])
}

/// Somebody against everything that can be played against it.
struct Exhaustive {
    player: Box<dyn Player<gdl::Position>>,
    seat: Seat,
    /// What it chose, and whether that gave something away.
    chosen: HashMap<gdl::Position, (gdl::Move, bool)>,
    /// Games won, drawn and lost.
    games: [u64; 3],
    worth: HashMap<gdl::Position, u8>,
}

impl Exhaustive {
    fn of(spec: &str, seat: Seat) -> anyhow::Result<Self> {
        let mut all = Exhaustive {
            player: gdl::players::factory(spec)?.make(),
            seat,
            chosen: HashMap::new(),
            games: [0; 3],
            worth: HashMap::new(),
        };
        all.player.begin(0);
        let start = gdl::Position::of_sheet("tictactoe")?;
        all.walk(&start)?;
        Ok(all)
    }

    fn walk(&mut self, position: &gdl::Position) -> anyhow::Result<()> {
        if let Some(payoffs) = position.outcome() {
            let end = match payoffs.of(self.seat) {
                Payoff::WIN => 0,
                Payoff::LOSS => 2,
                _ => 1,
            };
            self.games[end] += 1;
            return Ok(());
        }
        if position.mover() == self.seat {
            let mv = match self.chosen.get(position) {
                Some((mv, _)) => *mv,
                None => {
                    let mv = self.player.choose(position, &Clock::unlimited())?.best;
                    let wrong = self.worth(&played(position, mv)) != self.worth(position);
                    self.chosen.insert(position.clone(), (mv, wrong));
                    mv
                }
            };
            return self.walk(&played(position, mv));
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().try_for_each(|mv| self.walk(&played(position, mv)))
    }

    /// What the first seat gets if both play perfectly.
    fn worth(&mut self, position: &gdl::Position) -> u8 {
        if let Some(payoffs) = position.outcome() {
            return payoffs.of(Seat::FIRST).points();
        }
        if let Some(&known) = self.worth.get(position) {
            return known;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let values = moves.into_iter().map(|mv| self.worth(&played(position, mv)));
        let values: Vec<u8> = values.collect();
        let best = match position.mover() {
            Seat::FIRST => values.into_iter().max(),
            _ => values.into_iter().min(),
        };
        // An unfinished game has a move.
        let best = best.unwrap_or_default();
        self.worth.insert(position.clone(), best);
        best
    }
}

fn played(position: &gdl::Position, mv: gdl::Move) -> gdl::Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

fn tic_tac_toe() -> anyhow::Result<Vec<FigureComparison>> {
    let mut lines = Vec::new();
    for (spec, name) in [
        ("loisel:time=600s", "Loisel"),
        ("loisel:time=600s,mobility=both", "Loisel with both mobilities"),
    ] {
        for (seat, title) in [(Seat::FIRST, "first"), (Seat::SECOND, "second")] {
            let all = Exhaustive::of(spec, seat)?;
            let mistakes = all.chosen.values().filter(|(_, wrong)| *wrong).count();
            let [wins, draws, losses] = all.games;
            let text = format!(
                "{mistakes} of {} choices give something away; of all {} games it wins {wins}, draws {draws}, loses {losses}",
                all.chosen.len(),
                wins + draws + losses
            );
            lines.push(match name {
                "Loisel" => compared(
                    &format!("{name} as {title} to move"),
                    "always plays optimally, no figure",
                    text,
                    same(mistakes == 0 && losses == 0),
                ),
                _ => compared(
                    &format!("{name} as {title} to move"),
                    "(empty)",
                    text,
                    Agreement::Filled,
                ),
            });
        }
    }
    let start = gdl::Position::of_sheet("tictactoe")?;
    let mut nodes = Vec::new();
    for stage in ["minimax", "alphabeta", "deepening"] {
        let mut player = gdl::players::factory(&format!("loisel:time=600s,stage={stage}"))?.make();
        player.begin(0);
        nodes.push(player.choose(&start, &Clock::unlimited())?.nodes.unwrap_or_default());
    }
    lines.push(compared(
        "positions looked at for the first move: minimax, alpha-beta, deepening",
        "minimax looks at many useless ones, no figure",
        format!("{}, {}, {}", nodes[0], nodes[1], nodes[2]),
        same(nodes[1] < nodes[0]),
    ));
    Ok(lines)
}

/// The points of the report's table, Black's first.
const POINTS: [(u32, [u32; 2]); 6] = [
    (0, [262, 190]),
    (10, [153, 224]),
    (15, [118, 236]),
    (20, [69, 265]),
    (25, [86, 229]),
    (32, [110, 108]),
];

fn recorded() -> anyhow::Result<Vec<FigureComparison>> {
    let games: HashMap<u32, &str> = recorded_games().collect();
    let text = |[black, white]: [u32; 2]| format!("{black}:{white}");
    let bits = stack4::StateString::new(&stack4::Position::new(), None).print().len();
    let mut lines = vec![compared(
        "bits of a state string",
        "432 + 72 + 9",
        bits.to_string(),
        same(bits == 432 + 72 + 9),
    )];
    for (defend, reported) in POINTS {
        let replayed = games.get(&defend).map(|game| stack4::replay(game)).transpose()?;
        let Some(replayed) = replayed else {
            continue;
        };
        let clean = Run3 { defend }.own_game().score();
        let winner = |[black, white]: [u32; 2]| black.cmp(&white);
        let mut one = compared(
            &format!("points, attack : defence, N = {defend}"),
            &text(reported),
            text(replayed.score()),
            same(replayed.score() == reported),
        );
        one.readings[0].label = "the recorded game, replayed".into();
        let agreeing = match winner(clean) == winner(reported) {
            true => "the same winner",
            false => "the other wins",
        };
        one.readings.push(ReadingLine {
            allowed: false,
            ..line(
                "the clean player's game",
                format!("{}, {agreeing}", text(clean)),
                Agreement::CannotTell,
            )
        });
        lines.push(one);
    }
    Ok(lines)
}

/// Wins, ties and losses of the three players of table 4, and the seconds of table 5.
const TOURNAMENT: [([u64; 3], u64); 3] = [
    ([356, 228, 238], 7401),
    ([196, 182, 444], 18250),
    ([366, 220, 236], 3352),
];

/// A count of tables 1 to 5, out of how many, and the whole percentage that is printed beside it.
const PERCENTAGES: [(u64, u64, u64); 19] = [
    (9, 500, 1),
    (488, 500, 97),
    (472, 500, 94),
    (20, 500, 4),
    (47, 500, 9),
    (207, 500, 41),
    (246, 500, 49),
    (356, 822, 43),
    (238, 822, 29),
    (228, 822, 28),
    (196, 822, 24),
    (444, 822, 54),
    (182, 822, 22),
    (366, 822, 45),
    (236, 822, 28),
    (220, 822, 27),
    (7401, 29003, 26),
    (18250, 29003, 63),
    (3352, 29003, 11),
];

/// Whether the percentages are those of their counts, and which are cut off where they should be rounded.
fn percentages() -> FigureComparison {
    let exact = |count: u64, of: u64| 100.0 * count as f64 / of as f64;
    let fits = |&(count, of, printed): &(u64, u64, u64)| (exact(count, of) - printed as f64).abs() < 1.0;
    let cut: Vec<String> = PERCENTAGES
        .iter()
        .filter(|&&(count, of, printed)| exact(count, of).round() as u64 != printed)
        .map(|&(count, of, printed)| format!("{:.1} as {printed}", exact(count, of)))
        .collect();
    compared(
        "percentages beside the counts",
        "19 whole ones",
        format!(
            "{} are those of their counts; cut off where they should be rounded: {}",
            PERCENTAGES.iter().filter(|one| fits(one)).count(),
            cut.join(", ")
        ),
        same(PERCENTAGES.iter().all(fits)),
    )
}

/// Random games to look for lost boards in.
const LOOKED_THROUGH: u64 = 2000;

fn perfect_play() -> anyhow::Result<Vec<FigureComparison>> {
    let start = Position::new(Rules::standard());
    let value = Book::of(Rules::standard()).and_then(|book| book.exact(&start));
    let (mut seen, mut lost, mut unseen) = (0u64, 0u64, 0u64);
    for game in 0..LOOKED_THROUGH {
        let (mut position, mut rng) = (start, rng(game));
        let mut turns = Vec::new();
        while position.outcome().is_none() {
            position.legal_moves(&mut turns);
            let Some(turn) = game::pick(&mut rng, &turns) else {
                break;
            };
            if let Some(board) = turn.place.map(|cell| position.placing(cell)).filter(Position::playing) {
                seen += u64::from(opposed(&board));
                lost += u64::from(opposed(&board) && none_safe(&board));
                unseen += u64::from(!opposed(&board) && none_safe(&board));
            }
            position.play_unchecked(turn);
        }
    }
    Ok(vec![
        compared(
            "two optimal players",
            "always tie",
            value.map_or("no book".into(), |value| {
                format!("the empty board is a {}", value.outcome.name())
            }),
            same(value.is_some_and(|value| value.outcome == Outcome::Draw)),
        ),
        compared(
            "two 3-piece lines with opposite values",
            "whatever is given loses",
            format!(
                "{lost} of {seen} such boards of {LOOKED_THROUGH} random games are lost; on {unseen} more every gift loses, too"
            ),
            same(seen > 0 && lost == seen),
        ),
    ])
}

fn tables() -> anyhow::Result<Vec<FigureComparison>> {
    let sum = |place: usize| TOURNAMENT.iter().map(|(row, _)| row[place]).sum::<u64>();
    let (wins, ties, losses) = (sum(0), sum(1), sum(2));
    let games = TOURNAMENT.map(|(row, _)| row.iter().sum::<u64>());
    let seconds = TOURNAMENT.iter().map(|(_, seconds)| seconds).sum::<u64>();
    let hours = seconds as f64 / 3600.0;
    let share = 100.0 * TOURNAMENT[2].1 as f64 / seconds as f64;
    let p = homogeneity(TOURNAMENT[2].0, TOURNAMENT[0].0);
    let mut first = compared(
        "Trond & Jørgen did better than Abraham",
        "366/220/236 against 356/228/238",
        "as if these were independent games: chance parts two rows as far more often than not".into(),
        if p < 0.05 {
            Agreement::Agrees
        } else {
            Agreement::CannotTell
        },
    );
    first.readings[0].p = Some(p);
    Ok(vec![
        compared(
            "games of each player",
            "822",
            games.map(|games| games.to_string()).join(", "),
            same(games == [822; 3]),
        ),
        compared(
            "wins of all and losses of all",
            "must be the same",
            format!("{wins} and {losses}; {ties} ties, an even number as it must be"),
            same(wins == losses && ties.is_multiple_of(2)),
        ),
        compared(
            "hours played",
            "8",
            format!("{hours:.2} hours of thinking in table 5, the last game included"),
            same((hours - 8.0).abs() < 0.1),
        ),
        compared(
            "share of the time of Trond & Jørgen",
            "11 %",
            format!("{share:.1} % (the report cuts off where it should round)"),
            same(share.floor() == 11.0),
        ),
        percentages(),
        first,
    ])
}
