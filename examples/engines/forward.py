#!/usr/bin/env python3
"""An engine for the protocol of lines that plays every game by moving forward.

It knows no rules: it asks for the list of legal plies with every `go`, and picks the one that moves a piece
furthest forward, at random among equals. docs/engines.md explains every line.
"""
import json
import random
import re
import sys

# The last two squares of a ply: `e2e4`, `A2.b1c3`, `A.n12a12/B`, `B1C3`, `e7e8q`.
SQUARES = re.compile(r"([a-nA-N])(\d{1,2})([a-nA-N])(\d{1,2})\D*$")


class Engine:
    def __init__(self):
        self.chance = random.Random(1)
        self.plies = 0

    def hello(self, message):
        return {"type": "hello", "protocol": 1, "name": "Forward 1", "legal": True,
                "options": [{"name": "Seed", "default": "1", "help": "Seed of the random choices."}]}

    def option(self, message):
        if message["name"] == "Seed":
            self.chance = random.Random(message["value"])

    def game(self, message):
        self.plies = 0
        return {"type": "ready"}

    def moves(self, message):
        self.plies += len(message["plies"])  # A better engine would play them on its own boards.

    def go(self, message):
        side = 1 if message["seat"].startswith("W") else -1
        worth = [side * advance(ply) for ply in message["legal"]]
        best = max(worth)
        plies = [ply for ply, value in zip(message["legal"], worth) if value == best]
        return {"type": "play", "plies": [self.chance.choice(plies)], "score": 100 * best, "depth": 1}

    def ping(self, message):
        return {"type": "pong", "number": message["number"]}


def advance(ply):
    squares = SQUARES.search(ply)
    return int(squares[4]) - int(squares[2]) if squares else 0


def main():
    engine = Engine()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "quit":
            break
        # Messages without a method here (`over`, `stop`, `error`) need no answer.
        heard = getattr(engine, message["type"], None)
        answer = heard(message) if heard else None
        if answer:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
