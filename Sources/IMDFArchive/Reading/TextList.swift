/// A list that is written as a text, as tools do whose tables have no lists: GDAL writes `(2:a,b)`, others the JSON text `["a", "b"]`.
struct TextList {
    /// Without white space around them.
    let items: [UnsafeRawBufferPointer]

    /// The length of the longest list that is read, in bytes. It has some 1,700 ids.
    private static let limit = 64 << 10

    /// Nil if the text is no such list. GDAL cuts long lists off, and ends them with `...`: they are none either.
    init?(_ utf8: UnsafeRawBufferPointer) {
        guard utf8.count <= Self.limit else { return nil }
        let text = utf8.trimmingWhiteSpace()
        guard text.count >= 2, let first = text.first, let last = text.last else { return nil }
        let inner = UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1])
        let found: [UnsafeRawBufferPointer]?
        switch (first, last) {
        case (UInt8(ascii: "("), UInt8(ascii: ")")): found = Self.counted(inner)
        case (UInt8(ascii: "["), UInt8(ascii: "]")): found = Self.quoted(inner)
        default: return nil
        }
        guard let items = found, items.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.items = items
    }

    /// The items after their number and a colon.
    private static func counted(_ text: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon <= 9,
            let count = Int(String(decoding: text[..<colon], as: UTF8.self))
        else { return nil }
        let items = Self.separated(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]))
        return items.count == count && items.last?.elementsEqual("...".utf8) != true ? items : nil
    }

    /// The items between quotation marks, or numbers. None of them may contain an escape: ids and words of IMDF need none.
    private static func quoted(_ text: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        let quotationMark = UInt8(ascii: "\"")
        var items: [UnsafeRawBufferPointer] = []
        for item in Self.separated(text) {
            if !item.isEmpty, item.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
                items.append(item)
                continue
            }
            guard item.count >= 2, item.first == quotationMark, item.last == quotationMark else { return nil }
            let inner = UnsafeRawBufferPointer(rebasing: item[1..<item.count - 1])
            guard !inner.contains(quotationMark), !inner.contains(UInt8(ascii: "\\")) else { return nil }
            items.append(inner.trimmingWhiteSpace())
        }
        return items
    }

    private static func separated(_ text: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        guard !text.trimmingWhiteSpace().isEmpty else { return [] }
        return text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { UnsafeRawBufferPointer(rebasing: $0).trimmingWhiteSpace() }
    }
}
