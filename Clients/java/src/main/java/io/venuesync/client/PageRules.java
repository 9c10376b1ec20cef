package io.venuesync.client;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The rules that the pages of a change set have to satisfy. */
final class PageRules {
    private final String venue;
    private final Long revision;
    private final Set<String> cursors = new HashSet<>();
    private final Set<String> levels = new HashSet<>();
    private Wire.Frame frame;
    /** The block that continues on the next page. */
    private Wire.Block open;

    /**
     * @param revision the revision of the replica; null if it is empty
     * @param cursor the cursor of the request for the first page
     */
    PageRules(String venue, Long revision, String cursor) {
        this.venue = venue;
        this.revision = revision;
        cursors.add(cursor);
    }

    /** @throws HistoryLostException if the change set does not continue the revision of the replica */
    void check(Wire.Page page) throws SyncException, HistoryLostException {
        check(page.frame());
        if (!page.isComplete()) {
            require(cursors.add(page.cursor()), "a repeated page");
            require(!page.blocks().isEmpty(), "an empty page that is not the last one");
        }
        int last = page.blocks().size() - 1;
        for (int index = 0; index <= last; index++) {
            check(page.blocks().get(index), index == 0, index == last && !page.isComplete());
        }
        require(!page.isComplete() || open == null, "an incomplete level");
    }

    private void check(Wire.Frame found) throws SyncException, HistoryLostException {
        if (frame != null) {
            require(found.equals(frame), "pages of different change sets");
            return;
        }
        require(found.venue().equals(venue), "a change set for another venue");
        if (revision == null) {
            require(found.from() == null, "changes, although everything was requested");
            require(found.to() >= 1, "a revision before the first one");
        } else if (!revision.equals(found.from()) || found.to() < revision) {
            // No digest covers the number of the revision, and the cursor neither. If those of the replica are wrong, no change set can
            // continue it.
            throw new HistoryLostException(null);
        }
        frame = found;
    }

    private void check(Wire.Block block, boolean isFirst, boolean mayContinue) throws SyncException {
        if (open != null) {
            require(
                isFirst && block.isContinued() && Objects.equals(block.level(), open.level()) && block.kind() == open.kind(),
                "a page is missing or out of order");
            open = null;
        } else {
            require(!block.isContinued(), "a continued level that has not begun");
            require(levels.add(block.level()), "a duplicate level");
        }
        if (block.kind() == Wire.Kind.GONE) {
            require(
                block.digest() == null && block.features().isEmpty() && block.removed().isEmpty(),
                "a removed level with features");
            return;
        }
        require(revision != null || block.kind() == Wire.Kind.SNAPSHOT, "changes of a level that is not held");
        if (block.digest() == null) {
            require(mayContinue, "a level without a digest");
            open = block;
        }
    }

    private static void require(boolean condition, String message) throws SyncException {
        if (!condition) {
            throw SyncException.invalidResponse(message);
        }
    }
}
