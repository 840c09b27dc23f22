"""Random games of chess with illegal moves that stand, by python-chess: one JSON object a game.

Each object has the record with [%stands], the same without it, and the position at the end. Illegal moves are made with
`Board.push`, which does not ask whether a move is legal.
"""

import json
import random
import sys

import chess


def legal(board):
    """The legal moves, without captures of a king that an illegal move left attacked."""
    return [m for m in board.legal_moves if board.piece_type_at(m.to_square) != chess.KING]


def illegal(board, chance):
    """An illegal move that can be made: a pinned or careless one if there is any, else a jump; `None` if none is found."""
    allowed = set(board.legal_moves)
    careless = [m for m in board.pseudo_legal_moves if m not in allowed and fits(board, m)]
    if careless and chance.random() < 0.6:
        return chance.choice(careless)
    own = [s for s in chess.SQUARES if board.color_at(s) == board.turn]
    for _ in range(50):
        move = chess.Move(chance.choice(own), chance.randrange(64))
        if move not in allowed and not board.is_pseudo_legal(move) and fits(board, move):
            return move
    return None


def fits(board, move):
    """Whether the position after the move can be played on, and the move can be written without doubt."""
    piece = board.piece_type_at(move.from_square)
    target = board.piece_at(move.to_square)
    if target and (target.color == board.turn or target.piece_type == chess.KING):
        return False
    last = chess.square_rank(move.to_square) in (0, 7)
    if piece == chess.PAWN and (last != bool(move.promotion)):
        return False
    # A pawn that goes sideways to an empty square may have captured in passing, or not.
    sideways = chess.square_file(move.from_square) != chess.square_file(move.to_square)
    if piece == chess.PAWN and sideways and not target and move.to_square != board.ep_square:
        return False
    # Written as a pawn's move is, it may be the legal move of another pawn.
    twins = [m for m in board.legal_moves if m.to_square == move.to_square]
    if piece == chess.PAWN and any(board.piece_type_at(m.from_square) == chess.PAWN for m in twins):
        return False
    # A king that jumps two squares from home may have castled, or not.
    far = chess.square_distance(move.from_square, move.to_square) > 1
    return not (piece == chess.KING and far and move.from_square in (chess.E1, chess.E8))


def castling(board, chance):
    """An illegal castling that can be made, written so, if there is one."""
    home = chess.E1 if board.turn else chess.E8
    if board.king(board.turn) != home:
        return None
    wings = [(home + 2, home + 3, home + 1, "O-O"), (home - 2, home - 4, home - 1, "O-O-O")]
    chance.shuffle(wings)
    for to, rook, beside, word in wings:
        move = chess.Move(home, to)
        stands = board.piece_at(rook) == chess.Piece(chess.ROOK, board.turn)
        free = board.piece_at(to) is None and board.piece_at(beside) is None
        if stands and free and move not in board.legal_moves:
            return move, word
    return None


def written(board, move):
    """The move with its full origin, so that it can mean no other."""
    piece = board.piece_type_at(move.from_square)
    takes = board.piece_at(move.to_square) is not None
    letter = "" if piece == chess.PAWN else chess.piece_symbol(piece).upper()
    origin = chess.square_name(move.from_square)
    if piece == chess.PAWN:
        sideways = chess.square_file(move.from_square) != chess.square_file(move.to_square)
        takes = takes or sideways
        origin = origin[0] if takes else ""
    word = letter + origin + ("x" if takes else "") + chess.square_name(move.to_square)
    return word + ("=" + chess.piece_symbol(move.promotion).upper() if move.promotion else "")


def sign(board):
    if not board.is_check():
        return ""
    return "+" if legal(board) else "#"


def game(seed):
    chance = random.Random(seed)
    board = chess.Board()
    faults = sorted(chance.sample(range(2, 40), chance.randint(1, 3)))
    stands, plain, seeded, comment = [], [], [], True
    for ply in range(chance.randint(45, 70)):
        moves = legal(board)
        if not moves or board.is_insufficient_material() or board.is_fivefold_repetition():
            break
        number = f"{board.fullmove_number}{'.' if board.turn else '...'} " if board.turn or comment else ""
        comment = False
        fault = None
        if faults and ply >= faults[0]:
            faults.pop(0)
            castled = castling(board, chance) if chance.random() < 0.5 else None
            move = castled[0] if castled else illegal(board, chance)
            fault = move and (castled[1] if castled else written(board, move))
        if fault:
            alone = sum(
                board.piece_type_at(s) == chess.PAWN and board.color_at(s) == board.turn
                for s in chess.SQUARES
                if chess.square_file(s) == chess.square_file(move.from_square)
            )
            is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
            seeded.append({"ply": ply + 1, "certain": not is_pawn or alone == 1})
            board.push(move)
            # Whether it gives check is not written: the move is illegal anyway.
            stands.append(f"{number}{fault} {{[%stands {move.uci()}]}}")
            comment = True
            plain.append(f"{number}{fault}")
        else:
            move = chance.choice(moves)
            word = board.san(move).rstrip("+#")
            board.push(move)
            word += sign(board)
            stands.append(number + word)
            plain.append(number + word)
    result = "*"
    if board.is_check() and not legal(board):
        result = "0-1" if board.turn else "1-0"
    elif not legal(board):
        result = "1/2-1/2"
    return {
        "stands": " ".join(stands) + " " + result,
        "plain": " ".join(plain) + " " + result,
        "seeded": seeded,
        "fen": board.fen(),
        "over": result != "*",
    }


for seed in range(int(sys.argv[1])):
    print(json.dumps(game(seed)))
