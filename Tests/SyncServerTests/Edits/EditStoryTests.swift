import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import IMDFArchive
import Ingestion
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Random stories of uploads, edits, decisions, expiries and rollbacks, compared with a three-way merge in Python that shares no code
/// with the server. `VENUE_EDIT_STORIES` has the number of stories of each of the four parts.
@Suite(.server)
struct EditStoryTests {
    private static let stories =
        ProcessInfo.processInfo.environment["VENUE_EDIT_STORIES"].flatMap { Int($0) } ?? 12

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `edits and uploads have the outcome of an independent three-way merge`(part: UInt64) async throws {
        var random = SplitMix64(seed: 0xED17 &+ part)
        let stories = (0..<Self.stories).map { _ in EditStory(using: &random) }
        for (number, (story, expected)) in zip(stories, try Self.expected(of: stories)).enumerated() {
            try await story.run(as: "story-\(number)", expecting: try #require(expected.array))
        }
    }

    private static func expected(of stories: [EditStory]) throws -> [JSONValue] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(FeatureID.random()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(stories.flatMap { CanonicalJSON.data($0.json) + [0x0A] }).write(to: file)
        let python = Process()
        let output = Pipe()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Oracle/three_way.py")
        python.arguments = ["python3", script.path, file.path]
        python.standardOutput = output
        try python.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        let lines = data.split(separator: 0x0A)
        try #require(lines.count == stories.count)
        return try lines.map { try JSONReader.value(of: Array($0)) }
    }
}

/// A sequence of steps, each of which may be refused.
private struct EditStory {
    enum Step {
        case upload([Int: JSONValue])
        case patch(Int, JSONValue)
        case add(Int, JSONValue)
        case hide(Int), show(Int), revert(Int)
        case resolve(Int, String, String)
        case expire(Int, String)
        case rollback(Int)
    }

    let mode: String
    var steps: [Step] = []

    private static let shops = [6, 7, 9, 20, 21]
    private static let pointers = [
        "/properties/hours", "/properties/phone", "/properties/name/en", "/properties/name/ja", "/properties/category",
        "",
    ]
    private static let hours: [JSONValue] = ["24/7", "off", "Mo-Fr 10:00-20:00"]
    private static let phones: [JSONValue] = ["+81312345678", "+81312345679"]
    private static let categories: [JSONValue] = ["restaurant", "shoestore"]
    private static let names: [JSONValue] = ["A", "B", "C"]

    init(using random: inout SplitMix64) {
        self.mode = Int.random(in: 0..<4, using: &random) == 0 ? "yield" : "keep"
        var source = EditedVenue().features
        for shop in Self.shops.prefix(3) { source[shop] = Self.shop(shop, using: &random) }
        self.steps.append(.upload(source))
        for _ in 0..<Int.random(in: 6..<16, using: &random) {
            self.steps.append(Self.step(&source, count: self.steps.count, using: &random))
        }
    }

    private static func step(
        _ source: inout [Int: JSONValue], count: Int, using random: inout SplitMix64
    ) -> Step {
        let shop = self.shops.randomElement(using: &random) ?? 6
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5:
            for shop in self.shops where Int.random(in: 0..<3, using: &random) == 0 {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    source.removeValue(forKey: shop)
                } else {
                    source[shop] = self.shop(shop, using: &random)
                }
            }
            return .upload(source)
        case 5..<11: return .patch(shop, self.patch(using: &random))
        case 11: return .add(shop, self.shop(shop, using: &random))
        case 12: return .hide(shop)
        case 13: return .show(shop)
        case 14: return .revert(shop)
        case 15, 16:
            return .resolve(
                shop, self.pointers.randomElement(using: &random) ?? "",
                ["mine", "source", "end"].randomElement(using: &random) ?? "end")
        case 17: return .expire(shop, self.pointers.randomElement(using: &random) ?? "")
        default: return .rollback(Int.random(in: 1...max(1, count), using: &random))
        }
    }

    private static func shop(_ number: Int, using random: inout SplitMix64) -> JSONValue {
        var properties: JSONObject = [
            "name": ["en": self.names.randomElement(using: &random) ?? "A"],
            "category": self.categories.randomElement(using: &random) ?? "shoestore",
            "anchor_id": Handmade.reference(EditedVenue.anchor),
        ]
        if Bool.random(using: &random) { properties["hours"] = self.hours.randomElement(using: &random) ?? "off" }
        if Bool.random(using: &random) { properties["phone"] = self.phones.randomElement(using: &random) ?? "off" }
        return Handmade.feature(number, .occupant, .object(properties))
    }

    private static func patch(using random: inout SplitMix64) -> JSONValue {
        var properties: JSONObject = [:]
        if Bool.random(using: &random) {
            properties["hours"] = Bool.random(using: &random) ? .some(.null) : self.hours.randomElement(using: &random)
        }
        if Bool.random(using: &random) { properties["phone"] = self.phones.randomElement(using: &random) }
        if Bool.random(using: &random) {
            let language = Bool.random(using: &random) ? "ja" : "en"
            let text: JSONValue = language == "ja" && Bool.random(using: &random) ? .null : self.names[0]
            properties["name"] = .object([language: text])
        }
        if properties.members.isEmpty { properties["category"] = self.categories.randomElement(using: &random) }
        return ["properties": .object(properties)]
    }
}

