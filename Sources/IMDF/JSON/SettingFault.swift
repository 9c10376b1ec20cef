/// Why a value is not one of a setting of a venue.
package struct SettingFault: Error, Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the value.
    package let pointer: String
    package let detail: String

    package init(pointer: String, detail: String) {
        (self.pointer, self.detail) = (pointer, detail)
    }

    /// The longest part of a member's name that a pointer repeats.
    package static let maximumName = 100

    /// The name of a member as a part of a pointer.
    package static func escaped(_ name: String) -> String {
        JSONPointer.token(String(name.prefix(self.maximumName)))
    }
}
