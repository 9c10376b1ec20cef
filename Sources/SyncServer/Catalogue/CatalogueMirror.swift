import RevisionStore

/// The venues as they are now, kept in memory: asking costs one statement that finds nothing when there is no news.
actor CatalogueMirror {
    private let store: RevisionStore
    private var state = CatalogueState()

    init(store: RevisionStore) {
        self.store = store
    }

    /// The state at this moment or after it.
    func current() async throws -> CatalogueState {
        while true {
            let known = self.state.number
            let news = try await self.store.catalogueNews(after: known)
            // Others may have asked meanwhile, and know more or began anew.
            if news.number < known {
                self.state = CatalogueState()  // the database was restored
            } else if known <= self.state.number {
                if news.number > self.state.number { self.state.apply(news) }
                return self.state
            }
        }
    }
}
