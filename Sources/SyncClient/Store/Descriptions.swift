import Foundation
import IMDF
import SyncModel

// What a developer sees who prints a value: one line, without bodies.

extension ReplicaFeature: CustomStringConvertible {
    public var description: String {
        "\(self.type.rawValue) \(self.id) \(Self.place(self.level)), \(self.body.count) bytes"
    }

    fileprivate static func place(_ level: FeatureID?) -> String {
        level.map { "on level \($0)" } ?? "of the venue-wide part"
    }
}

extension ReplicaLevel: CustomStringConvertible {
    public var description: String {
        let name = self.level.map { "level \($0)" } ?? "the venue-wide part"
        let count = self.features == 1 ? "1 feature" : "\(self.features) features"
        return name + (self.ordinal.map { " with ordinal \($0)" } ?? "") + ", \(count)"
    }
}

extension ReplicaState: CustomStringConvertible {
    public var description: String {
        guard let revision else { return "\(self.venue), not downloaded yet" }
        return "\(self.venue) at revision \(revision), \(self.selection?.description ?? "no levels chosen")"
    }
}

extension ReplicaChange: CustomStringConvertible {
    public var description: String {
        switch self {
        case .added(let new): "added \(new)"
        case .changed(_, let new): "changed \(new)"
        case .moved(let old, let new): "moved \(new), before \(ReplicaFeature.place(old.level))"
        case .removed(let old): "removed \(old)"
        }
    }
}

extension ReplicaUpdate: CustomStringConvertible {
    public var description: String {
        let what = self.isSnapshot ? "a snapshot of \(self.changes.count) features" : "\(self.changes.count) changes"
        return "\(what) at \(self.revision.map { "revision \($0)" } ?? "no revision")"
    }
}

extension SyncReport: CustomStringConvertible {
    public var description: String {
        var text = "revision \(self.from.map { "\($0) to " } ?? "")\(self.to): \(self.changes.added) added, "
        text += "\(self.changes.changed) changed, \(self.changes.removed) removed"
        if !self.dropped.isEmpty { text += ", \(self.dropped.count) levels dropped" }
        if !self.repaired.isEmpty { text += ", \(self.repaired.count) levels repaired" }
        return self.hasStartedOver ? text + ", started over" : text
    }
}

extension ReplicaStatus.Connection: CustomStringConvertible {
    public var description: String {
        switch self {
        case .offline(nil): "offline"
        case .offline(let error?): "offline: \(error)"
        case .connecting: "connecting"
        case .current: "current"
        case .retrying(let error, let date): "retrying at \(Timestamp.text(of: date)): \(error)"
        }
    }
}

extension ReplicaStatus: CustomStringConvertible {
    public var description: String {
        var text = self.connection.description
        if self.isDamaged { text += ", the file was damaged and is to be downloaded again" }
        if let lastSync { text += ", last current at \(Timestamp.text(of: lastSync))" }
        if let progress { text += ", \(progress.received) of \(progress.expected.map(String.init) ?? "?") features" }
        return text
    }
}

extension FollowEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .synced(let report): report.description
        case .failed(let error, let pause): "\(error); the next attempt is in \(pause)"
        }
    }
}

extension VenueEdit: CustomStringConvertible {
    public var description: String {
        let features = self.features.map(\.description).joined(separator: ", ")
        return "edit \(self.id.text) of \(features): \(self.state.message(in: "en"))"
    }
}
