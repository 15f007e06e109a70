// A Quarto player in C++ to copy: wins when it can, otherwise places and gives at random.
// Build and play it:  c++ -O2 -o agent examples/agent.cpp && terzo match quarto novice engine:./agent -n 20
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

const int EMPTY = -1;
const int LINES[10][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {0, 4, 8, 12},
                          {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {0, 5, 10, 15}, {3, 6, 9, 12}};
int board[16], hand;  // cells a1, b1, ... d4: a piece 0 to 15 or EMPTY; the piece to place

bool completes(int cell, int piece) {  // whether four pieces on a line through the cell then share an attribute
    for (auto& line : LINES) {
        int alike = 15, unlike = 15, full = 1, through = 0;
        for (int at : line) {
            int found = at == cell ? piece : board[at];
            through |= at == cell, full &= found != EMPTY, alike &= found, unlike &= ~found;
        }
        if (full && through && (alike | unlike)) return true;
    }
    return false;
}

int number(char digit) { return std::string("0123456789abcdef").find(digit); }

void read_position(std::istringstream& words) {
    for (int& cell : board) cell = EMPTY;
    hand = EMPTY;
    std::string word, rows, piece;
    if (words >> word; word == "fen") {
        int cell = 0;
        words >> rows >> piece;
        for (char c : rows)
            if (c != '/') board[cell++] = c == '.' ? EMPTY : number(c);
        hand = piece == "-" ? EMPTY : number(piece[0]);
    }
    while (words >> word) {
        if (word == "moves") continue;
        if (word[0] != '-') board[word[0] - 'a' + 4 * (word[1] - '1')] = hand;
        char given = word[word.find('.') + 1];
        hand = given == '-' ? EMPTY : number(given);
    }
}

std::string choose() {
    std::string place = "-";
    if (hand != EMPTY) {
        std::vector<int> empty;
        int best = EMPTY;
        for (int cell = 0; cell < 16; cell++)
            if (board[cell] == EMPTY) empty.push_back(cell), best = completes(cell, hand) ? cell : best;
        bool won = best != EMPTY;
        if (!won) best = empty[rand() % empty.size()];
        place = std::string(1, "abcd"[best % 4]) + std::to_string(best / 4 + 1);
        board[best] = hand;
        if (won || empty.size() == 1) return place + ".-";
    }
    std::vector<int> left;
    for (int piece = 0; piece < 16; piece++)
        if (std::find(board, board + 16, piece) == board + 16) left.push_back(piece);
    return place + "." + "0123456789abcdef"[left[rand() % left.size()]];
}

int main() {
    srand(time(nullptr));
    for (std::string line, word; std::getline(std::cin, line);) {
        std::istringstream words(line);
        if (!(words >> word)) continue;
        if (word == "ugi") std::cout << "ugiok" << std::endl;  // endl flushes
        else if (word == "isready") std::cout << "readyok" << std::endl;
        else if (word == "position") read_position(words);
        else if (word == "go") std::cout << "bestmove " << choose() << std::endl;
        else if (word == "quit") break;
    }
}
