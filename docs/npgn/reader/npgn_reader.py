#!/usr/bin/env python3
"""A reader of NPGN 1.0: prints an object for each record of a file, as JSON Lines.

    npgn_reader.py FILE

The form of the objects is that of the conformance suite. Legality is not judged, and no rule of any game is known here.
"""

import json
import re
import sys
import unicodedata

from npgn_text import MARK, REMARKABLE, WHITE, Places, decoded, has_hidden, is_hidden, is_text
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
RESULTS = ("1-0", "0-1", "1/2-1/2", "1/2", "0-0", "1/2-0", "0-1/2")
RESULTS_OF_ITEMS = ("1-0", "0-1", "1/2-1/2", "1/2")
COMMON_GLYPHS = ("!", "?", "!!", "??", "!?", "?!")

CLOSING = ord(">")

MOST_VARIATIONS = 100_000
MOST_BLOCKS = 1_000
MOST_TAGS = 4_096
MOST_SPACES = 255
MOST_BYTES = 16 << 20

WARNINGS = ("control-character", "odd-blank", "result-in-variation", "sign-alone", "nag-range", "missing-result")
PROSE = ("comment", "remark", "escape")
TAGS = ("tag", "broken")
AFTER_RESULT = PROSE + ("glyphs", "nag")
BLOCKS = ("subgame", "turn", "action")


class LimitExceeded(Exception):
    """A record is larger than a reader must accept."""


def result_of(text):
    """How a result is spelt in PGN, or None if a symbol is no result."""
    if len(text) > 7:
        return None
    plain = "".join("-" if is_dash(character) else character for character in text.replace("½", "1/2"))
    return plain if plain in RESULTS else None


def is_dash(character):
    return character in ":\u2212" or unicodedata.category(character) == "Pd"


def is_number(text):
    """Digits alone are a number, but zeros without hyphens are castling."""
    return text.isascii() and text.isdigit() and text not in ("00", "000")


def is_in_nag_range(digits):
    """Whether digits are 0 to 255. They may be any number of them."""
    significant = digits.lstrip("0")
    return bool(digits) and len(significant) <= 3 and int(significant or "0") <= 255


def unescaped(value):
    return re.sub(r'\\(["\\])', r"\1", value)


class Frame:
    """What is open at a place of the text: the record, a bracket, or a `<` that opens nothing."""

    def __init__(self, kind, start, around):
        self.kind = kind
        self.start = start
        # A `<` that opens nothing is ignored: what is in it is read as if it stood outside.
        self.context = around.context if kind == "ignored" else self
        # The innermost game, which is the record or a sub-game: it gets the result.
        self.game = self if kind in ("record", "subgame") else around.game
        self.is_silent = kind == "ignored" or (around is not None and around.is_silent)
        self.takes_tags = kind in ("record", "subgame")
        self.has_result = False
        self.has_fault = False  # a token that may not stand here was reported
        self.ignored_variations = 0
        self.expects = "address"  # in a turn: then its dot, then a ply
        self.size = 0  # of an action, in bytes
        self.last_ply = None
        self.last_word = start


