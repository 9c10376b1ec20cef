import IMDF
import IMDFDiff
import Testing

struct DifferenceDigestTests {
    private static func id(_ number: UInt64) -> FeatureID {
        FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
    }

    private static func digest(_ text: String) -> Digest { Digest(of: text.utf8) }

    private static func stored(_ number: UInt64, body: String = "before") -> StoredFeature {
        StoredFeature(
            id: self.id(number), type: .unit, level: self.id(9), touches: [], depth: 0,
            bodyDigest: self.digest(body))
    }

    private static func version(_ number: UInt64, body: String = "after") -> FeatureVersion {
        FeatureVersion(
            id: self.id(number), type: .unit, level: self.id(9), touches: [], depth: 0,
            body: .new(Array(body.utf8)), bodyDigest: self.digest(body))
    }

    private static func change(
        _ number: UInt64, _ kind: Change.Kind = .changed, type: FeatureType = .unit, from: UInt64? = 9, to: UInt64? = 9,
        classes: ChangeClasses = .name
    ) -> Change {
        Change(
            id: self.id(number), kind: kind, type: type, levelBefore: from.map(self.id), levelAfter: to.map(self.id),
            classes: classes)
    }

    private static func difference(_ changes: [Change], _ versions: [FeatureVersion]) -> Difference {
        Difference(changes: changes, versions: versions, equivalent: [])
    }

    @Test func `difference digest: every change of a feature changes it`() {
        let plain = [Self.change(1)]
        let manifest: (before: [UInt8]?, after: [UInt8]?) = (nil, [1])
        let other: (before: [UInt8]?, after: [UInt8]?) = ([1], [2])
        let digests = [
            Self.difference(plain, [Self.version(1)]).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([], []).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([Self.change(2)], [Self.version(2)]).digest(over: [Self.stored(2)], manifest: nil),
            Self.difference(plain, [Self.version(1, body: "else")]).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference(plain, [Self.version(1)]).digest(over: [Self.stored(1, body: "else")], manifest: nil),
            Self.difference([Self.change(1, type: .kiosk)], [Self.version(1)])
                .digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([Self.change(1, from: 8)], [Self.version(1)]).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([Self.change(1, to: nil)], [Self.version(1)]).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([Self.change(1, classes: .hours)], [Self.version(1)])
                .digest(over: [Self.stored(1)], manifest: nil),
            Self.difference([Self.change(1, .removed)], []).digest(over: [Self.stored(1)], manifest: nil),
            Self.difference(plain, [Self.version(1)]).digest(over: [Self.stored(1)], manifest: manifest),
            Self.difference(plain, [Self.version(1)]).digest(over: [Self.stored(1)], manifest: other),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test func `difference digest: unchanged features do not affect it`() {
        let plain = Self.difference([Self.change(3)], [Self.version(3)])
        let withOthers = Self.difference([Self.change(3)], [Self.version(2), Self.version(3), Self.version(5)])
        let digest = plain.digest(over: [Self.stored(3)], manifest: nil)
        #expect(
            withOthers.digest(over: (1...7).map { Self.stored($0) }, manifest: nil) == digest)
    }

    @Test func `difference digest: no name of a type makes two differences collide`() {
        let odd = FeatureType(rawValue: "unit\n36 ")
        let one = Self.difference([Self.change(1, type: odd)], []).digest(over: [], manifest: nil)
        let two = Self.difference([Self.change(1, type: .unit)], []).digest(over: [], manifest: nil)
        #expect(one != two)
    }
}
