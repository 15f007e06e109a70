// A player of Stack Four to copy: any column with room. Change GetStep.
//
//     c++ -O2 -o agent agent.cpp
//     terzo match stack4 'course:env STACK4_PORT={port} ./agent' run3 -n 10
#include "STcpClient.h"

#include <cstdlib>
#include <ctime>

std::vector<int> GetStep(const std::vector<std::vector<std::vector<int>>> &board, bool is_black) {
    (void)is_black;
    std::vector<std::vector<int>> open;
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 6; ++column)
            if (board[5][row][column] == 0) open.push_back({row, column});
    return open[std::rand() % open.size()];
}

int main() {
    std::srand(unsigned(std::time(nullptr)));
    int id_package;
    bool is_black;
    std::vector<std::vector<std::vector<int>>> board;
    while (!GetBoard(id_package, board, is_black)) SendStep(id_package, GetStep(board, is_black));
}
