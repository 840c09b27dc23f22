//! Where the documentation explains what was found.

use overboard_games::laws::PAGES;
use overboard_referee::finding::Code;
use overboard_rules::rule::Rule;

/// The place in the documentation about a kind of finding.
pub fn of_code(code: &Code) -> String {
    format!("docs/findings.md#{}", code.id)
}

/// The place in the documentation about a rule.
pub fn of_rule(rule: &Rule) -> Option<String> {
    let page = PAGES
        .iter()
        .find(|page| page.rules.iter().any(|known| known.id == rule.id))?;
    Some(format!("docs/rules/{}.md#{}", page.name, rule.id))
}
