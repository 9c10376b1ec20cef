import java.util.Scanner;

/** Runs the example for apps.py, as ios/main.swift does. */
final class Main {
    public static void main(String[] arguments) throws Exception {
        FloorTiles tiles = new FloorTiles(arguments[0], Integer.parseInt(arguments[1]), arguments[2], Integer.parseInt(arguments[3]));
        int cleared = 0;
        Scanner input = new Scanner(System.in, "UTF-8");
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ");
            if (words.length == 3) {
                System.out.println(tiles.getTileUrl(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2])));
            } else {
                if (tiles.update()) cleared++;
                System.out.println(cleared);
            }
        }
    }
}