class Record:
    """A record as far as it was read."""

    def __init__(self, start, faults):
        self.elements = []
        self.faults = faults
        self.frames = [Frame("record", start, None)]
        self.blocks = 0
        self.ignored = 0
        self.variations = 0
        self.tags = 0
        self.has_moves = False
        self.has_only_comments = True
        self.has_odd_blank = any(code == "odd-blank" for _, code in faults)
        self.has_open_comment = False
        self.is_cut = False  # by a limit
        self.doubtful = []  # places between which warnings, or errors too, may come of an unclosed bracket

    @property
    def top(self):
        return self.frames[-1]

    @property
    def context(self):
        return self.frames[-1].context

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
            if position >= end_of_doubt[kind] or code == "unclosed-comment":
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

    # Records

    def records(self):
        """The readings of all records, each as it is printed."""
        if not is_text(self.data[self.start :]):
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
                self.record = Record(position, self.early_faults)
                self.early_faults = []
            position = self.read_or_skip(token)
        yield from self.last_record()

    def last_record(self):
        if self.record:
            yield self.finished(len(self.data))
        elif any(code == "control-character" for _, code in self.early_faults):
            self.record = Record(len(self.data), self.early_faults)
            yield self.finished(len(self.data))

    def begins_record(self, token):
        """Section 4."""
        record = self.record
        if record is None:
            return True
        if token.kind in TAGS and self.tokens.is_first_column(token.start):
            if self.is_event(token):
                return not record.has_only_comments or record.has_open_comment
            if token.kind == "tag" and record.has_moves and not record.has_brackets():
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
        except LimitExceeded:
            self.record.fault(token.start, "limit")
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
        if record.has_only_comments:
            record.fault(end, "not-text")
        elif record.has_brackets():
            self.break_off(record, end)
        elif not record.is_over and not record.has_open_comment:
            self.miss_result(record.frames[0])

    def break_off(self, record, end):
        """Only the outermost bracket is reported, and what may come of it is not."""
        outermost = next(frame for frame in record.frames[1:] if frame.kind != "ignored")
        kinds = ("warning", "error") if record.blocks else ("warning",)
        record.doubtful.append((outermost.start, end + 1, kinds))
        record.fault(outermost.start, "unclosed-bracket")

    def miss_result(self, game):
        place = game.last_word if game.last_ply is None else game.last_ply
        self.record.fault(place, "missing-result")

    # Findings

    def note_spaces(self, start, end):
        """Reports what is unusual in white space."""
        if not self.data[start:end].strip(WHITE):
            return
        for found in REMARKABLE.finditer(self.data, start, end):
            code = "control-character" if found["control"] else "odd-blank"
            self.note(found.start(), code)

    def note(self, position, code):
        if self.record:
            self.record.fault(position, code)
        else:
            self.early_faults.append((position, code))

    def text(self, token):
        return decoded(self.data[token.start : token.end])

    def note_hidden_in_word(self, token, text):
        """A word may have characters that are not seen; each is reported at its own place."""
        if not has_hidden(text):
            return
        is_utf8 = text.encode("utf-8") == self.data[token.start : token.end]
        position = token.start
        for character in text:
            if is_hidden(character):
                self.record.fault(position, "control-character")
            position += len(character.encode("utf-8")) if is_utf8 else 1

    def leave_unread(self, token):
        """Keeps a token as text that could not be read."""
        self.record.add("unread", self.text(token).rstrip())

    def report_misplaced(self, token):
        """A token that may not stand here: the first is reported until the bracket closes."""
        context = self.record.context
        if not context.has_fault and not self.record.top.is_silent:
            self.record.fault(self.place_of(token), "bad-token")
        context.has_fault = True

    def refuse(self, token):
        self.report_misplaced(token)
        self.leave_unread(token)

    def bad_token(self, token):
        """A token that may stand nowhere."""
        if not self.record.top.is_silent:
            self.record.fault(token.start, "bad-token")
        self.leave_unread(token)

    def stray(self, token):
        self.record.fault(token.start, "stray-bracket")
        self.leave_unread(token)

    # Tokens

    def read(self, token):
        """Reads a token of the record; gives where reading goes on."""
        record = self.record
        may_be_suffix = self.may_be_suffix
        self.may_be_suffix = False
        if self.data[token.start] != CLOSING:  # which is not a word of the game that it closes
            record.context.game.last_word = self.place_of(token)
        if token.kind not in ("comment", "escape"):
            record.has_only_comments = False
        if token.kind not in PROSE + TAGS:
            record.context.takes_tags = False
        if token.kind == "sign" and may_be_suffix and self.text(token) in ("+", "#"):
            record.add("suffix", self.text(token))
            return token.end
        if token.kind == "single":
            return self.read_single(token)
        getattr(self, "read_" + token.kind)(token)
        return token.end

    def place_of(self, token):
        """Where findings about a token are: of prose, after its mark."""
        return token.start + 1 if token.kind in PROSE else token.start

    def read_single(self, token):
        sign = self.text(token)
        if sign == "<":
            return self.read_open_block(token)
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
        for space in "abc":
            self.note_spaces(*found.span(space))
        self.count_tag()
        value = decoded(found["value"])
        sizes = (len(value.encode("utf-8")), found.start("value") - token.start, token.end - found.end("value"))
        if max(sizes) > MOST_BYTES:
            raise LimitExceeded
        context = self.record.context
        if not context.takes_tags:
            self.record.fault(token.start, "bad-tag")
            self.leave_unread(token)
            return
        name = found["name"].decode("ascii")
        name = RIGHT_NAMES.get(name.lower(), name)
        if has_hidden(value):
            self.record.fault(found.start("value"), "control-character")
        if name == "Event" and context.kind == "subgame":
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
        if has_hidden(text):
            self.record.fault(token.start + 1, "control-character")
        if self.record.context.kind == "action" and token.kind != "escape":
            self.report_misplaced(token)
        self.record.add(token.kind, text)

    def read_glyphs(self, token):
        text = self.text(token)
        self.read_annotation(token, text, text in COMMON_GLYPHS)

    def read_nag(self, token):
        text = self.text(token)
        self.read_annotation(token, text, is_in_nag_range(text[1:]))

    def read_annotation(self, token, text, is_common):
        if self.record.context.kind == "action":
            self.refuse(token)
            return
        if not is_common:
            self.record.fault(token.start, "nag-range")
        self.record.add(token.kind, text)

    def read_sign(self, token):
        if self.record.context.kind == "action":
            self.refuse(token)
            return
        self.record.fault(token.start, "sign-alone")
        self.leave_unread(token)

    def read_strange(self, token):
        self.bad_token(token)

    def read_stray(self, token):
        self.stray(token)

    # Words

    def read_symbol(self, token):
        is_too_long = token.data
        if is_too_long:
            raise LimitExceeded
        text = self.text(token)
        self.note_hidden_in_word(token, text)
        context = self.record.context
        if context.kind == "action":
            self.read_argument(context, text)
        elif context.kind == "turn":
            self.read_word_of_turn(context, token, text)
        elif context.has_result:
            self.read_word_after_result(token, text)
        else:
            self.read_word(token, text)

    def read_word_after_result(self, token, text):
        """After the result of a sub-game: a number and a mark are no moves."""
        if is_number(text):
            self.record.add("number", text)
        elif text in MARKS:
            self.leave_unread(token)
        else:
            self.refuse(token)

    def read_word(self, token, text):
        """A symbol of movetext: a result, a number or a ply, in this order."""
        if self.is_result(token, text):
            self.end_game(token, text)
        elif text in MARKS:
            self.leave_unread(token)
        elif is_number(text):
            self.record.add("number", text)
        else:
            self.add_ply(token, text)

    def is_result(self, token, text):
        result = result_of(text)
        if result == "0-0" and ":" not in text:
            return self.is_last(token)
        return result is not None

    def is_last(self, token):
        """Two zeros are a result only at the end of a game: nothing but prose before the next tag or the end of the text."""
        if self.record.context.kind != "record":
            return False
        position = token.end
        while True:
            position = self.tokens.after_spaces(position)
            if position == len(self.data):
                return True
            following = self.tokens.token(position)
            if following.kind not in PROSE:
                return following.kind == "tag" or self.is_event(following)
            position = following.end

    def end_game(self, token, text):
        context = self.record.context
        if context.kind == "variation":
            self.record.fault(token.start, "result-in-variation")
            self.leave_unread(token)
        else:
            context.has_result = True
            self.record.add("result", text)

    def add_ply(self, token, text):
        self.record.add("ply", text)
        self.record.context.game.last_ply = token.start
        self.record.has_moves = True

    def read_pass(self, token):
        context = self.record.context
        if context.kind == "action" or context.has_result:
            self.refuse(token)
        elif context.kind == "turn" and context.expects == "dot":
            self.refuse(token)
        else:
            context.expects = "address"
            self.add_ply(token, self.text(token))

    def read_number(self, token):
        is_too_long = token.data
        if is_too_long:
            raise LimitExceeded
        self.read_digits_or_dots(token)

    def read_digits_or_dots(self, token):
        context = self.record.context
        if context.kind in ("turn", "action"):
            self.refuse(token)
        else:
            self.record.add("number", self.text(token))

    def read_dots(self, token):
        context = self.record.context
        is_one = token.end - token.start == 1
        if context.kind == "turn" and context.expects == "dot" and is_one:
            context.expects = "ply"
        elif context.kind == "turn" and context.expects == "ply" and is_one:
            self.report_misplaced(token)
        else:
            self.read_digits_or_dots(token)

    def read_star(self, token):
        context = self.record.context
        if context.kind in ("turn", "action") or context.has_result:
            self.refuse(token)
        else:
            self.end_game(token, "*")

    def read_colon(self, token):
        context = self.record.context
        if context.kind == "action":
            self.read_argument(context, ":")
        else:
            self.bad_token(token)

    def read_argument(self, action, text):
        action.size += len(text.encode("utf-8")) + 1
        if action.size > MOST_BYTES:
            raise LimitExceeded
        self.record.add("argument", text)

    def read_word_of_turn(self, turn, token, text):
        if turn.expects == "ply":
            turn.expects = "address"
            self.read_ply_of_item(token, text)
        elif ADDRESS.fullmatch(text):
            turn.expects = "dot"
            self.record.add("board", text)
        else:
            self.refuse(token)

    def read_ply_of_item(self, token, text):
        if result_of(text) in RESULTS_OF_ITEMS:
            self.record.add("result", text)
        elif is_number(text):
            self.record.context.expects = "ply"
            self.refuse(token)
        else:
            self.add_ply(token, text)

    # Variations

    def read_open_variation(self, token):
        record = self.record
        context = record.context
        if context.kind in ("turn", "action") or context.has_result:
            context.ignored_variations += 1
            self.refuse(token)
            return
        if record.variations == MOST_VARIATIONS:
            raise LimitExceeded
        record.variations += 1
        record.frames.append(Frame("variation", token.start, record.top))
        record.add("open", "variation")

    def read_close_variation(self, token):
        record = self.record
        context = record.context
        if context.ignored_variations:
            context.ignored_variations -= 1
            self.leave_unread(token)
            return
        if context.kind != "variation":
            self.stray(token)
            return
        while record.frames.pop() is not context:
            record.ignored -= 1
        record.variations -= 1
        record.add("close", "variation")

    # Blocks

    def read_open_block(self, token):
        """A `<`: the one token after it decides what it opens."""
        context = self.record.context
        if context.kind == "action" or context.has_result:
            return self.ignore_block(token)
        if context.kind == "turn" and context.expects == "dot":
            # The `>` of this one closes the turn.
            self.refuse(token)
            return token.end
        position = self.tokens.after_spaces(token.end)
        if position == len(self.data):
            return self.ignore_block(token)
        following = self.tokens.token(position)
        if following.kind != "symbol" or following.data:
            return self.ignore_block(token)
        return self.open_block(token, following)

    def open_block(self, token, following):
        """Opens the block that a symbol after `<` names."""
        word = self.text(following)
        is_address = bool(ADDRESS.fullmatch(word))
        is_in_turn = self.record.context.kind == "turn"
        if is_address and (is_in_turn or not self.has_colon(following)):
            self.push_block("turn", token)
            self.record.add("open", "turn")
            return token.end
        if is_in_turn:
            return self.ignore_block(token)
        if word in VERBS:
            self.push_block("action", token)
            self.note_spaces(token.end, following.start)
            self.record.add("open", "action", word)
            return following.end
        if is_address or SQUARE.fullmatch(word):
            return self.open_subgame(token, following, word)
        return self.ignore_block(token)

    def has_colon(self, following):
        return self.data.startswith(b":", following.end)

    def open_subgame(self, token, square, word):
        colon = self.tokens.after_spaces(square.end)
        if not self.data.startswith(b":", colon):
            return self.ignore_block(token)
        if colon - square.end > MOST_SPACES:
            raise LimitExceeded
        self.push_block("subgame", token)
        self.note_spaces(token.end, square.start)
        self.note_spaces(square.end, colon)
        self.record.add("open", "subgame", word)
        self.record.top.last_word = colon
        return colon + 1

    def push_block(self, kind, token):
        record = self.record
        if record.blocks == MOST_BLOCKS:
            raise LimitExceeded
        record.context.expects = "address"
        record.blocks += 1
        record.has_moves = True
        record.frames.append(Frame(kind, token.start, record.top))

    def ignore_block(self, token):
        """A `<` that opens nothing."""
        self.refuse(token)
        self.record.ignored += 1
        self.record.frames.append(Frame("ignored", token.start, self.record.top))
        return token.end

    def read_close_block(self, token):
        record = self.record
        if record.blocks + record.ignored == 0:
            self.stray(token)
            return
        outermost = None
        while record.top.kind == "variation":
            outermost = record.frames.pop()
            record.variations -= 1
            record.fault(outermost.start, "unclosed-bracket")
        if outermost:
            record.doubtful.append((outermost.start, token.start, ("warning",)))
        closed = record.frames.pop()
        if closed.kind == "ignored":
            record.ignored -= 1
            self.leave_unread(token)
            return
        record.blocks -= 1
        record.add("close", closed.kind)
        if closed.kind == "subgame" and not closed.has_result and not outermost:
            self.miss_result(closed)
        record.context.game.last_word = token.start
        self.may_be_suffix = closed.kind == "turn"


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
