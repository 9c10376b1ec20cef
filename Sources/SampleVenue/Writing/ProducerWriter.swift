import IMDF

/// Writes JSON the way producers do, in a ``ProducerStyle``.
struct ProducerWriter {
    private(set) var bytes: [UInt8] = []
    private let style: ProducerStyle
    private var random = SplitMix64(seed: 0)
    private var depth = 0

    init(_ style: ProducerStyle) {
        self.style = style
        if case .shuffled(let seed) = style.memberOrder { self.random = SplitMix64(seed: seed) }
    }

    /// Appends a FeatureCollection. `name` is the layer name that GDAL writes.
    mutating func append(collection features: [SampleFeature], name: String) {
        let separator = self.style.layout == .indented ? ": " : ":"
        self.append(text: "{\"type\"\(separator)\"FeatureCollection\",")
        if self.style.namesCollections {
            self.append(text: "\"name\"\(separator)")
            self.append(string: name)
            self.append(text: ",")
        }
        self.append(text: "\"features\"\(separator)[")
        self.depth = 1
        for (index, body) in self.style.written(features).enumerated() {
            if index > 0 { self.append(text: ",") }
            if self.style.layout != .compact { self.endLine() }
            self.append(object: body, inCoordinates: false)
        }
        self.depth = 0
        if self.style.layout != .compact { self.endLine() }
        self.append(text: "]}")
        self.endLine()
    }

    /// Appends a single document, such as the manifest.
    mutating func append(document: JSONObject) {
        self.append(object: document, inCoordinates: false)
        self.endLine()
    }

    private mutating func append(_ value: JSONValue, inCoordinates: Bool) {
        switch value {
        case .null: self.append(text: "null")
        case .bool(let value): self.append(text: value ? "true" : "false")
        case .number(let value): self.append(number: value, decimals: inCoordinates ? self.style.minimumDecimals : 0)
        case .string(let value): self.append(string: value)
        case .array(let elements):
            self.append(text: "[")
            for (index, element) in elements.enumerated() {
                if index > 0 { self.append(text: ",") }
                self.append(element, inCoordinates: inCoordinates)
            }
            self.append(text: "]")
        case .object(let object): self.append(object: object, inCoordinates: false)
        }
    }

    private mutating func append(object: JSONObject, inCoordinates: Bool) {
        var members = object.members
        switch self.style.memberOrder {
        case .canonical: break
        case .usual: MemberRank.sort(&members)
        case .shuffled: self.random.shuffle(&members)
        }
        self.append(text: "{")
        self.depth += 1
        for (index, member) in members.enumerated() {
            if index > 0 { self.append(text: ",") }
            if self.style.layout == .indented { self.endLine() }
            self.append(string: member.key)
            self.append(text: self.style.layout == .indented ? ": " : ":")
            self.append(member.value, inCoordinates: inCoordinates || member.key == "coordinates")
        }
        self.depth -= 1
        if self.style.layout == .indented, !members.isEmpty { self.endLine() }
        self.append(text: "}")
    }

    private mutating func endLine() {
        self.append(text: self.style.carriageReturns ? "\r\n" : "\n")
        guard self.style.layout == .indented else { return }
        for _ in 0..<self.depth { self.append(text: "  ") }
    }

    private mutating func append(number: Double, decimals: Int) {
        let start = self.bytes.count
        CanonicalJSON.append(number: number, to: &self.bytes)
        guard decimals > 0 else { return }
        // Slices are not kept in variables: a slice that is alive during an append makes it copy the whole file.
        if self.bytes[start...].contains(UInt8(ascii: "e")) { return }
        let point = self.bytes[start...].firstIndex(of: UInt8(ascii: "."))
        let written = point.map { self.bytes.count - $0 - 1 } ?? 0
        if point == nil { self.append(text: ".") }
        for _ in 0..<max(decimals - written, 0) { self.append(text: "0") }
    }

    private mutating func append(string: String) {
        let start = self.bytes.count
        CanonicalJSON.append(string: string, to: &self.bytes)
        guard self.style.escapesNonASCII, self.bytes[start...].contains(where: { $0 >= 0x80 }) else { return }
        let text = String(decoding: self.bytes[start...], as: UTF8.self)
        self.bytes.removeSubrange(start...)
        for unit in text.utf16 {
            if unit < 0x80 {
                self.bytes.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                self.append(text: "\\u")
                for _ in digits.utf8.count..<4 { self.append(text: "0") }
                self.bytes.append(contentsOf: digits.utf8)
            }
        }
    }

    private mutating func append(text: String) {
        self.bytes.append(contentsOf: text.utf8)
    }
}
