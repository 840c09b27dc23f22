"""The bytes of a file: is it text, how is it decoded, where is a place in it (section 2)."""

import bisect
import re

MARK = b"\xef\xbb\xbf"
WHITE = b" \t\r\v\n"
CONTROL = rb"[\x00-\x08\x0c\x0e-\x1f\x7f]"

UTF8 = (
    rb"(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}"
    rb"|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})"
)
# U+00A0, U+2000 to U+200B, U+202F, U+3000, U+FEFF, and the byte A0 by itself.
# Wherever this is tried, a whole character of UTF-8 has been taken before it, so that the byte is not part of one.
ODD_BLANK = rb"(?:\xc2\xa0|\xe2\x80[\x80-\x8b\xaf]|\xe3\x80\x80|\xef\xbb\xbf|\xa0)"
SPACES = re.compile(rb"(?:[\x00-\x20\x7f]|" + ODD_BLANK + rb")*")
CONTROLS = re.compile(CONTROL + rb"+")
REMARKABLE = re.compile(rb"(?P<control>" + CONTROL + rb"+)|(?P<blank>" + ODD_BLANK + rb")")
# Between the parts of a tag, and between the square and the colon of a sub-game, no other blanks stand.
SPACE_IN_BRACKETS = re.compile(rb"[\x00-\x20\x7f]*")

COMPRESSED = re.compile(
    rb"\x1f\x8b|PK\x03\x04|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18|BZh[1-9](?:1AY&|\x17rE8)|\xfd7zXZ\x00|7z\xbc\xaf\x27\x1c"
)
SPACES_AT_START = rb"[ \t\n\x0c\r]*"
JSON = re.compile(SPACES_AT_START + rb"\[?" + SPACES_AT_START + rb"\{" + SPACES_AT_START + rb'"[^"\n]*":')
MARKUP = re.compile(SPACES_AT_START + rb"<(?:!doctype|html|\?xml|svg)", re.IGNORECASE)
TAG_AT_START = re.compile(SPACES_AT_START + rb'\[[A-Za-z0-9]+ "')
HEAD = 64
# Control characters, and those that have no shape or turn the direction of text (section 17).
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def decoded(raw):
    """A value, a comment or a word: UTF-8 if all of it is valid, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def is_hidden(character):
    """A control character, or another one that has no shape or turns the direction of text (section 17)."""
    if character in " \t\r\v\n":
        return False
    return bool(HIDDEN.match(character))


def has_hidden(text):
    """Whether a text has a hidden character. Most texts are printable, which is asked fast."""
    if text.isascii() and text.isprintable():
        return False
    return any(is_hidden(character) for character in text)


def is_utf16(head):
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return True
    if len(head) < 4:
        return False
    zeros = [byte == 0 for byte in head[:4]]
    return zeros in ([True, False, True, False], [False, True, False, True])


def is_binary(head):
    """At least four control characters between the first and the last visible character."""
    if head.startswith(b"%PDF-"):
        return True
    inner = head.strip(bytes(range(0x21)) + b"\x7f")
    return len(re.findall(CONTROL, inner)) >= 4


def is_text(data):
    """Whether a file is a text with records."""
    head = data[:HEAD]
    head = head[len(MARK) :] if head.startswith(MARK) else head
    if is_utf16(head):
        return False
    if COMPRESSED.match(head):
        return False
    if JSON.match(head) or MARKUP.match(head):
        return False
    return bool(TAG_AT_START.match(head)) or not is_binary(head)


class Places:
    """Line and column of positions. Fast if the positions asked for rise."""

    def __init__(self, data, start):
        self.data = data
        self.starts = [start] + [found.end() for found in re.finditer(rb"\n", data)]
        self.line = -1
        self.enter(0)

    def enter(self, line):
        """Begins to count in a line."""
        self.position = self.starts[line]
        self.bytes = 0
        self.characters = 0
        self.is_utf8 = True
        self.rest = b""

    def place(self, position):
        """Line and column, both from 1."""
        line = bisect.bisect_right(self.starts, position) - 1
        if line != self.line or position < self.position:
            self.enter(line)
            self.line = line
        passed = self.data[self.position : position]
        self.bytes += len(passed)
        self.position = position
        if self.is_utf8:
            self.read(passed)
        before = self.characters if self.is_utf8 and not self.rest else self.bytes
        return line + 1, before + 1

    def read(self, passed):
        """Reads on in UTF-8; a character may be broken off where a place was asked for."""
        passed = self.rest + passed
        try:
            text = passed.decode("utf-8")
            self.rest = b""
        except UnicodeDecodeError as error:
            whole, self.rest = passed[: error.start], passed[error.start :]
            self.is_utf8 = error.end == len(passed) and error.reason == "unexpected end of data"
            text = whole.decode("utf-8")
        self.characters += len(text)
