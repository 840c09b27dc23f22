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
# Words that DuckDB lets no column be named with.
RESERVED = {word for (word,) in duckdb.sql("select keyword_name from duckdb_keywords() where keyword_category = 'reserved'").fetchall()}
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
    words = RESERVED & {name.lower() for name in first[0]}
    assert not words, (path, words)
    passed += 1


def contents(path):
    """The type of each column that is not empty, how many values it has, and their sum or greatest one."""
    table = duckdb.sql(f"from '{path}'")
    found = {}
    for name, type in zip(table.columns, map(str, table.types)):
        # An empty text is an empty cell in CSV.
        filled = f"nullif(cast(\"{name}\" as varchar), '')"
        gist = f"max({filled})" if type in ("VARCHAR", "JSON") else f"round(sum(\"{name}\"), 6)"
        count, value = duckdb.sql(f"select count({filled}), {gist} from '{path}'").fetchall()[0]
        # CSV does not say whether the value of a tag is a number.
        if name[0].isupper() or name.startswith("tag_"):
            found[name] = count
        elif count:
            found[name] = ("BIGINT" if type == "HUGEINT" else type, count, value)
    return found


def alike(paths):
    """Asserts that tables in several forms have the same columns, types and values."""
    global passed
    first, *others = map(contents, paths)
    for path, other in zip(paths[1:], others):
        assert first == other, (path, {name: (first.get(name), other.get(name)) for name in first | other if first.get(name) != other.get(name)})
        passed += 1


def of_every_game(form):
    """Tests tables of short games of every kind, which would show a column or type that only one of them has."""
    for name, *options in GAMES:
        booked = room / f"{name}.jsonl"
        words = ["--player", "random", "--pairs", "1", "--max-plies", "40", "--ledger", booked]
        subprocess.run([program, "selfplay", "--variant", name, *options, *words], capture_output=True, check=True)
        rows = lines(made(f"{name}-plies.jsonl", "ledger", "--to", "plies", booked))
        same(made(f"{name}-g.{form}", "ledger", "--to", "games", "--format", form, booked), 2, "ended_by", "acts")
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
    of_games = ("white", "tag_Result", "result", "acts", "over_moves", "ended_by", "material", "sub_games", "white_depletion")
    same(made(f"g.{form}", "convert", "--to", "games", "--format", form, *files), games, *of_games)
    same(made(f"p.{form}", "convert", "--to", "plies", "--format", form, *files), plies, "san", "fen", "side", "white")
    same(made(f"lg.{form}", "ledger", "--to", "games", "--format", form, ledger), 6, "unit", "book", "drops")
    same(made(f"lp.{form}", "ledger", "--to", "plies", "--format", form, ledger), booked, "coord")
    of_every_game(form)
same(made("short.csv", "ledger", "--to", "csv", ledger), 6, "run", "game", "acts", "ended_by")
# What players say of plies, which the examples do not have.
said = room / "said.jsonl"
players = ["--player", "search:depth=2", "--player", "search:depth=1", "--pairs", "2", "--max-plies", "60"]
words = [*players, "--annotate", "score,depth,nodes,time", "--ledger", said]
subprocess.run([program, "selfplay", *words], capture_output=True, check=True)
rows = lines(made("said-plies.jsonl", "ledger", "--to", "plies", said))
for form in forms:
    figures = ("eval", "depth", "nodes", "seconds", "choices")
    same(made(f"sp.{form}", "ledger", "--to", "plies", "--choices", "--format", form, said), rows, *figures)
    assert set(figures) <= contents(str(room / f"sp.{form}")).keys(), form
for table in ("g", "p", "lg", "lp", "sp"):
    alike([str(room / f"{table}.{form}") for form in forms])

# Statistics of a ledger by SQL, and games joined with their plies by the one key.
for form in forms:
    table, of_plies = room / f"lg.{form}", room / f"lp.{form}"
    won = duckdb.sql(f"select count(*) from '{table}' where result = '1-0' and ended_by = 'checkmate'").fetchall()[0]
    assert won == (3,), (form, won)
    drops = duckdb.sql(f"select sum(drops) from '{table}'").fetchall()[0][0]
    counted = duckdb.sql(f"select count(*) from '{of_plies}' where san like '%@%'").fetchall()[0][0]
    assert drops == counted > 0, (form, drops, counted)
    for games_file, plies_file in [("g", "p"), ("lg", "lp")]:
        joined = duckdb.sql(
            f"select count(distinct (run, game)), count(*) filter (act = acts) from '{room / games_file}.{form}'"
            f" join '{room / plies_file}.{form}' as plies using (run, game)"
            " where kind = 'end' and coalesce(path, '') = ''"
        ).fetchall()[0]
        expected = games if games_file == "g" else 6
        assert joined == (expected, expected), (form, games_file, joined)
        passed += 1
    passed += 2
print(f"{passed} passed, 0 failed")
