import IMDF
import IMDFArchive
import SampleVenue
import Testing

@Suite struct ReferenceTests {
    private func id(_ number: Int) -> String { "\(Fixture.id(number))" }

    private func settled(
        _ type: String, _ properties: String, others: [Int] = [1, 2, 3], base: Set<FeatureID> = []
    ) throws -> Archive {
        var archive = try Fixture.read([
            ("x.geojson", Fixture.collection([Fixture.feature(9, type, properties: properties)])),
            ("unit.geojson", Fixture.collection(others.map { Fixture.feature($0, "unit") })),
        ])
        archive.resolveReferences(base: base)
        return archive
    }

    @Test(arguments: [
        (#"{"level_id":"ID"}"#, Reference.Role.level), (#"{"level_ids":["ID"]}"#, .levels),
        (#"{"unit_id":"ID"}"#, .unit),
        (#"{"unit_ids":["ID"]}"#, .units), (#"{"anchor_id":"ID"}"#, .anchor), (#"{"building_ids":["ID"]}"#, .buildings),
        (#"{"address_id":"ID"}"#, .address), (#"{"parents":["ID"]}"#, .parents), (#"{"origin":{"id":"ID"}}"#, .origin),
        (#"{"intermediary":[{"id":"ID"}]}"#, .intermediary), (#"{"destination":{"id":"ID"}}"#, .destination),
        (#"{"level_id":["ID"]}"#, .undeclared), (#"{"level_ids":"ID"}"#, .undeclared),
        (#"{"level_ids":[["ID"]]}"#, .undeclared), (#"{"origin":"ID"}"#, .undeclared),
        (#"{"origin":{"opening_id":"ID"}}"#, .undeclared), (#"{"intermediary":{"id":"ID"}}"#, .undeclared),
        (#"{"tags":{"level_id":"ID"}}"#, .undeclared), (#"{"a":[[{"b":"ID"}]]}"#, .undeclared),
        (#"{"id":"ID"}"#, .undeclared),
        (#""ID""#, .undeclared), (#"["ID"]"#, .undeclared), (#"{"l\u0065vel_id":"ID"}"#, .level),
    ])
    func `references: the position of an id determines its role`(
        properties: String, role: Reference.Role
    ) throws {
        for type in ["unit", "navPath"] {
            let archive = try self.settled(type, properties.replacing("ID", with: self.id(2)))
            #expect(archive.references(9) == [Reference(role: role, target: Fixture.id(2))])
        }
    }

    @Test(arguments: [
        #"{"name":"ID"}"#, #"{"name":{"en":"ID"}}"#, #"{"alt_name":{"en":"ID"}}"#, #"{"short_name":{"en":"ID"}}"#,
        #"{"address":"ID"}"#, #"{"address":{"x":["ID"]}}"#, #"{"correlation_id":"ID"}"#,
        #"{"a":{"correlation_id":"ID"}}"#,
        #"{"ID":1}"#, #"{"a":"ID "}"#, #"{"a":"{ID}"}"#,
    ])
    func `references: labels, addresses, correlation ids and keys contain none`(properties: String) throws {
        let upper = properties.replacing("ID", with: self.id(2).uppercased())
        let archive = try self.settled("unit", upper)
        #expect(archive.references(9).isEmpty)
        #expect(archive.body(9)?.contains(#""properties":\#(upper)"#) == true)
    }

    @Test func `references: addresses contain none, and only properties do`() throws {
        #expect(try self.settled("address", #"{"level_id":"\#(self.id(2))"}"#).references(9).isEmpty)
        var archive = try Fixture.read([
            (
                "x.geojson",
                Fixture.collection([
                    #"{"id":"\#(self.id(9))","level_id":"\#(self.id(0))","geometry":{"x":"\#(self.id(0))"}}"#
                ])
            )
        ])
        archive.resolveReferences(base: [])
        #expect(archive.references(9).isEmpty)
    }

    @Test func `references: they are in the order of the body`() throws {
        let properties =
            #"{"z":"\#(self.id(1))","unit_ids":["\#(self.id(3))","\#(self.id(2))"],"a":{"c":"\#(self.id(2))","b":"\#(self.id(1))"}}"#
        #expect(
            try self.settled("amenity", properties).references(9).map(\.target)
                == [1, 2, 3, 2, 1].map { Fixture.id($0) })
    }

    @Test func `references: they become lower case, other ids are unchanged`() throws {
        let known = "0000000a-000B-4000-8000-00000000000C"
        let unknown = "0000000A-0000-4000-8000-0000000000Ff"
        let properties = #"{"level_id":"\#(unknown)","unit_id":"\#(known)","w":"\#(unknown)","x":["\#(known)"]}"#
        var archive = try Fixture.read([
            (
                "unit.geojson",
                Fixture.collection([
                    Fixture.feature(9, "anchor", properties: properties),
                    Fixture.feature(1, "unit").replacing(self.id(1), with: known.uppercased()),
                ])
            )
        ])
        let before = archive.body(9)
        archive.resolveReferences(base: [])
        let target = try #require(FeatureID(known))
        let dangling = try #require(FeatureID(unknown))
        #expect(
            archive.references(9) == [
                Reference(role: .level, target: dangling), Reference(role: .unit, target: target),
                Reference(role: .undeclared, target: target),
            ])
        #expect(archive.body(9) == before?.replacing(known, with: known.lowercased()))
    }

    @Test func `references: they may contain escapes`() throws {
        let target = "0000000a-0000-4000-8000-0000000000ff"
        let spelled = #"{"unit_id":"\u0030\#(target.uppercased().dropFirst())"}"#
        let archive = try self.settled("anchor", spelled, base: [try #require(FeatureID(target))])
        #expect(archive.references(9).map(\.role) == [.unit])
        #expect(archive.body(9)?.contains(#""unit_id":"\#(target)""#) == true)
    }

    @Test func `references: resolving again with another base starts afresh`() throws {
        let other = "0000000A-0000-4000-8000-0000000000FF"
        let target = try #require(FeatureID(other))
        var archive = try self.settled("unit", #"{"x":"\#(other)"}"#)
        let bare = archive
        #expect(archive.references(9).isEmpty)
        archive.resolveReferences(base: [target])
        #expect(archive.references(9) == [Reference(role: .undeclared, target: target)])
        #expect(archive.body(9)?.contains(other.lowercased()) == true)
        archive.resolveReferences(base: [])
        #expect(archive.features == bare.features)
    }

    @Test func `references: a feature may refer to itself`() throws {
        #expect(try self.settled("unit", #"{"id":"\#(self.id(9))"}"#).references(9).map(\.target) == [Fixture.id(9)])
    }

    @Test func `references: a stored body has those of the feature that it came from`() throws {
        let reader = JSONReader()
        for options in [SampleVenue.Options(levels: 2, unitsPerLevel: 12, customExtension: true), .small] {
            var archive = try ArchiveReader().read(bytes: SampleVenue(options).archive())
            archive.resolveReferences(base: [])
            let ids = Set(archive.features.map(\.id))
            for feature in archive.features {
                let found = try reader.references(of: feature.body, type: feature.type)
                let known = found.filter { $0.role != .undeclared || ids.contains($0.target) }
                #expect(known == feature.references)
            }
        }
    }

    @Test(arguments: [
        #"{"name":"ID"}"#, #"{"alt_name":{"en":"ID"}}"#, #"{"address":{"x":["ID"]}}"#,
        #"{"a":{"correlation_id":"ID"}}"#,
        #"{"ID":1}"#, #"{"a":"ID "}"#, #"{"level_id":null}"#, "[]", "null", "7",
    ])
    func `references: archives and stored bodies have the same rules`(properties: String) throws {
        let body = #"{"geometry":{"x":"ID"},"id":"ID","properties":\#(properties),"type":"Feature"}"#
            .replacing("ID", with: self.id(2))
        #expect(try JSONReader().references(of: Array(body.utf8), type: .unit).isEmpty)
        let address = #"{"properties":{"level_id":"\#(self.id(2))"}}"#
        #expect(try JSONReader().references(of: Array(address.utf8), type: .address).isEmpty)
        #expect(try JSONReader().references(of: Array(address.utf8), type: .unit).map(\.role) == [.level])
    }
}
