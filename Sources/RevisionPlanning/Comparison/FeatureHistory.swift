import IMDF
import IMDFArchive
package import IMDFDiff
package import RevisionStore
package import SyncModel

extension HistoryEntry {
    /// - Parameters:
    ///   - previous: The version before, or one that ended earlier: then the feature did not exist in between.
    ///   - overrides: Those of the feature that held when the version began.
    package init(
        _ span: RevisionStore.HistoryEntry, after previous: RevisionStore.HistoryEntry?, overrides: [Override]
    ) throws {
        let body = try JSONReader.value(of: span.body)
        var classes: ChangeClasses = []
        if let previous, previous.end == span.from {
            classes = ChangeClasses(
                from: try JSONReader.value(of: previous.body), on: previous.level, to: body, on: span.level)
        }
        self.init(
            from: span.from, to: span.end.map { $0 - 1 }, level: span.level, author: span.author,
            message: span.message, publishedAt: span.publishedAt, classes: classes.names,
            overrides: Origin.origins(overrides), body: body)
    }
}

extension HistoryEntry.Origin {
    /// The parts of a feature that its overrides made, by their pointers.
    static func origins(_ overrides: [Override]) -> [Self] {
        overrides.sorted { $0.pointer.description < $1.pointer.description }.map {
            Self(pointer: $0.pointer.description, override: $0.id, author: $0.author, message: $0.message)
        }
    }
}
