"""Plays random games of Crazyhouse with python-chess, and prints of each position what it knows, as JSON Lines.

The arguments are how many games to play, and from which seed.
"""

import json
import random
import sys

import chess
import chess.variant


def play(seed):
    chance = random.Random(seed)
    shuffled = seed % 2 == 1
    board = chess.variant.CrazyhouseBoard(chess960=shuffled)
    if shuffled:
        array = chess.Board.from_chess960_pos(chance.randrange(960)).fen()
        board.set_fen(array.replace(" ", "[] ", 1))
    for _ in range(100):
        moves = list(board.legal_moves)
        yield {
            "chess960": shuffled,
            "fen": board.fen(),
            "moves": {board.uci(move): board.san(move) for move in moves},
            "mate": board.is_checkmate(),
            "stalemate": board.is_stalemate(),
            "dead": board.is_insufficient_material(),
        }
        if not moves:
            return
        captures = [move for move in moves if board.is_capture(move)]
        likely = captures if captures and chance.random() < 0.6 else moves
        board.push(chance.choice(likely))


for game in range(int(sys.argv[1])):
    for position in play(int(sys.argv[2]) + game):
        print(json.dumps(position))
