//! Dates of events and of birth.

use crate::rounds::is_digits;
use jiff::civil::Date;

/// Whether this is a day of the calendar, as events write it: `2026-11-21`.
#[must_use]
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok()
}

/// Whether a text is written as a day, which the calendar need not have: older events may hold such days.
#[must_use]
pub fn has_form_of_a_day(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts[..] else {
        return false;
    };
    // Of as many digits, the greater number is the greater text.
    is_number(year, 4)
        && is_number(month, 2)
        && ("01"..="12").contains(&month)
        && is_number(day, 2)
        && ("01"..="31").contains(&day)
}

fn is_number(part: &str, digits: usize) -> bool {
    part.len() == digits && is_digits(part)
}

/// Whether this is a year, or a date beginning with the year, as ISO and FIDE's files write it; 00 means unknown, as does an
/// empty text.
#[must_use]
pub fn is_birth(text: &str) -> bool {
    let parts: Vec<_> = text.split(['-', '/', '.']).collect();
    match parts[..] {
        [year] => year.is_empty() || is_number(year, 4),
        [year, "00", "00"] => is_number(year, 4),
        [year, month, "00"] => is_number(year, 4) && is_day(&format!("{year}-{month}-01")),
        [year, month, day] => is_number(year, 4) && is_day(&format!("{year}-{month}-{day}")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        assert!(is_day("2026-11-21") && is_day("2024-02-29"));
        for wrong in [
            "2026-02-29",
            "2026-02-30",
            "2026-13-01",
            "2026-11-00",
            "2026-1-1",
            "",
            "20261121",
        ] {
            assert!(!is_day(wrong), "{wrong}");
        }
        for birth in [
            "",
            "1990",
            "1990-05-17",
            "1990/05/17",
            "1990.05.00",
            "1990-00-00",
        ] {
            assert!(is_birth(birth), "{birth}");
        }
        for wrong in [
            "90",
            "1990-02-30",
            "1990-13-00",
            "1990-00-01",
            "17.05.1990",
            "1990-05",
            "+199",
        ] {
            assert!(!is_birth(wrong), "{wrong}");
        }
    }
}
