import CPictograms
import VenueMap

/// A pictogram of the cartography.
package struct Pictogram: Hashable, Sendable {
    /// Its id in `pictograms.svg`.
    package let id: String

    /// For amenities without a pictogram of their own.
    static let dot = Pictogram(id: "dot")

    private init(id: String) {
        self.id = id
    }

    /// The pictogram of amenities of a category; nil for those without one.
    init?(amenity category: String?) {
        guard let id = category.flatMap({ Cartography.shared.icon(of: $0) }) else { return nil }
        self.init(id: id)
    }

    /// The pictogram of units of a category, in place of a name; nil for those without one.
    init?(unit category: String?) {
        guard let id = category.flatMap({ Cartography.shared.unitIcon(of: $0) }) else { return nil }
        self.init(id: id)
    }

    /// All that have an outline, by id.
    package static let all = Outlines.all.keys.sorted().map { Pictogram(id: $0) }

    /// The outline, to be filled by the non-zero rule, on a square with sides of ``Pictogram/side``; none for the dot.
    package var outline: [PathCommand] { Outlines.all[self.id]?.commands ?? [] }

    /// The outline in the syntax of SVG paths.
    package var path: String { Outlines.all[self.id]?.path ?? "" }

    package static let side = 16.0

    /// `pictograms.svg`.
    static let document: [UInt8] = {
        let file = pictograms_svg()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }()

    private enum Outlines {
        static let all: [String: (path: String, commands: [PathCommand])] = {
            let document = String(decoding: Pictogram.document, as: UTF8.self)
            var outlines: [String: (path: String, commands: [PathCommand])] = [:]
            for line in document.split(separator: "\n") {
                guard let id = Self.attribute("id", of: line), let path = Self.attribute("d", of: line) else {
                    continue
                }
                outlines[String(id)] = (String(path), PathCommand.commands(of: path))
            }
            return outlines
        }()

        private static func attribute(_ name: String, of line: Substring) -> Substring? {
            guard let start = line.firstRange(of: " \(name)=\"")?.upperBound else { return nil }
            return line[start...].prefix { $0 != "\"" }
        }
    }
}

/// A part of an outline, with absolute coordinates.
package enum PathCommand: Hashable, Sendable {
    case move(x: Double, y: Double)
    case line(x: Double, y: Double)
    case curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
    case close

    /// Reads the commands M, L, C and Z of SVG paths. A command without its numbers ends the path.
    static func commands(of path: Substring) -> [PathCommand] {
        var commands: [PathCommand] = []
        var rest = path
        while let letter = rest.popFirst() {
            let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
            let numbers = rest[..<end].split { $0 == " " || $0 == "," }.compactMap { Double($0) }
            rest = rest[end...]
            switch (letter, numbers.count) {
            case ("M", 2): commands.append(.move(x: numbers[0], y: numbers[1]))
            case ("L", 2): commands.append(.line(x: numbers[0], y: numbers[1]))
            case ("C", 6):
                commands.append(
                    .curve(
                        x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3], x: numbers[4], y: numbers[5]))
            case ("Z", 0): commands.append(.close)
            default: return commands
            }
        }
        return commands
    }
}
