import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing

/// A conformance case; its format is described in `Tests/Conformance/README.md`.
struct ConformanceCase: Decodable, CustomTestStringConvertible, Sendable {
    struct Step: Decodable, Sendable {
        /// Nil: unchanged.
        let levels: Selection?
        let disk: String?
        let exchanges: [Exchange]
        let result: String
        let retry_after: Int?
        let replica: Held

        enum CodingKeys: String, CodingKey { case levels, disk, exchanges, result, retry_after, replica }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.levels =
                container.contains(.levels)
                ? Selection(values: try container.decode([String]?.self, forKey: .levels)) : nil
            self.disk = try container.decodeIfPresent(String.self, forKey: .disk)
            self.exchanges = try container.decode([Exchange].self, forKey: .exchanges)
            self.result = try container.decode(String.self, forKey: .result)
            self.retry_after = try container.decodeIfPresent(Int.self, forKey: .retry_after)
            self.replica = try container.decode(Held.self, forKey: .replica)
        }
    }

    struct Selection: Sendable {
        /// Nil: everything.
        let values: [String]?

        var selection: LevelSelection? { LevelSelection(values: self.values ?? []) }
    }

    struct Exchange: Decodable, Sendable {
        struct Request: Decodable, Sendable {
            let path: String
            let since: String?
            let level: [String]
            /// Only in cases about the delta form; nil: the plain form.
            let form: String?
        }

        struct Reply: Decodable, Sendable {
            struct Fault: Decodable, Sendable {
                let cut: Int?
                let reset: Int?
                let delay: Int?
            }

            let status: Int
            let headers: [String: String]
            let body: [String]
            /// The body of a response that is not text.
            let base64: Data?
            let fault: Fault?

            var scripted: ScriptedTransport.Reply {
                var reply = ScriptedTransport.Reply(status: self.status)
                for (name, value) in self.headers { reply.headers[name.lowercased()] = value }
                reply.body = self.base64.map { Array($0) } ?? Array(self.body.map { $0 + "\n" }.joined().utf8)
                reply.cut = self.fault?.cut
                reply.reset = self.fault?.reset
                return reply
            }
        }

        let request: Request
        let reply: Reply
    }

    struct Held: Decodable, Hashable, Sendable {
        struct Level: Decodable, Hashable, Sendable {
            let digest: String
            let bodies: [String]
        }

        let revision: Int64?
        let cursor: String?
        let levels: [String: Level]
    }

    let name: String
    let venue: VenueKey
    let needs: [String]
    let steps: [Step]

    var testDescription: String { self.name }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Conformance")

    static let all: [ConformanceCase] = {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "cases"), includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.compactMap {
            try? JSONDecoder().decode(ConformanceCase.self, from: Data(contentsOf: $0))
        }
    }()
}

extension ReplicaStore {
    /// The content of the replica in the form of a case.
    func held() async throws -> ConformanceCase.Held {
        try await self.read { reader in
            let state = try reader.state()
            var levels: [String: ConformanceCase.Held.Level] = [:]
            for level in try reader.levels() {
                levels[level.level?.description ?? "-"] = .init(
                    digest: try reader.digest(of: level.level).description,
                    bodies: try reader.features(on: level.level).map { String(decoding: $0.body, as: UTF8.self) })
            }
            return .init(revision: state.revision, cursor: state.cursor, levels: levels)
        }
    }
}

extension SyncError {
    /// The class of the error as named in the cases.
    var conformanceClass: String {
        switch self {
        case .unreachable: "unreachable"
        case .unavailable(let status, _): status == 429 || status >= 500 ? "unavailable" : "wrong"
        case .unauthorized: "unauthorized"
        case .unknownVenue: "unknown"
        case .venueGone: "gone"
        case .configuration, .redirected, .refused, .malformed, .contradiction, .wrongDigest: "wrong"
        case .untrusted: "untrusted"
        case .diskFull: "disk-full"
        case .busy, .file: "file"
        }
    }
}
