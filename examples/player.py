#!/usr/bin/env python3
"""A Quarto player to copy: wins when it can, otherwise places and gives at random.

Play it:  terzo match quarto novice 'engine:python3 examples/player.py' -n 20
The board is a list of 16 cells (a1, b1, … d4), each None or a piece 0 to 15; `hand` is the piece to place."""
import random
import sys

LINES = ([[r * 4 + c for c in range(4)] for r in range(4)] + [[r * 4 + c for r in range(4)] for c in range(4)]
         + [[0, 5, 10, 15], [3, 6, 9, 12]])


def completes(board, cell, piece):
    """Whether four pieces on a line through the cell then share an attribute."""
    for line in LINES:
        if cell in line:
            pieces = [piece if c == cell else board[c] for c in line]
            if None not in pieces and any(len({p >> bit & 1 for p in pieces}) == 1 for bit in range(4)):
                return True
    return False


def read_position(words):
    board, hand, moves = [None] * 16, None, []
    if "moves" in words:
        moves, words = words[words.index("moves") + 1:], words[:words.index("moves")]
    if words[0] == "fen":
        board = [None if x == "." else int(x, 16) for x in words[1].replace("/", "")]
        hand = None if words[2] == "-" else int(words[2], 16)
    for move in moves:
        place, give = move.split(".")
        if place != "-":
            board["abcd".index(place[0]) + 4 * (int(place[1]) - 1)] = hand
        hand = None if give == "-" else int(give, 16)
    return board, hand


def choose(board, hand):
    left = [piece for piece in range(16) if piece not in board and piece != hand]
    if hand is None:
        return "-.%x" % random.choice(left)
    empty = [cell for cell in range(16) if board[cell] is None]
    wins = [cell for cell in empty if completes(board, cell, hand)]
    cell = random.choice(wins or empty)
    return "abcd"[cell % 4] + str(cell // 4 + 1) + "." + ("-" if wins or not left else "%x" % random.choice(left))


board, hand = [None] * 16, None
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "position":
        board, hand = read_position(words)
    elif command == "quit":
        break
    elif command == "go":
        print("bestmove " + choose(board, hand), flush=True)
    elif command in ("ugi", "isready"):
        print({"ugi": "ugiok", "isready": "readyok"}[command], flush=True)
