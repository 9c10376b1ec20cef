import Foundation

/// Tells the bodies of a reply from all that stands around them.
///
/// Bodies stand on lines of their own behind a line that ends in `"features":[`, each but the last of a list with a comma behind
/// it, up to the line that does not begin with `{`.
struct BodyLines {
    /// All but the bodies.
    private(set) var skeleton = Data()
    /// Lists of bodies that have begun.
    private(set) var lists = 0
    private var isInside = false

    private static let opening = Array("\"features\":[".utf8)

    /// Goes through text that ends where a line does.
    ///
    /// - Parameter body: Is called for every body with the number of its list, counted from 1, and its place in the text.
    mutating func read(_ text: UnsafeRawBufferPointer, body: (_ list: Int, _ place: Range<Int>) throws -> Void) rethrows
    {
        var start = 0
        while start < text.count {
            let end = Self.lineFeed(in: text, from: start) ?? text.count
            defer { start = end + 1 }
            guard end > start else { continue }
            if self.isInside, text[start] == UInt8(ascii: "{") {
                try body(self.lists, start..<(text[end - 1] == UInt8(ascii: ",") ? end - 1 : end))
                continue
            }
            let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
            self.skeleton.append(contentsOf: line)
            self.isInside =
                line.count >= Self.opening.count && line.suffix(Self.opening.count).elementsEqual(Self.opening)
            if self.isInside { self.lists += 1 }
        }
    }

    static func lineFeed(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = text.baseAddress, start < text.count,
            let found = memchr(base + start, CInt(UInt8(ascii: "\n")), text.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
