/// Properties whose strings are never references, even if they equal an id: labels, addresses and correlation ids.
package enum TextMember {
    package static func isText(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { self.isText(UnsafeRawBufferPointer($0)) }
    }

    package static func isText(_ key: UnsafeRawBufferPointer) -> Bool {
        switch key.count {
        case 4: self.spells("name", key)
        case 7: self.spells("address", key)
        case 8: self.spells("alt_name", key)
        case 10: self.spells("short_name", key)
        case 14: self.spells("correlation_id", key)
        default: false
        }
    }

    private static func spells(_ text: StaticString, _ key: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<key.count where key[index] != text.utf8Start[index] { return false }
        return true
    }
}
