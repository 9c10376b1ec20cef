import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Which part of a difference is asked for, and whether with bodies.
struct DiffQuery {
    let levels: LevelSelection
    /// Only features with a greater id.
    let after: FeatureID?
    let limit: Int
    let withBodies: Bool

    init(_ request: Request) throws {
        let query = QueryValues(request)
        self.levels = try query.levels()
        self.after = try query.text("after").map { text in
            guard let id = FeatureID(text) else { throw Problem.parameter("after", "It takes a feature's id.") }
            return id
        }
        self.limit = try query.limit(default: 1_000, most: 10_000)
        self.withBodies = try query.flag("bodies", default: true)
    }
}

extension RevisionComparison {
    /// A page of the difference, and whether it is the last one. The words tell of the whole difference, and stand on the first
    /// page only.
    func page(_ query: DiffQuery, words: ChangeWords) async throws -> (diff: RevisionDiff, isLast: Bool) {
        let (changes, isLast) = try await self.page(
            levels: self.levels(selectedBy: query.levels), after: query.after, limit: query.limit,
            withBodies: query.withBodies)
        var sentences: [String] = []
        if query.after == nil {
            sentences = try await words.words(of: self.summary().facts, in: self.venue, at: max(self.from, self.to))
        }
        let diff = RevisionDiff(
            venue: self.venue.key, from: self.from, to: self.to, words: sentences, changes: changes, next: nil)
        return (diff, isLast)
    }
}
