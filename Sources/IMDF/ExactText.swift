/// A text that equals another one only if both have the same bytes.
///
/// For `String`, texts are equal if they have the same Unicode normal form. To compare or to hash a string, Swift normalizes it, in a time
/// that grows with the square of the number of combining marks in a row.
package struct ExactText: Hashable, Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.string.hasBytes(of: right.string) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.string.utf8.count)
        let isHashed: Void? = self.string.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in self.string.utf8 { hasher.combine(byte) } }
    }
}

extension String {
    /// Whether the UTF-8 is equal, see ``ExactText``.
    package func hasBytes(of other: String) -> Bool {
        let areEqual = self.utf8.withContiguousStorageIfAvailable { here in
            other.utf8.withContiguousStorageIfAvailable { there in
                guard here.count == there.count else { return false }
                for index in here.indices where here[index] != there[index] { return false }
                return true
            }
        }
        return (areEqual ?? nil) ?? self.utf8.elementsEqual(other.utf8)
    }
}
