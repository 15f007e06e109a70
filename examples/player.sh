#!/bin/sh
# A Quarto player in plain shell to copy: wins when it can, else the first cell and piece.
# Play it:  terzo match quarto novice 'engine:sh examples/player.sh' -n 4
# The board is 16 letters, a1 b1 … d4: a piece 0 to f, or . where the cell is empty.
lines='0 1 2 3  4 5 6 7  8 9 10 11  12 13 14 15  0 4 8 12  1 5 9 13  2 6 10 14  3 7 11 15  0 5 10 15  3 6 9 12'

at() { # at CELL: what lies there
    rest=$board i=$1
    while [ "$i" -gt 0 ]; do rest=${rest#?} i=$((i - 1)); done
    found=${rest%"${rest#?}"}
}

put() { # put CELL PIECE
    after=$board before='' i=$1
    while [ "$i" -gt 0 ]; do before=$before${after%"${after#?}"} after=${after#?} i=$((i - 1)); done
    board=$before$2${after#?}
}

complete() { # whether four pieces on a line share an attribute
    set -- $lines; while [ $# -gt 0 ]; do
        alike=15 unlike=15
        for cell in $1 $2 $3 $4; do
            at "$cell"
            if [ "$found" = . ]; then alike=0 unlike=0; else
                alike=$((alike & 0x$found)) unlike=$((unlike & ~0x$found))
            fi
        done
        if [ $((alike | unlike)) -ne 0 ]; then return 0; fi; shift 4
    done; return 1
}

choose() {
    give=- place=-
    if [ "$hand" != - ]; then
        old=$board first=''
        for cell_name in a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4; do
            n=$(( $(printf %d "'${cell_name%?}") - 97 + 4 * (${cell_name#?} - 1) ))
            board=$old; at $n; [ "$found" = . ] || continue
            put $n "$hand"
            if complete; then echo "bestmove $cell_name.-"; return; fi
            first=${first:-$cell_name.$board}
        done
        place=${first%%.*} board=${first#*.}
    fi
    for piece in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do
        case $board$hand in *$piece*) ;; *) give=$piece; break ;; esac
    done
    echo "bestmove $place.$give"
}

position() { # position startpos|fen BOARD HAND [moves TURN...]
    board=................ hand=-
    if [ "$1" = fen ]; then board=$(echo "$2" | tr -d /) hand=$3; shift 2; fi
    for turn; do
        case $turn in *.*) ;; *) continue ;; esac
        cell=${turn%.*}
        if [ "$cell" != - ]; then put $(( $(printf %d "'${cell%?}") - 97 + 4 * (${cell#?} - 1) )) "$hand"; fi
        hand=${turn#*.}
    done
}

while read -r command rest; do
    case $command in
    ugi) echo 'id name shell'; echo ugiok ;;
    isready) echo readyok ;;
    position) position $rest ;;
    go) choose ;;
    quit) exit ;;
    esac
done
