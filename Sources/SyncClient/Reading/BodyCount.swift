import Foundation

/// Counts the feature bodies of a response while it arrives in blocks of any size.
///
/// Every body is a line of its own that begins with `{` and ends with `}`, perhaps followed by a comma; other lines end with `[` or
/// begin with `]`. See ``BodyLines``.
package struct BodyCount {
    private var isInsideBody = false
    private var isAtLineStart = true
    private var last: UInt8 = 0

    package init() {}

    /// The number of bodies that end in this block.
    package mutating func read(_ block: [UInt8]) -> Int {
        block.withUnsafeBytes { bytes in
            var (count, start) = (0, 0)
            while start < bytes.count {
                if self.isAtLineStart { self.isInsideBody = bytes[start] == UInt8(ascii: "{") }
                let end = BodyLines.lineFeed(in: bytes, from: start)
                if (end ?? bytes.count) > start { self.last = bytes[(end ?? bytes.count) - 1] }
                self.isAtLineStart = end != nil
                if end != nil, self.isInsideBody, self.last != UInt8(ascii: "[") { count += 1 }
                start = (end ?? bytes.count - 1) + 1
            }
            return count
        }
    }
}
