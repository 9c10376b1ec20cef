package import SyncModel

/// The epoch that a venue had before a promotion of the database.
///
/// A server that is promoted has a prefix of the history of the former primary: what was lost are the last revisions. So a cursor of the
/// former epoch names a revision of the present history, too, if it is not newer than the newest revision that was not lost.
package struct FormerEpoch: Hashable, Sendable {
    package let epoch: Int64
    /// The newest revision of the venue when the epoch was renewed.
    package let last: Int64

    package init(epoch: Int64, last: Int64) {
        self.epoch = epoch
        self.last = last
    }

    /// The number of promotions for which cursors are kept. Older ones get the response to those of another history.
    static let limit = 16

    /// Decodes the column `former_epochs`, in which epochs and revisions alternate.
    static func list(_ values: [Int64]) -> [FormerEpoch] {
        stride(from: 0, to: values.count - 1, by: 2).map { FormerEpoch(epoch: values[$0], last: values[$0 + 1]) }
    }
}

extension VenueRecord {
    /// Whether a revision of an epoch is the one with the same number in the present history.
    package func hasRevision(_ number: Int64, of epoch: Int64) -> Bool {
        epoch == self.epoch || self.formerEpochs.contains { $0.epoch == epoch && number <= $0.last }
    }

    /// The cursor of the present epoch for one of a former epoch that belongs to the present history; nil for any other cursor.
    package func continued(_ cursor: Cursor) -> Cursor? {
        let last = max(cursor.holding?.revision ?? 0, cursor.page?.to ?? 0)
        guard cursor.epoch != self.epoch, self.hasRevision(last, of: cursor.epoch) else { return nil }
        var continued = cursor
        continued.epoch = self.epoch
        return continued
    }
}
