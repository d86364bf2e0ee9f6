//! Days, for rules that end.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day, if there is such a one.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        (1..=days_of(year, month)).contains(&day).then_some(Date { year, month, day })
    }

    /// The day in UTC at a time in seconds since 1970-01-01. After the year 9999: its last day.
    pub fn of_unix_time(seconds: u64) -> Date {
        let last = Date { year: 9999, month: 12, day: 31 };
        let day_of = |year: u64| {
            let before = year - 1;
            365 * before + before / 4 - before / 100 + before / 400
        };
        let mut days = seconds / 86_400;
        // The year by its mean length, which is never too late by more than one.
        let mut year = 1970 + days / 366;
        while day_of(year + 1) - day_of(1970) <= days && year <= 9999 {
            year += 1;
        }
        if year > u64::from(last.year) {
            return last;
        }
        days -= day_of(year) - day_of(1970);
        let mut date = Date { year: year as u16, month: 1, day: 1 };
        while days >= u64::from(days_of(date.year, date.month)) {
            days -= u64::from(days_of(date.year, date.month));
            date.month += 1;
        }
        Date { day: date.day + days as u8, ..date }
    }
}

/// How many days this month has; none if there is no such month.
fn days_of(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    }
}

impl FromStr for Date {
    type Err = String;
    /// Reads `2026-12-31`.
    fn from_str(text: &str) -> Result<Date, String> {
        let number = |part: &str| {
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            if digits { part.parse::<u16>().ok() } else { None }
        };
        let date = match text.split('-').collect::<Vec<_>>()[..] {
            [year, month, day] if (year.len(), month.len(), day.len()) == (4, 2, 2) => {
                let small = |part| number(part).and_then(|it| u8::try_from(it).ok());
                match (number(year), small(month), small(day)) {
                    (Some(year), Some(month), Some(day)) => Date::new(year, month, day),
                    _ => None,
                }
            }
            _ => None,
        };
        date.ok_or_else(|| format!("'{text}' is no day: write it as 2026-12-31"))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_796_054_400, "2026-11-30"),
            (4_107_542_400, "2100-03-01"),
            (u64::MAX, "9999-12-31"),
        ] {
            assert_eq!(Date::of_unix_time(seconds).to_string(), day);
            assert_eq!(day.parse(), Ok(Date::of_unix_time(seconds)));
        }
        for wrong in
            ["", "2026-02-30", "2026-1-01", "26-01-01", "2026-13-01", "2026-01-01T00", "+026-01-01"]
        {
            assert!(wrong.parse::<Date>().is_err(), "{wrong}");
        }
    }
}
