//! All tests from outside the crates, as one program, so that the tool and the tests' shared code are
//! linked only once. `cargo test --test tests olympic::` runs one module.

#![allow(clippy::unwrap_used)]

mod bomb;
mod chance;
mod damage;
mod depth;
mod event_folder;
mod flat;
mod near_edges;
mod parallel;
mod random_walk;
mod records;
mod run;
mod text;
mod walked;

use overboard_naive as naive;

mod browser;

mod arrow;
mod as_people_write;
mod attempts;
mod battery;
mod board_sheets;
mod bpgn;
mod broken_off;
mod bughouse;
mod by_hand;
mod chess960;
mod cli;
mod command_line;
mod commands;
mod corpus;
mod corrections;
mod crazyhouse;
mod demo;
mod desk;
mod docs;
mod doors;
mod editions;
mod entry;
mod event_kills;
mod event_log;
mod events;
mod exits;
mod exports;
mod faults;
mod first_steps;
mod forms;
mod hall;
mod handed_in;
mod hostile;
mod in_the_way;
mod inner_moments;
mod inputs;
mod interchange;
mod judging_on;
mod laws;
mod limits;
mod mega;
mod metachess;
mod moments;
mod moved_in;
mod mutants;
mod names;
mod nested;
mod norms;
mod nothing_lost;
mod npgn;
mod olympic;
mod overchess;
mod own_record;
mod packages;
mod pages_sums;
mod pair_sheets;
mod pairing_programs;
mod paths;
mod standing;
// The tool is not a library, and with tests of its own it would be linked once more.
#[allow(dead_code)]
#[path = "../cli/src/page.rs"]
mod page;
#[path = "../cli/src/picture.rs"]
mod picture;
mod pictures;
mod publish;
mod put_right;
mod random;
mod random_corrections;
mod reasons;
mod registry;
mod reports;
mod rewritten;
mod roles;
mod rows;
mod rules;
mod rulings;
mod schemas;
mod score;
mod selfplay;
mod serve;
mod settings;
mod sheets;
mod shown_sheets;
mod sizes;
mod so_far;
mod stands;
mod stats;
mod strategichess;
mod swiss_event;
mod tables;
mod terminal;
mod texts;
mod traits;
mod variants;
mod varma;
mod view;
mod winnable;
mod words;
