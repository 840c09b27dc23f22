"""Runs the commands of docs/questions.md and compares their answers with what the page shows and with other computations.

`questions.py PAGE`: in an empty folder, with `overboard`, `duckdb` and `python3` with polars found by their names."""

import collections
import csv
import io
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
POINTS = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}


def run(command):
    done = subprocess.run(["bash", "-ec", command], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def answers():
    """Runs all commands, compares what they print with what the page shows, and returns it by the number of the question."""
    found, question = {}, 0
    blocks = re.compile(r"^## (\d+)\.|^```(sh|text)\n(.*?)^```$", re.M | re.S)
    for number, language, text in blocks.findall(page):
        if number:
            question = int(number)
        elif language == "sh":
            found[question] = run(text)
        else:
            assert found[question] == text, f"question {question}:\n{found[question]}\nshown:\n{text}"
    return {number: list(csv.DictReader(io.StringIO(text))) for number, text in found.items()}


def ledger(name):
    with open(f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def records(name):
    return run(f"overboard ledger --to npgn {name}.jsonl")


def counted(rows, *names):
    """The last column as a number, by the values of these."""
    last = list(rows[0])[-1]
    return {tuple(row[name] for name in names): float(row[last]) for row in rows}


def same(number, ours, theirs):
    assert ours == theirs, f"question {number}: {ours} and {theirs}"
    print(f"question {number}: the same")


found = answers()
chess, linked, over, timed = map(ledger, ["chess", "linked", "over", "timed"])
assert sorted(found) == list(range(11)), sorted(found)

shares = collections.defaultdict(list)
for game in chess:
    shares[game["unit"]].append(POINTS[game["result"]])
shares = [statistics.mean(points) for points in shares.values()]
half = 1.96 * statistics.pstdev(shares) / len(shares) ** 0.5
[row] = found[1]
same(1, [float(value) for value in row.values()], [len(shares), round(statistics.mean(shares), 4), round(half, 4)])

lengths = sorted(len(game["moves"].split()) for game in chess)
middle = lengths[(len(lengths) - 1) // 2]
[row] = found[2]
expected = [len(lengths), lengths[0], middle, statistics.mean(lengths), lengths[-1]]
same(2, [float(value) for value in row.values()], expected)

# The rules are those that `check` names for the records.
pathlib.Path("chess.npgn").write_text(records("chess"))
judged = subprocess.run(["overboard", "check", "--json", "chess.npgn"], stdout=subprocess.PIPE).stdout
rules = [json.loads(line)["result"]["rule"] for line in judged.decode().splitlines()[:-1]]
ends = collections.Counter((game["termination"], rule or "", game["result"]) for game, rule in zip(chess, rules))
same(3, counted(found[3], "ended_by", "rule", "result"), dict(ends))

# Captures as they are written in the records.
movetext = re.sub(r"\{[^}]*\}|^\[.*$", "", records("chess"), flags=re.M)
squares = collections.Counter(re.findall(r"x([a-h][1-8])", movetext))
most = sorted(squares.items(), key=lambda item: (-item[1], item[0]))[:5]
same(4, counted(found[4], "square"), {(square,): count for square, count in most})

# Sub-games as blocks of the records, in order; `show` lists the positions with which they begin.
pathlib.Path("over.npgn").write_text(records("over"))
shares = collections.defaultdict(list)
for number, game in enumerate(records("over").split("[Event ")[1:], 1):
    blocks = re.findall(r"<[a-h][1-8]:([^<>]*)>", game)
    moments = map(json.loads, run(f"overboard show --list --json --game {number} over.npgn").splitlines())
    begun = [moment["fen"].split()[0] for moment in moments if moment["at"].endswith(".start")]
    assert len(blocks) == len(begun), (number, len(blocks), len(begun))
    for block, board in zip(blocks, begun):
        result = block.split()[-1]
        if result in POINTS:
            pieces = [sum(map(is_side, board)) for is_side in (str.isupper, str.islower)]
            shares[(pieces[0] > pieces[1]) - (pieces[0] < pieces[1])].append(POINTS[result])
expected = {ahead: (len(points), round(statistics.mean(points), 3)) for ahead, points in shares.items()}
same(5, {int(row["ahead"]): (int(row["sub_games"]), float(row["share"])) for row in found[5]}, expected)

boards = collections.Counter(ply[0] for game in linked for ply in game["moves"].split())
plies = {(row["board"],): int(row["plies"]) for row in found[6]}
same(6, plies, {(board,): count for board, count in boards.items()})
assert all(float(row["per_game"]) == round(boards[row["board"]] / len(linked), 1) for row in found[6])

moved = [ply for game in linked for ply in game["moves"].split() if "/" in ply]
moved = collections.Counter((ply[0], ply.split("/")[1]) for ply in moved)
same(7, counted(found[7], "from_board", "to_board"), dict(moved))

# Legal moves as they are listed for each position.
fens = run("overboard convert --to fen chess.npgn").split("\n\n")
choices = collections.defaultdict(list)
for game in filter(None, map(str.strip, fens)):
    first = "\n".join(game.split("\n")[:60])
    pathlib.Path("fens").write_text(first + "\n")
    listed = [json.loads(line)["moves"] for line in run("overboard moves --json --fens fens").splitlines()]
    # In the last position of a game no ply is made.
    made = len(game.split("\n")) - 1
    for ply, moves in enumerate(listed[:made]):
        choices[ply // 10 * 10 + 1].append(len(moves))
means = {(str(ply),): (round(statistics.mean(counts), 2), len(counts)) for ply, counts in choices.items()}
same(8, {(row["from_ply"],): (float(row["branching"]), int(row["positions"])) for row in found[8]}, means)

scores = collections.defaultdict(list)
for game in chess:
    # The twentieth ply is Black's. A mate is no number of pawns.
    score = game["score"][19] if len(game["score"]) > 19 else None
    if score is not None and abs(score) < 900_000:
        pawns = -score / 100
        # DuckDB rounds halves away from zero.
        pawns = int(abs(pawns) + 0.5) * (1 if pawns >= 0 else -1)
        scores[max(-4, min(4, pawns))].append(POINTS[game["result"]])
expected = {pawns: (len(points), round(statistics.mean(points), 3)) for pawns, points in scores.items()}
same(9, {int(float(row["pawns"])): (int(row["games"]), float(row["share"])) for row in found[9]}, expected)

times = collections.defaultdict(list)
for game in timed:
    for ply, seconds in enumerate(game["time"]):
        player = game["black"] if ply % 2 else game["white"]
        if seconds is not None:
            # A row rounds half a millisecond up, where Python's `round` goes by what a float holds below its last shown digit.
            times[player, str(ply // 20 * 20 + 1)].append(math.floor(seconds * 1000 + 0.5) / 1000)
expected = {key: (len(all), round(sum(all), 3), round(max(all), 3)) for key, all in times.items()}
ours = {
    (row["player"], row["from_ply"]): (int(row["plies"]), float(row["seconds"]), float(row["longest"])) for row in found[10]
}
same(10, ours, expected)
print("10 passed, 0 failed")
