import Foundation
import IMDF
import IMDFDiff
import Postgres
import SyncModel

/// An override that another one of the same feature covers, as it stands in the row of that one.
struct CoveredOverride: Codable {
    private let id: FeatureID
    private let pointer: String
    private let type: String
    private let name: String?
    private let base: String?
    private let value: String?
    private let source: String?
    private let state: String
    private let orphanedAt: Int64?
    private let author: String
    private let message: String?
    /// Seconds since 1970, to the bit.
    private let since: Double
    private let until: Double?
    private let covered: [CoveredOverride]

    private init(_ override: Override) {
        func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
        self.id = override.id
        self.pointer = override.pointer.description
        self.type = override.witness.type.rawValue
        self.name = text(override.witness.name)
        self.base = text(override.base)
        self.value = text(override.value)
        self.source = text(override.source)
        self.state = override.state.rawValue
        self.orphanedAt = override.orphanedAt
        self.author = override.author
        self.message = override.message
        self.since = override.since.timeIntervalSince1970
        self.until = override.until?.timeIntervalSince1970
        self.covered = override.covered.map(CoveredOverride.init)
    }

    private func override(coveredBy outer: Override) throws -> Override {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        guard let pointer = OverridePointer(self.pointer), let state = Override.State(rawValue: self.state) else {
            throw PostgresError.decoding("a covered override")
        }
        var override = Override(
            id: self.id, feature: outer.feature, pointer: pointer, base: bytes(self.base), value: bytes(self.value),
            source: bytes(self.source), witness: .init(type: FeatureType(rawValue: self.type), name: bytes(self.name)),
            level: outer.level, author: self.author, message: self.message,
            since: Date(timeIntervalSince1970: self.since),
            until: self.until.map { Date(timeIntervalSince1970: $0) })
        override.state = state
        override.orphanedAt = self.orphanedAt
        override.covered = try self.covered.map { try $0.override(coveredBy: override) }
        return override
    }

    /// What an override covers, as JSON; nil if it covers nothing.
    static func text(of override: Override) throws -> String? {
        guard !override.covered.isEmpty else { return nil }
        return String(decoding: try WireJSON.data(override.covered.map(CoveredOverride.init)), as: UTF8.self)
    }

    static func overrides(of text: String, coveredBy override: Override) throws -> [Override] {
        try WireJSON.value([CoveredOverride].self, from: Data(text.utf8)).map { try $0.override(coveredBy: override) }
    }
}
