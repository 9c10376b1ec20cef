import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import Ingestion
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

extension EditStory {
    /// The story as the oracle reads it.
    var json: JSONValue {
        let levels = Self.levelsOfTargets.map { target, level in
            JSONObject.Member(key: Handmade.id(target).description, value: Handmade.reference(level))
        }
        return [
            "mode": .string(self.mode), "levels": .object(JSONObject(levels)),
            "steps": .array(self.steps.map(Self.json(of:))),
        ]
    }

    private static func json(of features: [Int: JSONValue]) -> JSONValue {
        .object(JSONObject(features.map { .init(key: Handmade.id($0.key).description, value: $0.value) }))
    }

    private static func json(of step: Step) -> JSONValue {
        func id(_ number: Int) -> JSONValue { Handmade.reference(number) }
        func hour(_ hour: Int?) -> JSONValue { hour.map { .number(Double($0)) } ?? .null }
        return switch step {
        case .upload(let features, let isPublished):
            ["upload", self.json(of: features), isPublished ? "publish" : "discard"]
        case .remint(let features, _): ["remint", self.json(of: features)]
        case .patch(let number, let patch, let until): ["patch", id(number), patch, hour(until)]
        case .add(let number, let feature, let until): ["add", id(number), feature, hour(until)]
        case .hide(let number, let until): ["hide", id(number), hour(until)]
        case .show(let number): ["show", id(number)]
        case .revert(let number): ["revert", id(number)]
        case .resolve(let number, let pointer, let take): ["resolve", id(number), .string(pointer), .string(take)]
        case .expire(let hour): ["expire", .number(Double(hour))]
        case .rollback(let revision): ["rollback", .number(Double(revision))]
        case .rollbackLevel(let revision, let level): ["rollback_level", .number(Double(revision)), id(level)]
        }
    }

    private static let start = Date(timeIntervalSince1970: 4_102_444_800)

    private static func time(_ hour: Int) -> Date { Self.start.addingTimeInterval(Double(hour) * 3_600) }

    /// Runs the story on a venue of its own.
    func run(as venue: String, expecting states: [JSONValue]) async throws {
        let harness = Harness.current
        for (number, (step, expected)) in zip(self.steps, states).enumerated() {
            let isAccepted = try await self.run(step, on: venue)
            if number == 0 {
                try await harness.set("overrides", to: .string(self.mode), of: venue)
                try await harness.set("removal_guard", to: false, of: venue)
            }
            let comment = Comment(rawValue: "\(venue) step \(number): \(self.steps[0...number].map(Self.json(of:)))")
            #expect(isAccepted == (expected["accepted"]?.bool ?? false), comment)
            try #require(try await Self.state(of: venue) == expected.without("accepted"), comment)
        }
    }

    private func run(_ step: Step, on venue: String) async throws -> Bool {
        let (harness, path) = (Harness.current, "/venues/\(venue)")
        func edit(_ edit: JSONValue, until hour: Int? = nil) async throws -> Bool {
            let until: JSONValue = hour.map { .string(Timestamp.text(of: Self.time($0))) } ?? .null
            let response = try await harness.send(
                .post, "\(path)/edits", json: ["edits": [edit], "until": until, "force": true])
            return response.status.kind == .successful
        }
        switch step {
        case .upload(let features, let isPublished):
            return try await Self.upload(Array(features.values), to: venue, isPublished: isPublished)
        case .remint(let features, let ids):
            let reminted = features.map { number, feature -> JSONValue in
                guard let id = ids[number], var object = feature.object else { return feature }
                object["id"] = Handmade.reference(id)
                return .object(object)
            }
            return try await Self.upload(reminted, to: venue, isPublished: true, identity: "repair")
        case .patch(let number, let patch, let until):
            return try await edit(["feature": Handmade.reference(number), "patch": patch], until: until)
        case .add(_, let feature, let until): return try await edit(["add": feature], until: until)
        case .hide(let number, let until): return try await edit(["hide": Handmade.reference(number)], until: until)
        case .show(let number): return try await edit(["show": Handmade.reference(number)])
        case .revert(let number): return try await edit(["revert": Handmade.reference(number)])
        case .resolve(let number, let pointer, let take):
            guard let id = try await Self.override(of: venue, number, pointer) else { return false }
            let response =
                take == "end"
                ? try await harness.send(.delete, "\(path)/overrides/\(id)")
                : try await harness.send(.post, "\(path)/overrides/\(id)/resolve", json: ["take": .string(take)])
            return response.status.kind == .successful
        case .expire(let hour):
            try await harness.worker.endExpiredOverrides(at: Self.time(hour))
            return true
        case .rollback(let revision):
            let response = try await harness.send(.post, "\(path)/rollback", json: ["to": .number(Double(revision))])
            return response.status == .created
        case .rollbackLevel(let revision, let level):
            let response = try await harness.send(
                .post, "\(path)/rollback",
                json: ["to": .number(Double(revision)), "levels": [Handmade.reference(level)]])
            return response.status == .created
        }
    }

