#!/usr/bin/env python3
"""A reader of NPGN 1.0: prints an object for each record of a file, as JSON Lines.

    npgn_reader.py FILE

The form of the objects is that of the conformance suite. Legality is not judged, and no rule of any game is known here.
"""

import json
import re
import sys

from npgn_text import CONTROLS, MARK, REMARKABLE, SPACE_IN_BRACKETS, WHITE, Places, decoded, has_hidden, is_text
from npgn_tokens import Tokens

KNOWN_NAMES = (
    "Event Site Date Round White Black Result Variant SetUp FEN Termination TimeControl PlyCount EventDate UTCDate WhiteElo BlackElo ECO "
    "Rules Level Boards WhiteCommander BlackCommander WhiteLieutenants BlackLieutenants Score GameId Parent Stated Around"
).split()
RIGHT_NAMES = {name.lower(): name for name in KNOWN_NAMES}

SQUARE = re.compile(r"[a-n](?:[1-9]|1[0-4])")
ADDRESS = re.compile(r"[A-H][1-8]")
MARKS = ("ep", "e.p.")
VERBS = ("prisoners", "consolidate", "reserve")
FOR_HYPHENS = ":\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\x96\x97"
BOTH_LOST = "0-0"
RESULTS = ("1-0", "0-1", "1/2-1/2", "1/2", "0-0", "1/2-0", "0-1/2")
COMMON_GLYPHS = ("!", "?", "!!", "??", "!?", "?!")

CLOSING = ord(">")

MOST_VARIATIONS = 100_000
MOST_BLOCKS = 1_000
MOST_TAGS = 4_096
MOST_SPACES = 255
MOST_BYTES = 16 << 20

WARNINGS = ("control-character", "odd-blank", "result-in-variation", "sign-alone", "nag-range", "missing-result")
PROSE = ("comment", "remark", "escape")
BEGINNINGS = ("number", "ply", "result", "open")  # elements that show how a record without tags begins
TAGS = ("tag", "broken")
AFTER_RESULT = PROSE + ("glyphs", "nag")


class LimitExceeded(Exception):
    """A record is larger than a reader must accept."""


def result_of(text):
    """How a result is spelt in PGN, or None if a symbol is no result."""
    if len(text) > 7:
        return None
    plain = text.replace("½", "1/2")
    if plain == BOTH_LOST:
        return plain
    plain = "".join("-" if character in FOR_HYPHENS else character for character in plain)
    if plain == BOTH_LOST and ":" not in text:
        return None
    return plain if plain in RESULTS else None


def is_number(text):
    """Digits alone are a number, but zeros without hyphens are castling."""
    return text.isascii() and text.isdigit() and text not in ("00", "000")


def is_in_nag_range(digits):
    """Whether digits are 0 to 255, three of them at most."""
    return 0 < len(digits) <= 3 and int(digits) <= 255


def unescaped(value):
    return re.sub(r'\\(["\\])', r"\1", value)


class Frame:
    """What is open at a place of the text: the record, or a bracket."""

    def __init__(self, kind, start):
        self.kind = kind
        self.start = start
        self.takes_tags = kind in ("record", "subgame")
        self.has_result = False
        self.ignored = 0  # `<` that opened nothing, directly in this bracket, and whose `>` is still to come
        self.expects = "address"  # in a turn: then its dot, then a ply
        self.size = 0  # of an action, in bytes


class Record:
    """A record as far as it was read."""

    def __init__(self, start, faults, follows):
        self.elements = []
        self.faults = faults
        self.frames = [Frame("record", start)]
        self.blocks = 0
        self.variations = 0
        self.tags = 0
        self.last_ply = None
        self.last_word = start  # the first token, and later the value of the last tag
        self.has_only_prose = True
        self.is_rest = None if follows else False  # of another record: None until its first element is read
        # How many `<` that open nothing have not been closed: oddities in them are not reported.
        self.unreadable = 0
        # The blocks that are open around a token that was reported as misplaced, until the innermost of them closes.
        self.misplaced = None
        self.has_unclosed = False
        self.has_odd_blank = any(code == "odd-blank" for _, code in faults)
        self.has_open_comment = False
        self.is_cut = False  # by a limit
        self.doubtful = []  # places between which warnings, or errors too, may come of an unclosed bracket

    @property
    def top(self):
        return self.frames[-1]

    @property
    def is_over(self):
        return self.frames[0].has_result

    def has_brackets(self):
        return self.blocks + self.variations > 0

    def add(self, *element):
        self.elements.append(list(element))

    def fault(self, position, code):
        if code == "odd-blank" and self.has_odd_blank:
            return
        self.has_odd_blank = self.has_odd_blank or code == "odd-blank"
        self.faults.append((position, code))

    def credible_faults(self):
        """All faults in order but those that may come of an unclosed bracket."""
        waiting = sorted(self.doubtful, reverse=True)
        end_of_doubt = {"warning": -1, "error": -1}
        for position, code in sorted(self.faults):
            while waiting and waiting[-1][0] < position:
                _, end, kinds = waiting.pop()
                for kind in kinds:
                    end_of_doubt[kind] = max(end_of_doubt[kind], end)
            kind = "warning" if code in WARNINGS else "error"
            if position >= end_of_doubt[kind] or code in ("unclosed-comment", "missing-result"):
                yield position, code


