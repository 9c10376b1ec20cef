import Foundation

/// Separates the feature bodies of a response from the JSON around them.
///
/// Each body is a line of its own. A list of bodies begins after a line that ends in `"features":[` and ends at the first line that
/// does not begin with `{`. Every body but the last of a list is followed by a comma.
struct BodyLines {
    /// The response without the bodies.
    private(set) var skeleton = Data()
    /// How many lists of bodies have begun.
    private(set) var listCount = 0
    private var isInsideList = false

    private static let opening = Array("\"features\":[".utf8)

    /// Reads whole lines.
    ///
    /// - Parameter body: Is called for every body with the number of its list, counted from 1, and its range in the text.
    mutating func read(_ text: UnsafeRawBufferPointer, body: (_ list: Int, _ range: Range<Int>) throws -> Void) rethrows
    {
        var start = 0
        while start < text.count {
            let end = Self.lineFeed(in: text, from: start) ?? text.count
            defer { start = end + 1 }
            guard end > start else { continue }
            if self.isInsideList, text[start] == UInt8(ascii: "{") {
                try body(self.listCount, start..<(text[end - 1] == UInt8(ascii: ",") ? end - 1 : end))
                continue
            }
            let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
            self.skeleton.append(contentsOf: line)
            self.isInsideList =
                line.count >= Self.opening.count && line.suffix(Self.opening.count).elementsEqual(Self.opening)
            if self.isInsideList { self.listCount += 1 }
        }
    }

    static func lineFeed(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = text.baseAddress, start < text.count,
            let found = memchr(base + start, CInt(UInt8(ascii: "\n")), text.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