extension EditStory {
    /// The story as the oracle reads it.
    var json: JSONValue { ["mode": .string(self.mode), "steps": .array(self.steps.map(Self.json(of:)))] }

    private static func json(of step: Step) -> JSONValue {
        func id(_ number: Int) -> JSONValue { Handmade.reference(number) }
        return switch step {
        case .upload(let features):
            [
                "upload",
                .object(JSONObject(features.map { .init(key: Handmade.id($0.key).description, value: $0.value) })),
            ]
        case .patch(let number, let patch): ["patch", id(number), patch]
        case .add(let number, let feature): ["add", id(number), feature]
        case .hide(let number): ["hide", id(number)]
        case .show(let number): ["show", id(number)]
        case .revert(let number): ["revert", id(number)]
        case .resolve(let number, let pointer, let take): ["resolve", id(number), .string(pointer), .string(take)]
        case .expire(let number, let pointer): ["expire", id(number), .string(pointer)]
        case .rollback(let revision): ["rollback", .number(Double(revision))]
        }
    }

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
        func edit(_ edit: JSONValue) async throws -> Bool {
            try await harness.send(.post, "\(path)/edits", json: ["edits": [edit]]).status.kind == .successful
        }
        switch step {
        case .upload(let features):
            let zip = try Handmade.zip(features.sorted { $0.key < $1.key }.map(\.value))
            let upload = try await harness.push(zip, to: venue, query: "?identity=trust&message=\(FeatureID.random())")
            return [.published, .unchanged].contains(upload.state)
        case .patch(let number, let patch):
            return try await edit(["feature": Handmade.reference(number), "patch": patch])
        case .add(_, let feature): return try await edit(["add": feature])
        case .hide(let number): return try await edit(["hide": Handmade.reference(number)])
        case .show(let number): return try await edit(["show": Handmade.reference(number)])
        case .revert(let number): return try await edit(["revert": Handmade.reference(number)])
        case .resolve(let number, let pointer, let take):
            guard let id = try await Self.override(of: venue, number, pointer) else { return false }
            let response =
                take == "end"
                ? try await harness.send(.delete, "\(path)/overrides/\(id)")
                : try await harness.send(.post, "\(path)/overrides/\(id)/resolve", json: ["take": .string(take)])
            return response.status.kind == .successful
        case .expire(let number, let pointer):
            if let id = try await Self.override(of: venue, number, pointer) {
                _ = try await harness.store.pool.query(
                    """
                    UPDATE feature_override SET expires_at = now() - interval '1 second'
                    WHERE id = \(id) AND to_revision = 9223372036854775807
                        AND venue_id = (SELECT id FROM venue WHERE key = \(venue))
                    """)
            }
            try await harness.worker.endExpiredOverrides()
            return true
        case .rollback(let revision):
            let response = try await harness.send(.post, "\(path)/rollback", json: ["to": .number(Double(revision))])
            return response.status == .created
        }
    }

    private static func overrides(of venue: String) async throws -> [OverrideEntry] {
        struct Page: Decodable { let overrides: [OverrideEntry] }
        return try await Harness.current.get(Page.self, "/venues/\(venue)/overrides?limit=1000").overrides
    }

    private static func override(of venue: String, _ number: Int, _ pointer: String) async throws -> FeatureID? {
        try await self.overrides(of: venue).first { $0.feature == Handmade.id(number) && $0.pointer == pointer }?.id
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
                            + values.map { $0 ?? .null })
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