class Reader:
    """Reads the records of a text one after the other."""

    def __init__(self, data):
        self.data = data
        self.start = len(MARK) if data.startswith(MARK) else 0
        self.tokens = Tokens(data, self.start)
        self.places = Places(data, self.start)
        self.record = None
        self.early_faults = []  # of white space before the first record
        self.may_be_suffix = False
        self.follows = False  # whether there was a record before

    # Records

    def records(self):
        """The readings of all records, each as it is printed."""
        if not is_text(self.data):
            return
        position = self.start
        while True:
            after = self.tokens.after_spaces(position)
            self.note_spaces(position, after)
            position = after
            if position == len(self.data):
                break
            token = self.tokens.token(position)
            if self.begins_record(token):
                if self.record:
                    yield self.finished(position)
                start = self.early_faults[0][0] if self.early_faults else self.place_of(token)
                self.record = Record(start, self.early_faults, self.follows)
                self.early_faults = []
                self.follows = True
            position = self.read_or_skip(token)
        yield from self.last_record()

    def last_record(self):
        if self.record:
            yield self.finished(len(self.data))
        elif self.early_faults:
            self.record = Record(len(self.data), self.early_faults, self.follows)
            yield self.finished(len(self.data))

    def begins_record(self, token):
        """Section 4."""
        record = self.record
        if record is None:
            return True
        if token.kind in TAGS and self.tokens.is_first_column(token.start):
            if self.is_event(token):
                return not record.has_only_prose or record.has_open_comment
            if token.kind == "tag" and not record.frames[0].takes_tags and not record.has_brackets():
                return True
        return record.is_over and token.kind not in AFTER_RESULT

    def is_event(self, token):
        if token.kind == "tag":
            return token.data["name"] == b"Event"
        return self.data.startswith(b"[Event ", token.start)

    def read_or_skip(self, token):
        """Reads a token; gives where reading goes on."""
        try:
            return self.read(token)
        except LimitExceeded as exceeded:
            self.record.fault(exceeded.args[0] if exceeded.args else token.start, "limit")
            self.record.is_cut = True
            return self.tokens.next_record(token.start)

    def finished(self, end):
        record = self.record
        self.close_record(record, end)
        faults = [[*self.places.place(position), code] for position, code in record.credible_faults()]
        return {"elements": record.elements, "faults": faults}

    def close_record(self, record, end):
        """Reports what the end of a record shows."""
        if record.is_cut:
            return
        if record.has_only_prose and not record.has_open_comment:
            record.fault(end, "not-text")
            return
        if record.has_brackets():
            self.break_off(record, end)
        if not (record.is_over or record.has_unclosed or record.has_open_comment or record.is_rest):
            record.fault(record.last_word if record.last_ply is None else record.last_ply, "missing-result")

    def break_off(self, record, end):
        """Only the outermost bracket is reported, or else the comment, and what may come of it is not."""
        record.has_unclosed = True
        outermost = record.frames[1]
        kinds = ("warning",) if outermost.kind == "variation" else ("warning", "error")
        record.doubtful.append((outermost.start, end + 1, kinds))
        if not record.has_open_comment:
            record.fault(outermost.start, "unclosed-bracket")

    # Findings

    def note_spaces(self, start, end):
        """Reports what is unusual in white space: a run of control characters, or a blank, at its beginning."""
        if not self.data[start:end].strip(WHITE):
            return
        for found in REMARKABLE.finditer(self.data, start, end):
            code = "control-character" if found["control"] else "odd-blank"
            self.note(found.start(), code)

    def note_first_control(self, *spaces):
        """Reports the first control character of some places where white space may stand."""
        for start, end in spaces:
            found = CONTROLS.search(self.data, start, end)
            if found:
                self.record.fault(found.start(), "control-character")
                return

    def note(self, position, code):
        if self.record:
            self.record.fault(position, code)
        elif code != "odd-blank" or all(known != code for _, known in self.early_faults):
            self.early_faults.append((position, code))

    def text(self, token):
        return decoded(self.data[token.start : token.end])

    def leave_unread(self, token):
        """Keeps a token as text that could not be read."""
        self.record.add("unread", self.text(token).rstrip(WHITE.decode()))

    def report_misplaced(self, token):
        """A token that may not stand here: the first is reported until the bracket closes. A single dot hides nothing."""
        record = self.record
        if record.unreadable or record.misplaced is not None:
            return
        record.fault(self.place_of(token), "bad-token")
        if self.data[token.start : token.end] != b".":
            record.misplaced = record.blocks

    def refuse(self, token):
        self.report_misplaced(token)
        self.leave_unread(token)

    def report_odd(self, token, code):
        """An oddity, which is not reported in a `<` that opens nothing."""
        if not self.record.unreadable:
            self.record.fault(token.start, code)

    def bad_token(self, token):
        """A token that may stand nowhere."""
        self.report_odd(token, "bad-token")
        self.leave_unread(token)

    def stray(self, token):
        self.record.fault(token.start, "stray-bracket")
        self.leave_unread(token)

    # Tokens

    def read(self, token):
        """Reads a token of the record; gives where reading goes on."""
        record = self.record
        top = record.top
        may_be_suffix = self.may_be_suffix
        self.may_be_suffix = False
        if token.kind not in PROSE:
            record.has_only_prose = False
        if token.kind not in PROSE + TAGS or self.is_open_comment(token):
            top.takes_tags = False
        if token.kind == "sign" and may_be_suffix and self.text(token) in ("+", "#"):
            record.add("suffix", self.text(token))
            return token.end
        known = len(record.elements)
        expected = top.expects
        # Nothing but white space stands between an address, its dot and its ply.
        top.expects = "address"
        end = self.read_by_kind(token, expected)
        if record.is_rest is None and token.kind not in PROSE + TAGS:
            self.judge_beginning(record.elements[known])
        return end

    def read_by_kind(self, token, expected):
        if token.kind == "single":
            return self.read_single(token, expected)
        if token.kind in ("symbol", "pass", "dots"):
            getattr(self, "read_" + token.kind)(token, expected)
        else:
            getattr(self, "read_" + token.kind)(token)
        return token.end

    def judge_beginning(self, element):
        """Whether a record without tags is the rest of another (section 4)."""
        record = self.record
        record.is_rest = not record.tags and element[0] in BEGINNINGS and element[1] not in ("1", "1.")

    def is_open_comment(self, token):
        return token.kind == "comment" and not token.data

    def place_of(self, token):
        """Where findings about a token are: of prose, after its mark."""
        return token.start + 1 if token.kind in PROSE else token.start

    def read_single(self, token, expected):
        sign = self.text(token)
        if sign == "<":
            return self.read_open_block(token, expected)
        if sign == ">":
            self.read_close_block(token)
        elif sign == "(":
            self.read_open_variation(token)
        elif sign == ")":
            self.read_close_variation(token)
        elif sign == ":":
            self.read_colon(token)
        else:
            self.read_star(token)
        return token.end

    # Tags

    def read_tag(self, token):
        found = token.data
        value = decoded(found["value"])
        sizes = (len(value.encode("utf-8")), found.start("value") - token.start, token.end - found.end("value"))
        if max(sizes) > MOST_BYTES:
            raise LimitExceeded
        if not self.record.top.takes_tags:
            self.record.fault(token.start, "bad-tag")
            self.leave_unread(token)
            return
        self.count_tag()
        self.note_first_control(*(found.span(space) for space in "abc"))
        self.record.last_word = found.start("value")
        name = found["name"].decode("ascii")
        name = RIGHT_NAMES.get(name.lower(), name)
        if has_hidden(value):
            self.record.fault(found.start("value"), "control-character")
        if name == "Event" and self.record.top.kind == "subgame":
            self.record.fault(found.start("value"), "bad-tag")
        self.record.add("tag", name, unescaped(value))

    def read_broken(self, token):
        self.count_tag()
        self.record.fault(token.start, "bad-tag")
        self.leave_unread(token)

    def count_tag(self):
        self.record.tags += 1
        if self.record.tags > MOST_TAGS:
            raise LimitExceeded

    # Prose and annotations

    def read_comment(self, token):
        is_closed = token.data
        text = decoded(self.data[token.start + 1 : token.end - 1 if is_closed else token.end])
        if not is_closed:
            self.record.has_open_comment = True
            self.record.fault(token.start, "unclosed-comment")
        self.read_prose(token, text)

    def read_remark(self, token):
        self.read_prose(token, decoded(self.data[token.start + 1 : token.data]))

    read_escape = read_remark

    def read_prose(self, token, text):
        if token.kind != "escape" and has_hidden(text):
            self.record.fault(token.start + 1, "control-character")
        if self.record.top.kind == "action" and token.kind != "escape":
            self.report_misplaced(token)
        self.record.add(token.kind, text)

    def read_glyphs(self, token):
        text = self.text(token)
        self.read_annotation(token, text, text in COMMON_GLYPHS)

    def read_nag(self, token):
        text = self.text(token)
        self.read_annotation(token, text, is_in_nag_range(text[1:]))

    def read_annotation(self, token, text, is_common):
        if self.record.top.kind == "action":
            self.refuse(token)
            return
        if not is_common:
            self.record.fault(token.start, "nag-range")
        self.record.add(token.kind, text)

    def read_sign(self, token):
        self.report_odd(token, "sign-alone")
        self.leave_unread(token)

    def read_strange(self, token):
        self.bad_token(token)

    def read_stray(self, token):
        self.stray(token)

    # Words

    def read_symbol(self, token, expected):
        is_too_long = token.data
        if is_too_long:
            raise LimitExceeded
        text = self.text(token)
        top = self.record.top
        if text in MARKS:
            self.leave_unread(token)
        elif top.kind == "action":
            self.read_argument(top, text)
        elif top.kind == "turn":
            self.read_word_of_turn(top, token, text, expected)
        elif top.has_result:
            self.refuse(token)
        else:
            self.read_word(token, text)

    def read_word(self, token, text):
        """A symbol of movetext: a result, a number or a ply, in this order."""
        if self.is_result(token, text):
            self.end_game(token, text)
        elif is_number(text):
            self.record.add("number", text)
        else:
            self.add_ply(token, text)

    def is_result(self, token, text):
        if text == BOTH_LOST:
            return self.is_last(token)
        return result_of(text) is not None

    def is_last(self, token):
        """Two zeros are a result only at the end of a game: nothing but prose before the next `[` or the end of the text."""
        if self.record.top.kind != "record":
            return False
        position = token.end
        while True:
            position = self.tokens.after_spaces(position)
            if position == len(self.data):
                return True
            following = self.tokens.token(position)
            if following.kind not in PROSE:
                return following.kind in TAGS
            position = following.end

    def end_game(self, token, text):
        top = self.record.top
        if top.kind == "variation":
            self.record.fault(token.start, "result-in-variation")
            self.leave_unread(token)
        else:
            top.has_result = True
            self.record.add("result", text)

    def add_ply(self, token, text):
        self.record.add("ply", text)
        self.record.last_ply = token.start

    def read_pass(self, token, expected):
        top = self.record.top
        if top.kind == "action" or top.has_result or expected == "dot":
            self.refuse(token)
        else:
            self.add_ply(token, self.text(token))

    def read_number(self, token):
        is_too_long = token.data
        if is_too_long:
            raise LimitExceeded
        self.read_digits_or_dots(token)

    def read_digits_or_dots(self, token):
        if self.record.top.kind in ("turn", "action"):
            self.refuse(token)
        else:
            self.record.add("number", self.text(token))

    def read_dots(self, token, expected):
        is_one = token.end - token.start == 1
        if not is_one or expected == "address":
            self.read_digits_or_dots(token)
            return
        self.record.top.expects = "ply"
        if expected == "ply":
            self.report_misplaced(token)

    def read_star(self, token):
        top = self.record.top
        if top.kind in ("turn", "action") or top.has_result:
            self.refuse(token)
        else:
            self.end_game(token, "*")

    def read_colon(self, token):
        top = self.record.top
        if top.kind == "action":
            self.read_argument(top, ":")
        else:
            self.bad_token(token)

    def read_argument(self, action, text):
        action.size += len(text.encode("utf-8")) + 1
        if action.size > MOST_BYTES:
            raise LimitExceeded
        self.record.add("argument", text)

    def read_word_of_turn(self, turn, token, text, expected):
        if expected == "ply":
            self.read_ply_of_item(token, text)
        elif ADDRESS.fullmatch(text):
            turn.expects = "dot"
            self.record.add("board", text)
        else:
            self.refuse(token)

    def read_ply_of_item(self, token, text):
        if text != BOTH_LOST and result_of(text) is not None:
            self.record.add("result", text)
        else:
            self.add_ply(token, text)

    # Variations

    def read_open_variation(self, token):
        record = self.record
        if record.top.kind in ("turn", "action"):
            self.refuse(token)
            return
        if record.variations == MOST_VARIATIONS:
            raise LimitExceeded
        if record.top.has_result:
            self.report_misplaced(token)
        record.variations += 1
        record.frames.append(Frame("variation", token.start))
        record.add("open", "variation")

    def read_close_variation(self, token):
        record = self.record
        if record.top.kind == "variation":
            record.frames.pop()
            record.variations -= 1
            record.add("close", "variation")
        elif record.misplaced is not None:
            # It may close a `(` that was refused.
            self.leave_unread(token)
        else:
            self.stray(token)

    # Blocks

    def read_open_block(self, token, expected):
        """A `<`: the one token after it decides what it opens."""
        if self.record.blocks == MOST_BLOCKS:
            raise LimitExceeded
        if self.record.top.kind == "action" or expected == "dot":
            # The `>` of this one closes the action or turn.
            self.refuse(token)
            return token.end
        position = self.tokens.after_spaces(token.end)
        if position == len(self.data):
            return self.ignore_block(token, position)
        following = self.tokens.token(position)
        if following.kind != "symbol" or following.data:
            return self.ignore_block(token, position)
        return self.open_block(token, following)

    def open_block(self, token, following):
        """Opens the block that a symbol after `<` names."""
        word = self.text(following)
        is_address = bool(ADDRESS.fullmatch(word))
        is_in_turn = self.record.top.kind == "turn"
        if is_address and (is_in_turn or not self.has_colon(following)):
            return self.open_turn(token, following, word)
        if word in VERBS and not is_in_turn:
            self.push_block("action", token)
            self.note_spaces(token.end, following.start)
            self.record.add("open", "action", word)
            return following.end
        if not is_in_turn and (is_address or SQUARE.fullmatch(word)):
            return self.open_subgame(token, following, word)
        return self.ignore_block(token, following.start)

    def has_colon(self, following):
        return self.data.startswith(b":", following.end)

    def open_turn(self, token, address, word):
        self.push_block("turn", token)
        self.note_spaces(token.end, address.start)
        self.record.add("open", "turn")
        self.record.add("board", word)
        self.record.top.expects = "dot"
        return address.end

    def open_subgame(self, token, square, word):
        colon = SPACE_IN_BRACKETS.match(self.data, square.end).end()
        if not self.data.startswith(b":", colon):
            return self.ignore_block(token, square.start)
        if colon - square.end > MOST_SPACES:
            raise LimitExceeded(square.start)
        self.push_block("subgame", token)
        self.note_spaces(token.end, square.start)
        self.note_first_control((square.end, colon))
        self.record.add("open", "subgame", word)
        return colon + 1

    def push_block(self, kind, token):
        record = self.record
        if record.top.has_result:
            self.report_misplaced(token)
        record.blocks += 1
        record.frames.append(Frame(kind, token.start))

    def ignore_block(self, token, end):
        """A `<` that opens nothing."""
        record = self.record
        if not record.unreadable:
            record.fault(token.start, "bad-token")
        record.unreadable += 1
        if record.top.kind != "turn":
            record.top.ignored += 1
        self.leave_unread(token)
        self.note_spaces(token.end, end)
        return end

    def read_close_block(self, token):
        record = self.record
        if record.top.ignored or record.blocks == 0:
            self.close_nothing(token)
            return
        outermost = None
        while record.top.kind == "variation":
            outermost = record.frames.pop()
            record.variations -= 1
            record.has_unclosed = True
            record.fault(outermost.start, "unclosed-bracket")
        if outermost:
            record.doubtful.append((outermost.start, token.start, ("warning",)))
        if record.misplaced is not None and record.blocks <= record.misplaced:
            record.misplaced = None
        closed = record.frames.pop()
        record.blocks -= 1
        record.add("close", closed.kind)
        self.may_be_suffix = closed.kind == "turn"

    def close_nothing(self, token):
        """A `>` that closes nothing: that of a `<` that opens nothing, or a stray one."""
        record = self.record
        record.top.ignored = max(record.top.ignored - 1, 0)
        if record.unreadable:
            record.unreadable -= 1
            self.leave_unread(token)
        else:
            self.stray(token)


def write(readings, output):
    for reading in readings:
        line = json.dumps(reading, ensure_ascii=False, separators=(",", ":"))
        output.write(line.encode("utf-8") + b"\n")


def main():
    if len(sys.argv) != 2:
        print("usage: npgn_reader.py FILE", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], "rb") as file:
            data = file.read()
    except OSError as error:
        print(f"npgn_reader: {error.strerror}", file=sys.stderr)
        return 2
    write(Reader(data).records(), sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
