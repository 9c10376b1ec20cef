import SyncModel

// Who changes a venue, and why, is for those who may publish to it. Others get the same responses with null in these places.

extension Revision {
    func withAuthor(_ isShown: Bool) -> Revision {
        var revision = self
        if !isShown { (revision.author, revision.message) = (nil, nil) }
        return revision
    }
}

extension HistoryEntry {
    func withAuthors(_ isShown: Bool) -> HistoryEntry {
        var entry = self
        entry.overrides = entry.overrides.withAuthors(isShown)
        if !isShown { (entry.author, entry.message) = (nil, nil) }
        return entry
    }
}

extension [HistoryEntry.Origin] {
    func withAuthors(_ areShown: Bool) -> Self {
        if areShown { return self }
        return self.map { .init(pointer: $0.pointer, override: $0.override, author: nil, message: nil) }
    }
}
