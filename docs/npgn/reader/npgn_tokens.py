"""Tokens (section 3). They do not depend on the game, nor on what stands around them."""

import re
from typing import NamedTuple

from npgn_text import ODD_BLANK, SPACES, UTF8, decoded

HIGH = rb"(?!" + ODD_BLANK + rb")(?:" + UTF8 + rb"|[\x80-\x9f\xa1-\xff])"
INNER = rb"(?:[A-Za-z0-9@_+#=^/-]|" + HIGH + rb")"
SYMBOL = re.compile(rb"(?:[A-Za-z0-9@]|" + HIGH + rb")" + INNER + rb"*")
MORE = re.compile(INNER + rb"*")
NUMBER = re.compile(rb"([0-9]+(?:[A-Z]+|[a-z]+)?)(\.+)")
HALF = rb"(?:1/2|\xc2\xbd|\xbd|1|0)"
SCORE_BEFORE_COLON = re.compile(HALF)
SCORE_AFTER_COLON = re.compile(rb":" + HALF + rb"(?!" + INNER + rb")")
CAPTURE_BEFORE_COLON = re.compile(rb"[A-Z][a-z1-9]?|[a-z]")
CAPTURE_AFTER_COLON = re.compile(rb":[a-z][0-9]")

SPACE = rb"[\x00-\x20\x7f]*"
TAG = re.compile(
    rb"\[(?P<a>" + SPACE + rb")(?P<name>[A-Za-z0-9_]+)(?P<b>" + SPACE + rb')"(?P<value>(?:[^"\\\n]|\\[^\n])*)"(?P<c>' + SPACE + rb")\]"
)
SIMPLE = (
    ("dots", re.compile(rb"\.+")),
    ("nag", re.compile(rb"\$[0-9]*")),
    ("glyphs", re.compile(rb"[!?]+")),
    ("pass", re.compile(rb"--(?![_+#=^/-])")),
    ("sign", re.compile(rb"[_+#=^/-]+")),
    ("single", re.compile(rb"[*:<>()]")),
    ("stray", re.compile(rb"[\]}]")),
    ("strange", re.compile(rb"[\"&',\\`|~]+|%")),
)
EVENT_LINE = b"\n[Event "
LONGEST = 255


class Token(NamedTuple):
    """A token, from `start` to before `end`; `data` is what its kind needs besides."""

    kind: str
    start: int
    end: int
    data: object = None


class Finder:
    """The next place of some bytes; remembers it, so that asking again and again costs nothing."""

    def __init__(self, data, wanted):
        self.data = data
        self.wanted = wanted
        self.asked = 0
        self.found = -1

    def after(self, position):
        """The first place at or after a position; the length of the data if there is none."""
        if not self.asked <= position <= self.found:
            found = self.data.find(self.wanted, position)
            self.asked = position
            self.found = len(self.data) if found < 0 else found
        return self.found


class Tokens:
    """Finds the token at a position of the data."""

    def __init__(self, data, start):
        self.data = data
        self.start = start
        self.closing = Finder(data, b"}")
        self.opening = Finder(data, b"{")
        self.events = Finder(data, EVENT_LINE)
        self.ends = Finder(data, b"\n")

    def is_first_column(self, position):
        return position == self.start or self.data[position - 1] == 0x0A

    def after_spaces(self, position):
        return SPACES.match(self.data, position).end()

    def next_record(self, position):
        """The next `[Event ` in the first column, or the end."""
        found = self.events.after(position)
        return min(found + 1, len(self.data))

    def token(self, position):
        """The longest token at a position at which there is no white space."""
        first = self.data[position : position + 1]
        if first == b"{":
            return self.comment(position)
        if first == b";":
            return self.line("remark", position)
        if first == b"%" and self.is_first_column(position):
            return self.line("escape", position)
        if first == b"[":
            return self.tag(position)
        return self.word(position) or self.simple(position)

    def simple(self, position):
        for kind, pattern in SIMPLE:
            found = pattern.match(self.data, position)
            if found:
                return Token(kind, position, found.end())
        raise AssertionError("every byte begins a token")

    def word(self, position):
        """A number or a symbol, whichever is longer; None if neither begins here."""
        symbol = SYMBOL.match(self.data, position)
        if not symbol:
            return None
        end = self.symbol_end(position, symbol.end())
        number = NUMBER.match(self.data, position)
        if number and number.end() >= end:
            too_long = max(len(number[1]), len(number[2])) > LONGEST
            return Token("number", position, number.end(), too_long)
        return Token("symbol", position, end, self.is_too_long(position, end))

    def is_too_long(self, start, end):
        """More than 255 bytes, counted as they are written in UTF-8. A byte of Latin-1 becomes two at most."""
        if (end - start) * 2 <= LONGEST:
            return False
        return len(decoded(self.data[start:end]).encode("utf-8")) > LONGEST

    def symbol_end(self, start, end):
        """Where a symbol ends that goes on with a colon or with `.p.`."""
        if self.data[end : end + 1] == b":" and end - start <= 3:
            end = self.colon_end(start, end)
        if self.data[end - 1 : end + 3] == b"e.p." and not self.data[start : start + 1].isdigit():
            end += 3
        return end

    def colon_end(self, start, end):
        head = self.data[start:end]
        score = SCORE_AFTER_COLON.match(self.data, end)
        if score and SCORE_BEFORE_COLON.fullmatch(head):
            return score.end()
        if CAPTURE_BEFORE_COLON.fullmatch(head) and CAPTURE_AFTER_COLON.match(self.data, end):
            return MORE.match(self.data, end + 1).end()
        return end

    def line(self, kind, position):
        """A remark or an escape line; its data is where its text ends."""
        end = self.ends.after(position)
        has_return = end < len(self.data) and end > position + 1 and self.data[end - 1] == 0x0D
        return Token(kind, position, end, end - 1 if has_return else end)

    def comment(self, position):
        """A comment; its data is whether it is closed (section 16, open comments)."""
        closing = self.closing.after(position)
        event = self.events.after(position)
        if event < closing:
            return self.comment_with_event(position, event + 1)
        if closing == len(self.data):
            return Token("comment", position, closing, False)
        return Token("comment", position, closing + 1, True)

    def comment_with_event(self, position, line):
        """A line of the comment begins with `[Event `: it is a quotation if a `}` comes before any `{`."""
        closing = self.closing.after(line)
        if closing < self.opening.after(line):
            return Token("comment", position, closing + 1, True)
        return Token("comment", position, line, False)

    def tag(self, position):
        """A tag, whose data is the match; or a broken tag, which ends with its line."""
        found = TAG.match(self.data, position)
        if found:
            return Token("tag", position, found.end(), found)
        return Token("broken", position, self.ends.after(position))
