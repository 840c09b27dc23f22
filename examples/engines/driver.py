#!/usr/bin/env python3
"""Plays a random game of any kind without knowing its rules, which `overboard serve --proto lines` does.

    driver.py overboard overchess
    driver.py overboard strategichess '{"boards": 3}'
    driver.py overboard mega-chess '{"level": 2}' 200

The arguments: the program, the game, further settings of the game, and the maximum number of plies.
"""
import json
import random
import subprocess
import sys


class Board:
    """A game on a server that knows the rules."""

    def __init__(self, program):
        command = [program, "serve", "--proto", "lines"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, kind, **more):
        print(json.dumps({"type": kind, **more}), file=self.server.stdin, flush=True)

    def ask(self, kind, **more):
        self.send(kind, **more)
        answer = json.loads(self.server.stdout.readline())
        if answer["type"] == "error":
            raise ValueError(f"{answer['words']} ({answer.get('rule', answer['code'])})")
        return answer


def main(program, variant, agreed="{}", most="2000"):
    board, chance = Board(program), random.Random(1)
    board.ask("hello", protocol=1)
    board.ask("game", variant=variant, **json.loads(agreed))
    made = []
    while len(made) < int(most):
        plies = board.ask("legal")["plies"]
        if not plies:
            break
        made += board.ask("play", plies=[chance.choice(plies)])["san"]
    over = board.ask("over")
    print(" ".join(made[:12]), "…")
    print(len(made), "plies,", over.get("result", "not over"), over.get("words", ""))
    print(board.ask("position")["fen"])
    board.send("quit")
    return board.server.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
