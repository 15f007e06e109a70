// A Quarto player in Java to copy: wins when it can, otherwise places and gives at random.
// Play it:  terzo match quarto novice 'engine:java examples/Agent.java' -n 20
import java.util.*;

public class Agent {
    static final int[][] LINES = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {0, 4, 8, 12},
        {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {0, 5, 10, 15}, {3, 6, 9, 12}};
    static final int EMPTY = -1;
    static final Random random = new Random();
    static int[] board = new int[16];  // cells a1, b1, ... d4: a piece 0 to 15, or EMPTY
    static int hand = EMPTY;  // the piece to place

    /** Whether four pieces on a line through the cell then share an attribute. */
    static boolean completes(int cell, int piece) {
        for (int[] line : LINES) {
            int alike = 15, unlike = 15;
            boolean full = true, through = false;
            for (int at : line) {
                int found = at == cell ? piece : board[at];
                through |= at == cell;
                full &= found != EMPTY;
                alike &= found;
                unlike &= ~found;
            }
            if (full && through && (alike | unlike) != 0) return true;
        }
        return false;
    }

    static int piece(String text) { return text.equals("-") ? EMPTY : Integer.parseInt(text, 16); }

    static void readPosition(List<String> words) {
        Arrays.fill(board, hand = EMPTY);
        int next = 2;
        if (words.get(1).equals("fen")) {
            String cells = words.get(2).replace("/", "");
            for (int cell = 0; cell < 16; cell++) board[cell] = cells.charAt(cell) == '.' ? EMPTY : piece(cells.substring(cell, cell + 1));
            hand = piece(words.get(3));
            next = 4;
        }
        for (String turn : words.subList(Math.min(next + 1, words.size()), words.size())) {  // after "moves"
            String[] parts = turn.split("\\.");
            if (!parts[0].equals("-")) board[parts[0].charAt(0) - 'a' + 4 * (parts[0].charAt(1) - '1')] = hand;
            hand = piece(parts[1]);
        }
    }

    static String choose() {
        String place = "-";
        if (hand != EMPTY) {
            List<Integer> empty = new ArrayList<>();
            for (int cell = 0; cell < 16; cell++) if (board[cell] == EMPTY) empty.add(cell);
            Integer win = empty.stream().filter(cell -> completes(cell, hand)).findFirst().orElse(null);
            int cell = win != null ? win : empty.get(random.nextInt(empty.size()));
            place = "" + "abcd".charAt(cell % 4) + (cell / 4 + 1);
            board[cell] = hand;
            if (win != null || empty.size() == 1) return place + ".-";
        }
        List<Integer> left = new ArrayList<>();
        for (int piece = 0; piece < 16; piece++) left.add(piece);
        for (int found : board) left.remove((Integer) found);
        return place + "." + Integer.toHexString(left.get(random.nextInt(left.size())));
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            List<String> words = Arrays.asList(input.nextLine().trim().split("\\s+"));
            switch (words.get(0)) {
                case "ugi": System.out.println("ugiok"); break;
                case "isready": System.out.println("readyok"); break;
                case "position": readPosition(words); break;
                case "go": System.out.println("bestmove " + choose()); break;
                case "quit": return;
            }
            System.out.flush();
        }
    }
}
