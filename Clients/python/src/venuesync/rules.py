"""The rules that the pages of a change set have to satisfy."""

from __future__ import annotations

from typing import Optional, Set, Tuple

from .errors import Contradiction, HistoryLost, Malformed
from .wire import Block, Frame, Page


class PageRules:
    """Checks the pages of one change set in order, before they are applied."""

    def __init__(self, venue: str, revision: Optional[int], cursor: Optional[str]) -> None:
        """The revision of the replica, and the cursor of the request for the first page; None if the replica is empty."""
        self._venue = venue
        self._revision = revision
        self._cursors = {cursor}
        self._frame: Optional[Frame] = None
        self._levels: Set[Optional[str]] = set()
        # The block that continues on the next page.
        self._open: Optional[Tuple[Optional[str], str]] = None

    def check(self, page: Page) -> None:
        """Raises `Contradiction` or `Malformed`, or `HistoryLost` if the change set does not continue the revision of the replica."""
        self._check_frame(page.frame)
        if not page.is_complete:
            if page.cursor is not None and page.cursor in self._cursors:
                raise Contradiction("a repeated page")
            if not page.blocks:
                raise Malformed("an empty page that is not the last one")
            self._cursors.add(page.cursor)
        for index, block in enumerate(page.blocks):
            self._check_block(block, is_first=index == 0, is_last=index == len(page.blocks) - 1, page=page)
        if page.is_complete and self._open is not None:
            raise Malformed("an incomplete level")

    def _check_frame(self, frame: Frame) -> None:
        if self._frame is not None:
            if frame != self._frame:
                raise Contradiction("pages of different change sets")
            return
        if frame.venue != self._venue:
            raise Contradiction(f"a change set for the venue “{frame.venue[:64]}”")
        if self._revision is None:
            if frame.from_revision is not None:
                raise Contradiction("changes, although everything was requested")
            if frame.to < 1:
                raise Malformed("a revision before the first one")
        elif frame.from_revision != self._revision or frame.to < self._revision:
            # No digest covers the number of the revision, and the cursor neither. If those of the replica are wrong, no change set can
            # continue it.
            raise HistoryLost(None)
        self._frame = frame

    def _check_block(self, block: Block, is_first: bool, is_last: bool, page: Page) -> None:
        name = (block.level, block.kind)
        if self._open is not None:
            if not (is_first and block.is_continued and name == self._open):
                raise Contradiction("a page is missing or out of order")
            self._open = None
        elif block.is_continued:
            raise Contradiction("a continued level that has not begun")
        elif block.level in self._levels:
            raise Contradiction("a duplicate level")
        self._levels.add(block.level)
        if block.kind == "gone":
            if block.digest is not None or block.bodies or block.removed:
                raise Malformed("a removed level with features")
            return
        if self._revision is None and block.kind == "changes":
            raise Contradiction("changes of a level that is not held")
        if block.digest is None:
            if page.is_complete or not is_last:
                raise Malformed("a level without a digest")
            self._open = name
