package io.venuesync.client;

import java.util.List;
import java.util.Set;

final class LevelSelectionTests {
    private static final List<Level> HELD = List.of(
        new Level(null, null, null, null, "d"), new Level(Pages.GROUND, 0, null, null, "d"), new Level(Pages.FIRST, 1, null, null, "d"),
        new Level(Pages.id("f2"), 1, null, null, "d"));

    @Test("Invalid level names are refused")
    void names() {
        for (String name : List.of("", "Venue", "ordinal:", "ordinal:x", "f0", "ordinal:1&since=x")) {
            Check.raises(IllegalArgumentException.class, () -> LevelSelection.of(name));
        }
        Check.same(LevelSelection.of(Pages.GROUND.toUpperCase()).names(), Set.of(Pages.GROUND), "an id in upper case");
        Check.same(LevelSelection.of(), LevelSelection.VENUE_WIDE, "no name");
    }

    @Test("Dropping a level keeps the other levels of an ordinal or of everything")
    void dropping() {
        LevelSelection first = LevelSelection.of(Pages.FIRST);
        Check.same(LevelSelection.EVERYTHING.dropping(first, HELD), LevelSelection.of(Pages.GROUND, Pages.id("f2")), "of everything");
        Check.same(
            LevelSelection.of("ordinal:1", "ordinal:0").dropping(first, HELD), LevelSelection.of("ordinal:0", Pages.id("f2")),
            "of an ordinal");
        Check.same(LevelSelection.of(Pages.FIRST).dropping(first, HELD), LevelSelection.VENUE_WIDE, "of itself");
        Check.same(
            LevelSelection.of(Pages.FIRST, Pages.GROUND).dropping(LevelSelection.of("ordinal:1"), HELD), LevelSelection.of(Pages.GROUND),
            "by its ordinal");
    }

    @Test("A selection is restored as it was stored")
    void stored() {
        for (LevelSelection selection : List.of(LevelSelection.EVERYTHING, LevelSelection.of("ordinal:-1", Pages.FIRST))) {
            Check.same(LevelSelection.stored(selection.toString()), selection, "the selection");
        }
    }
}
