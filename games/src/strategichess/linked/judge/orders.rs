//! The captains' instructions of a record, kept for the other captain to see (SC-41).

use crate::{
    referee::{AnyReferee, witness::Witness},
    strategichess::linked::{
        laws as law,
        order::{Order, addressed},
    },
};
use overboard_formats::{
    command::{commands, duration},
    encoding::decode,
    lex::Prose,
    parse::{Event, Parser},
};
use overboard_referee::report::Report;
use overboard_rules::{by_side::BySide, outcome::Outcome, square::Side};

/// The most bytes of instructions of a game that are kept; of those after them only the number.
const MOST: usize = 4 << 20;

/// An instruction in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The side whose captain passed it on; `None` if the record does not say.
    pub side: Option<Side>,
    /// Its text, as written.
    pub text: String,
    /// The number of the ply before it, from 1; 0 before the first ply.
    pub ply: u32,
    /// That ply as written, with its number.
    pub after: String,
    /// When that ply was completed, in milliseconds since the start of the match, if it is stamped.
    pub time: Option<u64>,
    /// The parsed instruction, if it has the prescribed form; `None` also if the record does not say which side gave
    /// it.
    pub order: Option<Order>,
    /// What is wrong with it.
    pub fault: Option<InstructionFault>,
    /// Whether the game had ended before, so that it is no communication between players.
    pub is_after_end: bool,
}

/// What is wrong with an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstructionFault {
    /// What is wrong, in words.
    pub words: String,
    /// Whether it breaks SC-40; if not, it only cannot be carried out.
    pub is_breach: bool,
    /// The byte of its text from which on it departs from the form.
    pub at: Option<usize>,
    /// Whether it loses the game, as the offence that counts (SC-42).
    pub loses: bool,
}

/// The instructions of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instructions {
    /// The names of White's and Black's team.
    pub teams: BySide<Option<String>>,
    /// The names of White's and Black's captain.
    pub captains: BySide<Option<String>>,
    /// The instructions in the order of the record.
    pub list: Vec<Instruction>,
    /// Whether the game is over, so that instructions can decide it (SC-42).
    pub is_over: bool,
    /// How many more there are than are kept.
    pub more: u64,
}

/// Collects the instructions of games.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    found: Instructions,
    plies: u32,
    number: String,
    last: String,
    time: Option<u64>,
    /// The index of the first instruction after the last ply.
    since: usize,
    /// About how many bytes the instructions take.
    kept: usize,
}

impl Collector {
    fn tag(&mut self, parser: &Parser<'_>) {
        let (slots, side) = match parser.tag_name() {
            b"WhiteTeam" => (&mut self.found.teams, Side::White),
            b"BlackTeam" => (&mut self.found.teams, Side::Black),
            b"WhiteCaptain" => (&mut self.found.captains, Side::White),
            b"BlackCaptain" => (&mut self.found.captains, Side::Black),
            _ => return,
        };
        slots[side].get_or_insert_with(|| parser.tag_value());
    }

    fn ply(&mut self, text: &[u8]) {
        self.settle();
        self.plies += 1;
        self.last = format!("{} {}", self.number, decode(text).0);
        self.time = None;
    }

    /// Everything about the last ply's time has been read.
    fn settle(&mut self) {
        let time = self.time;
        for instruction in &mut self.found.list[self.since..] {
            instruction.time = time;
        }
        self.since = self.found.list.len();
    }

    fn order(&mut self, arguments: &[u8], referee: &AnyReferee) {
        if self.kept > MOST {
            self.found.more += 1;
            return;
        }
        let text = decode(arguments).0;
        let (side, words) = addressed(&text);
        let text = words.to_string();
        let (ply, after) = (self.plies, self.last.clone());
        let is_after_end = referee.ended().is_some();
        let (order, fault) = match side {
            Some(side) if !is_after_end => read(&text, side, referee),
            _ => (None, None),
        };
        let time = None;
        self.found.list.push(Instruction {
            side,
            text,
            ply,
            after,
            time,
            order,
            fault,
            is_after_end,
        });
        self.kept += self.found.list.last().map_or(0, bytes);
    }
}

/// Parses an instruction, and finds what is wrong with it.
fn read(text: &str, side: Side, referee: &AnyReferee) -> (Option<Order>, Option<InstructionFault>) {
    match Order::parse(text) {
        Ok(order) => {
            let unfit = referee.against_order(&order, side);
            let fault = unfit.map(|words| InstructionFault {
                words,
                is_breach: false,
                at: None,
                loses: false,
            });
            (Some(order), fault)
        }
        Err(fault) => {
            let fault = InstructionFault {
                words: fault.to_string(),
                is_breach: true,
                at: Some(fault.at),
                loses: false,
            };
            (None, Some(fault))
        }
    }
}

/// About how many bytes an instruction takes.
fn bytes(order: &Instruction) -> usize {
    let words = order.fault.as_ref().map_or(0, |fault| fault.words.len());
    size_of::<Instruction>() + order.text.len() + order.after.len() + words
}

impl Witness for Collector {
    type Account = Instructions;

    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>) {
        let text = parser.text(parser.place().span);
        match event {
            Event::Begin => *self = Self::default(),
            Event::Tag if !referee.has_begun() => self.tag(parser),
            _ if !referee.has_begun() || !referee.in_main_line() => {}
            Event::Number => {
                self.number = decode(text).0.trim().to_string();
            }
            Event::Ply => self.ply(text),
            Event::Prose(prose, _) if prose != Prose::Escape => {
                for command in commands(text) {
                    match command.name {
                        b"ts" => self.time = self.time.or(duration(command.arguments)),
                        b"order" if referee.linked().is_some() => {
                            self.order(command.arguments, referee);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn account(&mut self, report: &Report, _referee: &AnyReferee) -> Instructions {
        self.settle();
        let mut found = std::mem::take(&mut self.found);
        (self.since, self.kept) = (0, 0);
        if let (Some(law), Some(Outcome::Win(winner))) = (report.result.rule, report.result.judged)
            && law == &law::OTHER_WORDS
        {
            for order in &mut found.list {
                if order.side == Some(winner.other())
                    && let Some(breach) = &mut order.fault
                    && breach.is_breach
                {
                    breach.loses = true;
                    break;
                }
            }
        }
        found.is_over = report.result.judged.is_some();
        found
    }

    fn bytes(found: &Instructions) -> usize {
        found.list.iter().map(bytes).sum()
    }
}
