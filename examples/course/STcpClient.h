// Stack Four's course from C++, for Linux and other POSIX systems: GetBoard and SendStep in one header.
//
//     STACK4_PORT=9000 STACK4_TEAM=7 ./agent        the server's port (8888) and the number of your team (0)
//     STACK4_HOST=192.168.0.5 ./agent               a server elsewhere (127.0.0.1)
//
// Needs nothing but a compiler: c++ -O2 -o agent agent.cpp
#pragma once

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

namespace stcp {

const int SIDE = 6;
const int BOARD = 2 + SIDE * SIDE * SIDE + 1; // code, package, cells, colour

inline std::string setting(const char *name, const char *otherwise) {
    const char *value = std::getenv(name);
    return value && *value ? value : otherwise;
}

// The connection; -1 while there is none.
inline int &connection() {
    static int socket = -1;
    return socket;
}

inline void hang_up() {
    if (connection() >= 0) close(connection());
    connection() = -1;
}

// Numbers are 32 bits, the lowest byte first, whatever this machine likes.
inline bool send_numbers(const std::vector<int32_t> &numbers) {
    std::vector<unsigned char> bytes;
    for (int32_t number : numbers)
        for (int shift = 0; shift < 32; shift += 8) bytes.push_back(uint32_t(number) >> shift & 255);
    for (std::size_t sent = 0; sent < bytes.size();) {
        ssize_t more = send(connection(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (more <= 0) return false;
        sent += more;
    }
    return true;
}

inline bool receive_number(int32_t &number) {
    unsigned char bytes[4];
    for (int got = 0; got < 4;) {
        ssize_t more = recv(connection(), bytes + got, 4 - got, 0);
        if (more <= 0) return false;
        got += int(more);
    }
    number = int32_t(uint32_t(bytes[0]) | uint32_t(bytes[1]) << 8 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[3]) << 24);
    return true;
}

// Connects and says our team number; a server that is not up yet is asked again, for so many seconds.
inline bool connect_within(int seconds) {
    addrinfo hints = addrinfo(), *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    std::string host = setting("STACK4_HOST", "127.0.0.1"), port = setting("STACK4_PORT", "8888");
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return false;
    for (int tenths = 0; connection() < 0; ++tenths) {
        for (addrinfo *one = found; one && connection() < 0; one = one->ai_next) {
            connection() = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
            if (connection() >= 0 && connect(connection(), one->ai_addr, one->ai_addrlen) != 0) hang_up();
        }
        if (connection() < 0) {
            if (tenths >= 10 * seconds) break;
            usleep(100000);
        }
    }
    freeaddrinfo(found);
    if (connection() < 0) return false;
    int yes = 1;
    setsockopt(connection(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return send_numbers({std::atoi(setting("STACK4_TEAM", "0").c_str())});
}

// Code, package, cells and colour. A stop may be its code alone.
inline bool receive_board(std::vector<int32_t> &numbers) {
    numbers.assign(BOARD, 0);
    for (int i = 0; i < BOARD; ++i) {
        if (!receive_number(numbers[i])) return false;
        if (numbers[0] == 0) return true;
    }
    return true;
}

} // namespace stcp

// Waits for the next board: board[layer][row][column] is 0 empty, 1 black, 2 white, -1 missing. True: the program should end.
inline bool GetBoard(int &id_package, std::vector<std::vector<std::vector<int>>> &board, bool &is_black) {
    using namespace stcp;
    std::vector<int32_t> numbers;
    bool there = (connection() >= 0 || connect_within(60)) && receive_board(numbers);
    if (!there) {
        // Perhaps only the connection is lost: the server takes back who comes at once.
        hang_up();
        there = connect_within(0) && receive_board(numbers);
    }
    if (!there || numbers[0] == 0) {
        hang_up();
        return true;
    }
    id_package = numbers[1];
    board.assign(SIDE, std::vector<std::vector<int>>(SIDE, std::vector<int>(SIDE)));
    for (int cell = 0; cell < SIDE * SIDE * SIDE; ++cell)
        board[cell / 36][cell / 6 % 6][cell % 6] = numbers[2 + cell];
    is_black = numbers[BOARD - 1] == 1;
    return false;
}

// Plays a stone into a column: step is {row, column}, from 0.
inline void SendStep(int id_package, const std::vector<int> &step) {
    if (step.size() < 2 || !stcp::send_numbers({1, id_package, step[0], step[1]})) stcp::hang_up();
}
