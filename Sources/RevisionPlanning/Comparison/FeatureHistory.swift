import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

extension HistoryEntry {
    /// - Parameter previous: The version before, or one that ended earlier: then the feature did not exist in between.
    package init(_ span: RevisionStore.HistoryEntry, after previous: RevisionStore.HistoryEntry?) throws {
        let body = try JSONReader.value(of: span.body)
        var classes: ChangeClasses = []
        if let previous, previous.end == span.from {
            classes = ChangeClasses(
                from: try JSONReader.value(of: previous.body), on: previous.level, to: body, on: span.level)
        }
        self.init(
            from: span.from, to: span.end.map { $0 - 1 }, level: span.level, author: span.author,
            message: span.message, publishedAt: span.publishedAt, classes: classes.names, body: body)
    }
}
