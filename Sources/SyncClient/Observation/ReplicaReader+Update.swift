import GRDB
import IMDF

extension ReplicaReader {
    /// All features of a scope, as added.
    func snapshot(of scope: ReplicaScope) throws -> ReplicaUpdate {
        let (state, part) = (try self.state(), try self.part(of: scope))
        var features = try part.wholeLevels.flatMap { try self.features(on: $0) }
        features += try part.touching.compactMap { try self.feature($0) }
        return ReplicaUpdate(
            revision: state.revision, changes: features.sorted { $0.id < $1.id }.map { .added($0) }, isSnapshot: true,
            commit: state.commits, part: part,
            about: state.about)
    }

    /// The net difference between the replica at a commit and the replica now.
    ///
    /// - Parameter before: What the scope contained at that commit.
    /// - Complexity: Reads the levels that changed since, and the venue-wide part if it is needed for the scope.
    func update(since commit: Int64, before: ReplicaPart, on scope: ReplicaScope) throws -> ReplicaUpdate {
        let state = try self.state()
        guard state.commits > commit else {
            return ReplicaUpdate(
                revision: state.revision, changes: [], isSnapshot: false, commit: commit, part: before,
                about: state.about)
        }
        let part = try self.part(of: scope)
        // Features that existed at that commit and were deleted or replaced since.
        var former: [FeatureID: ReplicaFeature] = [:]
        for feature in try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM former WHERE since <= :commit AND until > :commit",
            ["commit": commit])
        {
            former[feature.id] = feature
        }
        var candidates = Set(former.values.filter { before.contains($0) }.map(\.id))
        candidates.formUnion(try self.written(since: commit, on: part))
        // Features that did not change and yet entered or left the scope.
        candidates.formUnion(before.touching.symmetricDifference(part.touching))
        for level in before.levels.symmetricDifference(part.levels) {
            candidates.formUnion(try self.features(on: level).map(\.id))
        }
        let changes = try candidates.sorted().compactMap { id in
            let (new, since) = try self.version(of: id)
            let old = former[id] ?? (since <= commit ? new : nil)
            return ReplicaChange(
                from: old, wasObserved: old.map(before.contains) ?? false,
                to: new, isObserved: new.map(part.contains) ?? false)
        }
        return ReplicaUpdate(
            revision: state.revision, changes: changes, isSnapshot: false, commit: state.commits, part: part,
            about: state.about)
    }

    /// The features of a part that were written after a commit.
    private func written(since commit: Int64, on part: ReplicaPart) throws -> Set<FeatureID> {
        var written: Set<FeatureID> = []
        for row in try Row.fetchAll(self.db, sql: "SELECT level FROM level WHERE since > ?", arguments: [commit]) {
            let level = try FeatureID?(blob: row[0])
            let isWhole = part.wholeLevels.contains(level)
            guard isWhole || level == nil else { continue }
            let ids = try Row.fetchAll(
                self.db, sql: "SELECT id FROM feature WHERE level = ? AND since > ?", arguments: [level.blob, commit]
            ).compactMap { try FeatureID?(blob: $0[0]) }
            written.formUnion(isWhole ? ids : ids.filter { part.touching.contains($0) })
        }
        return written
    }

    /// A feature, and the commit that wrote it.
    private func version(of id: FeatureID) throws -> (feature: ReplicaFeature?, since: Int64) {
        let statement = try self.db.cachedStatement(
            sql: "SELECT id, level, type, body, since FROM feature WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id.blob]) else { return (nil, .max) }
        return (try ReplicaFeature(row), row[4])
    }
}
