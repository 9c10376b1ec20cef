import GRDB
import IMDF

extension ReplicaReader {
    /// The net difference between the replica at a commit and the replica now.
    ///
    /// - Parameter commit: -1: from an empty replica.
    ///
    /// - Complexity: Reads the levels that changed since.
    func update(since commit: Int64, on scope: ReplicaScope) throws -> ReplicaUpdate {
        let state = try self.state()
        var changes: [ReplicaChange] = []
        // Features that existed at that commit and were deleted or replaced since.
        var old: [FeatureID: ReplicaFeature] = [:]
        for feature in try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM former WHERE since <= :commit AND until > :commit",
            ["commit": commit])
        {
            old[feature.id] = feature
        }
        for level in try self.levels(since: commit, on: scope) {
            let written = try ReplicaFeature.all(
                self.db, "SELECT id, level, type, body FROM feature WHERE level = ? AND since > ?",
                [level.blob, commit])
            for feature in written {
                let former = old.removeValue(forKey: feature.id)
                if let change = ReplicaChange(from: former, to: feature) { changes.append(change) }
            }
        }
        for feature in old.values where scope.contains(feature.level) {
            if let change = ReplicaChange(from: feature, to: try self.feature(feature.id)) { changes.append(change) }
        }
        return ReplicaUpdate(
            revision: state.revision, changes: changes.sorted { $0.id < $1.id }, isSnapshot: commit < 0,
            commit: state.commits)
    }

    private func levels(since commit: Int64, on scope: ReplicaScope) throws -> [FeatureID?] {
        try Row.fetchAll(self.db, sql: "SELECT level FROM level WHERE since > ?", arguments: [commit])
            .map { try FeatureID?(blob: $0[0]) }.filter { scope.contains($0) }
    }
}

extension ReplicaScope {
    func contains(_ level: FeatureID?) -> Bool {
        switch self {
        case .everything: true
        case .level(let observed): observed == level
        }
    }
}
