"""Opens tables of overboard in DuckDB, polars and pandas, with one call each, and compares their contents.

`open.py PROGRAM FOLDER FORM...`: the tables are written to FOLDER, in each FORM as a value of `--format`."""

import pathlib
import subprocess
import sys

import duckdb
import pandas
import polars

program, room, forms = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
records = ["history.pgn", "olympic.npgn", "metachess.npgn", "megachess.npgn", "overchess.npgn", "linked.npgn"]
GAMES = [
    ["chess"],
    ["chess960"],
    ["olympic"],
    ["metachess"],
    ["strategichess", "--boards", "3"],
    ["mega-chess"],
    ["recursive", "--level", "2"],
    ["overchess", "--rules", "fog:prisoners"],
]
passed = 0


def made(name, *words):
    """Runs a command and writes its output to a file with this name. Returns the path."""
    path = room / name
    with open(path, "wb") as out:
        subprocess.run([program, *map(str, words)], stdout=out, check=True)
    return str(path)


def opened(path):
    """The names of the columns and the number of rows, as read by each of the three."""
    with_duckdb = duckdb.sql(f"from '{path}'").df()
    with_polars = {"csv": polars.read_csv, "jsonl": polars.read_ndjson, "parquet": polars.read_parquet}
    with_pandas = {
        "csv": pandas.read_csv,
        "jsonl": lambda path: pandas.read_json(path, lines=True),
        "parquet": pandas.read_parquet,
    }
    form = path.rsplit(".", 1)[1]
    whole = {} if form == "parquet" else {"infer_schema_length": None}
    tables = [with_duckdb, with_polars[form](path, **whole), with_pandas[form](path)]
    # JSON objects are unordered, and polars does not keep their order.
    named = sorted if form == "jsonl" else list
    return [(named(table.columns), len(table)) for table in tables]


def same(path, rows, *columns):
    """Asserts that all three read the same columns, these among them, and this number of rows."""
    global passed
    first, second, third = opened(path)
    assert first == second == third, (path, first, second, third)
    assert first[1] == rows, (path, first[1], rows)
    assert set(columns) <= set(first[0]), (path, first[0])
    passed += 1


def of_every_game(form):
    """Tests tables of short games of every kind, which would show a column or type that only one of them has."""
    for name, *options in GAMES:
        booked = room / f"{name}.jsonl"
        words = ["--player", "random", "--pairs", "1", "--max-plies", "40", "--ledger", booked]
        subprocess.run([program, "selfplay", "--variant", name, *options, *words], capture_output=True, check=True)
        rows = lines(made(f"{name}-plies.jsonl", "ledger", "--to", "plies", booked))
        same(made(f"{name}-g.{form}", "ledger", "--to", "games", "--format", form, booked), 2, "ended_by", "plies")
        same(made(f"{name}-p.{form}", "ledger", "--to", "plies", "--format", form, booked), rows, "san", "coord")
        booked.unlink()


def lines(path):
    with open(path, encoding="utf-8") as file:
        return sum(1 for _ in file)


same(str(examples / "selfplay.jsonl"), 6, "game", "moves", "timed", "manifest")
files = [examples / name for name in records]
games = lines(made("games.jsonl", "convert", "--to", "games", *files))
plies = lines(made("plies.jsonl", "convert", "--to", "plies", *files))
ledger = examples / "selfplay.jsonl"
booked = lines(made("booked.jsonl", "ledger", "--to", "plies", ledger))
for form in forms:
    of_games = ("White", "Result", "plies", "ended_by", "material", "sub_games", "white_depletion")
    same(made(f"g.{form}", "convert", "--to", "games", "--format", form, *files), games, *of_games)
    same(made(f"p.{form}", "convert", "--to", "plies", "--format", form, *files), plies, "san", "fen", "side")
    same(made(f"lg.{form}", "ledger", "--to", "games", "--format", form, ledger), 6, "unit", "book", "drops")
    same(made(f"lp.{form}", "ledger", "--to", "plies", "--format", form, ledger), booked, "coord")
    of_every_game(form)

# Statistics of a ledger by SQL.
for form in forms:
    table, of_plies = room / f"lg.{form}", room / f"lp.{form}"
    won = duckdb.sql(f"select count(*) from '{table}' where score = '1-0' and ended_by = 'checkmate'").fetchall()[0]
    assert won == (3,), (form, won)
    drops = duckdb.sql(f"select sum(drops) from '{table}'").fetchall()[0][0]
    counted = duckdb.sql(f"select count(*) from '{of_plies}' where san like '%@%'").fetchall()[0][0]
    assert drops == counted > 0, (form, drops, counted)
    passed += 2
print(f"{passed} passed, 0 failed")