    /// - Parameter isPublished: Whether the upload is published if it is staged; otherwise it is discarded.
    private static func upload(
        _ features: [JSONValue], to venue: String, isPublished: Bool, identity: String = "trust"
    ) async throws -> Bool {
        let harness = Harness.current
        let zip = try Handmade.zip(features.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") })
        var upload = try await harness.push(
            zip, to: venue, query: "?identity=\(identity)&message=\(FeatureID.random())")
        if upload.state == .staged {
            try #require(upload.reasons == ["overrides"])
            try await self.checkContested(of: upload)
            guard isPublished else {
                let response = try await harness.send(.delete, "/uploads/\(upload.id)")
                try #require(response.status == .noContent)
                return false
            }
            _ = try await harness.send(.post, "/uploads/\(upload.id)/publish?wait=0", json: ["confirm": ["overrides"]])
            while try await harness.worker.workOnce() {}
            upload = try await harness.get(Upload.self, "/uploads/\(upload.id)")
        }
        return [.published, .unchanged].contains(upload.state)
    }

    /// The changes of an upload that is staged because of overrides list what is contested, against what the source says now.
    private static func checkContested(of upload: Upload) async throws {
        let diff = try await Harness.current.get(RevisionDiff.self, "/uploads/\(upload.id)/changes")
        let contested = try #require(diff.overrides)
        #expect(!contested.isEmpty && contested.count <= upload.overrides?.contested ?? 0)
        #expect(contested.allSatisfy { $0.state == .contested && $0.source != $0.base && $0.source != $0.value })
    }

    private static func overrides(of venue: String) async throws -> [OverrideEntry] {
        struct Page: Decodable { let overrides: [OverrideEntry] }
        return try await Harness.current.get(Page.self, "/venues/\(venue)/overrides?limit=1000").overrides
    }

    private static func override(of venue: String, _ number: Int, _ pointer: String) async throws -> FeatureID? {
        try await self.overrides(of: venue).first { $0.feature == Handmade.id(number) && $0.pointer == pointer }?.id
    }

    /// The values that hold again after an override, one after the other.
    private static func covered(by entry: OverrideEntry) -> [JSONValue] {
        entry.covered.flatMap { covered in
            [entry.pointer.isEmpty ? .null : covered.value ?? .null] + self.covered(by: covered)
        }
    }

    /// What the oracle writes about the newest revision.
    private static func state(of venue: String) async throws -> JSONValue {
        let head = try await Harness.current.get(Venue.self, "/venues/\(venue)").head
        let features = try await Harness.current.features(at: head, of: venue).map { body in
            JSONObject.Member(
                key: try Handmade.id(of: body).description, value: try JSONReader.value(of: body).withoutNulls)
        }
        let overrides = try await self.overrides(of: venue).sorted {
            ($0.feature.description, $0.pointer) < ($1.feature.description, $1.pointer)
        }
        return [
            "head": .number(Double(head)), "features": .object(JSONObject(features)),
            "overrides": .array(
                overrides.map { entry in
                    let values =
                        entry.pointer.isEmpty ? [.none, .none, .none] : [entry.base, entry.value, entry.source]
                    return .array(
                        [.string(entry.feature.description), .string(entry.pointer), .string(entry.state.rawValue)]
                            + values.map { $0 ?? .null } + [.array(Self.covered(by: entry))])
                }),
        ]
    }
}

extension JSONValue {
    /// The value without members that are null, at any depth.
    fileprivate var withoutNulls: JSONValue {
        guard let members = self.object?.members else { return self }
        return .object(
            JSONObject(members.filter { !$0.value.isNull }.map { .init(key: $0.key, value: $0.value.withoutNulls) }))
    }

    fileprivate func without(_ key: String) -> JSONValue {
        .object(JSONObject((self.object?.members ?? []).filter { $0.key != key }))
    }
}
