"""Stack Four's course from Python 3, on any system: GetBoard and SendStep, with nothing to install.

    STACK4_PORT=9000 STACK4_TEAM=7 python3 agent.py        the server's port (8888) and the number of your team (0)
    STACK4_HOST=192.168.0.5 python3 agent.py               a server elsewhere (127.0.0.1)
"""
import os
import socket
import struct
import time

SIDE = 6
NUMBERS = 2 + SIDE ** 3 + 1  # code, package, cells, colour

_connection = None


def _connect(seconds):
    """Connects and says our team number; a server that is not up yet is asked again, for so many seconds."""
    global _connection
    address = os.environ.get("STACK4_HOST", "127.0.0.1"), int(os.environ.get("STACK4_PORT", "8888"))
    deadline = time.monotonic() + seconds
    while True:
        try:
            _connection = socket.create_connection(address)
            break
        except OSError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
    _connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _connection.sendall(struct.pack("<i", int(os.environ.get("STACK4_TEAM", "0"))))


def _receive(size):
    data = b""
    while len(data) < size:
        more = _connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the server has hung up")
        data += more
    return data


def _receive_board(wait):
    """Code, package, cells and colour. A stop may be its code alone."""
    if _connection is None:
        _connect(wait)
    data = _receive(4)
    if data != b"\0\0\0\0":
        data += _receive(4 * NUMBERS - 4)
    return struct.unpack("<%di" % (len(data) // 4), data)


def _hang_up():
    global _connection
    if _connection is not None:
        _connection.close()
    _connection = None


def GetBoard():
    """Waits for the next board: (stop, id_package, board, is_black).

    board[layer][row][column] is 0 empty, 1 black, 2 white, -1 missing. Where stop is true the program should end."""
    numbers = (0,)
    for wait in (60, 0):
        try:
            numbers = _receive_board(wait)
            break
        except OSError:
            # Perhaps only the connection is lost: the server takes back who comes at once.
            _hang_up()
    if numbers[0] == 0:
        _hang_up()
        return True, 0, [], False
    cells = iter(numbers[2:-1])
    board = [[[next(cells) for _ in range(SIDE)] for _ in range(SIDE)] for _ in range(SIDE)]
    return False, numbers[1], board, numbers[-1] == 1


def SendStep(id_package, step):
    """Plays a stone into a column: step is (row, column), from 0."""
    answer = struct.pack("<4i", 1, id_package, int(step[0]), int(step[1]))
    try:
        if _connection is not None:
            _connection.sendall(answer)
    except OSError:
        _hang_up()
