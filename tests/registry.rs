//! The number of places in the code that distinguish between games, outside the registry and the games' own files.
//!
//! Whatever differs between games belongs into the game, or into its entry in the registry. Each remaining place that
//! lists games is counted here with its reason, and has to name every game: a new
//! game must not be caught by a `_`. The numbers may fall, but never rise.

use std::{collections::BTreeMap, fs, path::Path};
use syn::{
    Expr, Pat, Path as SynPath,
    visit::{self, Visit},
};

/// Enums that have a variant for each game, and the variants.
const LISTS: [&str; 3] = ["Variant", "AnyGame", "Table"];
const GAMES: [&str; 11] = [
    "Chess",
    "Olympic",
    "Strategi",
    "Meta",
    "Linked",
    "Mega",
    "Over",
    "Chess960",
    "Crazyhouse",
    "Crazyhouse960",
    "Bughouse",
];

/// The registry, and files that belong to one game.
const OWN: [&str; 10] = [
    "games/src/registry",
    "games/src/bughouse/",
    "games/src/chess/",
    "games/src/chess960/",
    "games/src/crazyhouse/",
    "games/src/olympic/",
    "games/src/strategichess/",
    "games/src/metachess/",
    "games/src/mega/",
    "games/src/overchess/",
];

/// Places that distinguish between games: the file, the function (empty for a macro outside of any), how often, and
/// why.
const PLACES: &[(&str, &str, usize, &str)] = &[
    (
        "cli/src/commands/show/moment.rs",
        "within_over_game",
        1,
        "deep games are replayed from what was done in them",
    ),
    (
        "cli/src/commands/show/moment.rs",
        "unsettled",
        1,
        "only an over-move has to be settled",
    ),
    (
        "events/src/card.rs",
        "tags",
        1,
        "chess is written without its name",
    ),
    (
        "sheets/src/bundle.rs",
        "put_together",
        1,
        "one sheet of Overchess is a record already",
    ),
    (
        "sheets/src/bundle/turns/unseen.rs",
        "first",
        1,
        "only Mega-Chess has boards inside boards",
    ),
    (
        "sheets/src/inside.rs",
        "of",
        1,
        "the record around a sub-game is one of Overchess",
    ),
    (
        "sheets/src/bundle/boards.rs",
        "first_of_linked",
        1,
        "sheets of boards are of linked boards, or of Bughouse",
    ),
    (
        "sheets/src/bundle/boards.rs",
        "first_of_pairs",
        1,
        "sheets of boards are of linked boards, or of Bughouse",
    ),
    (
        "sheets/src/chess_records.rs",
        "boards",
        1,
        "boards of Mega-Chess are taken out",
    ),
];

/// Crates that are searched.
const ROOMS: [&str; 11] = [
    "desk",
    "rules",
    "formats",
    "games",
    "referee",
    "sheets",
    "engines",
    "cli",
    "schedules",
    "events",
    "pictures",
];

#[derive(Default)]
struct Places {
    /// Whether the current `impl` belongs to one of the lists, so that `Self::Chess` is a game.
    within: bool,
    function: String,
    /// The functions that distinguish between games, once for each time.
    found: Vec<String>,
    /// Those that do so with a `_`.
    careless: Vec<String>,
}

impl Places {
    fn names_a_game(&self, path: &SynPath) -> bool {
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let [.., list, game] = names.as_slice() else {
            return false;
        };
        GAMES.contains(&&**game) && (LISTS.contains(&&**list) || (self.within && list == "Self"))
    }

    fn is_about_games(&self, pattern: &Pat) -> bool {
        let mut about = About {
            places: self,
            is: false,
        };
        about.visit_pat(pattern);
        about.is
    }

    fn note(&mut self) {
        self.found.push(self.function.clone());
    }
}

struct About<'a> {
    places: &'a Places,
    is: bool,
}

impl Visit<'_> for About<'_> {
    fn visit_path(&mut self, path: &SynPath) {
        self.is |= self.places.names_a_game(path);
        visit::visit_path(self, path);
    }
}

/// Whether a pattern matches anything: `_`, a name, or a tuple of such patterns.
fn takes_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_none_or(|(_, sub)| takes_all(sub)),
        Pat::Tuple(tuple) => tuple.elems.iter().all(takes_all),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outside = self.within;
        self.within = matches!(&*item.self_ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|last| LISTS.contains(&&*last.ident.to_string())));
        visit::visit_item_impl(self, item);
        self.within = outside;
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function = item.sig.ident.to_string();
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function = item.sig.ident.to_string();
        visit::visit_item_fn(self, item);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        if expr.arms.iter().any(|arm| self.is_about_games(&arm.pat)) {
            self.note();
            if expr
                .arms
                .iter()
                .any(|arm| arm.guard.is_none() && takes_all(&arm.pat))
            {
                self.careless.push(self.function.clone());
            }
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        if self.is_about_games(&expr.pat) {
            self.note();
        }
        visit::visit_expr_let(self, expr);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if self.is_about_games(&local.pat) {
            self.note();
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        if matches!(expr.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            let side = |expr: &Expr| {
                let mut about = About {
                    places: self,
                    is: false,
                };
                about.visit_expr(expr);
                about.is
            };
            if side(&expr.left) || side(&expr.right) {
                self.note();
            }
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        // The contents of a macro are not parsed; its tokens are searched instead.
        let text = called.tokens.to_string().replace(' ', "");
        let names = |list: &&str| {
            GAMES
                .iter()
                .any(|game| text.contains(&format!("{list}::{game}")))
        };
        if LISTS.iter().any(names) || (self.within && names(&"Self")) {
            self.note();
        }
        visit::visit_macro(self, called);
    }
}

fn sources(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path.display().to_string());
        }
    }
}

#[test]
fn every_place_that_asks_for_the_game_is_known_and_names_all() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    ROOMS
        .iter()
        .for_each(|room| sources(&root.join(room).join("src"), &mut files));
    assert!(files.len() > 100, "the sources are not where they were");
    let prefix = format!("{}/", root.display());
    let mut found = BTreeMap::new();
    let mut careless = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&prefix).unwrap();
        if OWN.iter().any(|own| name.starts_with(own)) || name.ends_with("/tests.rs") {
            continue;
        }
        let mut places = Places::default();
        places.visit_file(&syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap());
        careless.extend(
            places
                .careless
                .iter()
                .map(|function| format!("{name}: {function}")),
        );
        if !places.found.is_empty() {
            found.insert(name.to_owned(), places.found);
        }
    }
    assert_eq!(careless, [""; 0], "a list of games must not end in `_`");
    let mut counted = BTreeMap::new();
    for (file, functions) in &found {
        for function in functions {
            *counted.entry((&**file, &**function)).or_insert(0) += 1;
        }
    }
    let known: BTreeMap<_, _> = PLACES
        .iter()
        .map(|(file, function, count, _)| ((*file, *function), *count))
        .collect();
    let more: Vec<_> = counted
        .iter()
        .filter(|(place, count)| known.get(*place) != Some(*count))
        .collect();
    assert!(
        more.is_empty(),
        "not among the known places, or not so often: {more:#?}"
    );
    let fewer: Vec<_> = known
        .keys()
        .filter(|place| !counted.contains_key(*place))
        .collect();
    assert!(fewer.is_empty(), "gone, take them off the list: {fewer:#?}");
    assert!(PLACES.iter().all(|(.., why)| !why.is_empty()));
}
