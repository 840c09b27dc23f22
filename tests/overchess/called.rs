//! Who is called to the sub-games of a record.

use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
};
use overboard_games::{
    overchess,
    referee::{AnyReferee, witness::Witness},
};
use overboard_referee::{Options, report::Report};

/// Keeps the last calls.
struct Calls(Option<overchess::judge::call_sheet::Calls>);

impl Witness for Calls {
    type Account = Option<overchess::judge::call_sheet::Calls>;

    fn hear(&mut self, event: Event, referee: &AnyReferee, _: &Parser<'_>) {
        if event == Event::End {
            self.0 = referee.calls();
        }
    }

    fn account(&mut self, _: &Report, _: &AnyReferee) -> Self::Account {
        self.0.take()
    }
}

/// The people of White's team who are called to sub-games.
fn called(moves: &str) -> Vec<(String, String)> {
    let text = format!(
        "[Variant \"Overchess\"]\n[Rules \"fog\"]\n[WhiteCommander \"Ann\"]\n[WhiteLieutenants \"*=Bob:*=Cy:*=Di\"]\n\n{moves} *\n"
    );
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    let (_, calls) = Calls(None)
        .attend(&mut referee, &mut parser)
        .unwrap()
        .unwrap();
    let games = calls.unwrap().games;
    let own = games.iter().map(|game| {
        let party = game
            .parties
            .iter()
            .find(|party| party.team == overboard_rules::square::Side::White);
        (game.path.clone(), party.unwrap().names.join("/"))
    });
    own.collect()
}

#[test]
fn those_who_wait_in_turn_are_called_one_after_the_other() {
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter()
            .map(|(path, name)| ((*path).to_owned(), (*name).to_owned()))
            .collect()
    };
    assert_eq!(called("1. e4 d5 2. exd5"), pairs(&[("d5", "Bob")]));
    assert_eq!(
        called("1. e4 d5 2. b4 a5 3. exd5 axb4"),
        pairs(&[("d5", "Bob"), ("b4", "Cy")])
    );
    let begun = "1. e4 d5 2. b4 a5 3. exd5 axb4 <d5: [White \"Bob\"] 1. e4 *>";
    assert_eq!(called(begun), pairs(&[("d5", "Bob"), ("b4", "Cy")]));
}
