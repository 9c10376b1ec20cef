package io.venuesync.client;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** What has to hold for pages to be one change set; nothing about them is believed otherwise. */
final class PageRules {
    private final String venue;
    private final Long revision;
    private final Set<String> cursors = new HashSet<>();
    private final Set<String> levels = new HashSet<>();
    private Wire.Frame frame;
    /** The block that continues on the next page. */
    private Wire.Block open;

    /**
     * @param revision what the replica holds; null for nothing
     * @param cursor what the first page was asked with
     */
    PageRules(String venue, Long revision, String cursor) {
        this.venue = venue;
        this.revision = revision;
        cursors.add(cursor);
    }

    void check(Wire.Page page) throws SyncException {
        check(page.frame());
        if (!page.isComplete()) {
            require(cursors.add(page.cursor()), "a page that was there already");
            require(!page.blocks().isEmpty(), "an empty page that is not the last");
        }
        int last = page.blocks().size() - 1;
        for (int index = 0; index <= last; index++) {
            check(page.blocks().get(index), index == 0, index == last && !page.isComplete());
        }
        require(!page.isComplete() || open == null, "a level without an end");
    }

    private void check(Wire.Frame found) throws SyncException {
        if (frame != null) {
            require(found.equals(frame), "pages of several change sets");
            return;
        }
        require(found.venue().equals(venue), "a change set of another venue");
        require(Objects.equals(found.from(), revision), "a change set from a revision that is not held");
        require(found.to() >= Math.max(revision == null ? 1 : revision, 1), "a change set back to revision " + found.to());
        frame = found;
    }

    private void check(Wire.Block block, boolean isFirst, boolean mayContinue) throws SyncException {
        if (open != null) {
            require(
                isFirst && block.isContinued() && Objects.equals(block.level(), open.level()) && block.kind() == open.kind(),
                "a page is missing or out of order");
            open = null;
        } else {
            require(!block.isContinued(), "a level continues that has not begun");
            require(levels.add(block.level()), "a level twice");
        }
        if (block.kind() == Wire.Kind.GONE) {
            require(
                block.digest() == null && block.features().isEmpty() && block.removed().isEmpty(),
                "a level that is gone and has features");
            return;
        }
        require(revision != null || block.kind() == Wire.Kind.SNAPSHOT, "changes of a level that is not held");
        if (block.digest() == null) {
            require(mayContinue, "a level without a digest");
            open = block;
        }
    }

    private static void require(boolean condition, String otherwise) throws SyncException {
        if (!condition) {
            throw SyncException.wrongReply(otherwise);
        }
    }
}
