import IMDF
import IMDFArchive
import RevisionStore
import VenueMap

/// The indexes of the newest revisions of venues.
typealias SearchIndexes = PreparedVenues<SearchIndex>

extension SearchIndexes {
    convenience init(
        readModel: ReadModel, bytes: Int, clock: @escaping @Sendable () -> ContinuousClock.Instant, metrics: Metrics
    ) {
        let counter = metrics.counter("venue_search_indexes_total", help: "Search indexes that were made.")
        self.init(readModel: readModel, bytes: bytes, contentLimit: .seconds(300), clock: clock, cost: \.cost) {
            features, language, _, shouldStop in
            let reader = JSONReader()
            let map = VenueMap(
                features.map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) }, language: language,
                shouldStop: shouldStop
            ) { shouldStop() ? nil : try? reader.value(of: $0).object }
            let index = SearchIndex(map, shouldStop: shouldStop)
            if !shouldStop() { counter.add() }
            return index
        }
    }
}
