#!/usr/bin/env python3
"""A player of Stack Four to copy: any column with room. Change GetStep.

    terzo match stack4 'course:env STACK4_PORT={port} python3 examples/course/agent.py' run3 -n 10
"""
import random

import STcpClient


def GetStep(board, is_black):
    return random.choice([(row, column) for row in range(6) for column in range(6) if board[5][row][column] == 0])


while True:
    stop_program, id_package, board, is_black = STcpClient.GetBoard()
    if stop_program:
        break
    STcpClient.SendStep(id_package, GetStep(board, is_black))
