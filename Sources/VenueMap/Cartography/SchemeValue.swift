import IMDF

/// Why a value is not one of a setting of maps.
package struct SettingFault: Error, Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the value.
    package let pointer: String
    package let detail: String

    /// The longest part of a member's name that a pointer repeats.
    static let maximumName = 100

    /// The name of a member as a part of a pointer.
    static func escaped(_ name: String) -> String {
        String(name.prefix(self.maximumName)).replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

/// A value for both modes of maps, or one for each.
package struct SchemeValue<Value: Hashable & Sendable>: Hashable, Sendable {
    package let light: Value
    package let dark: Value

    package init(_ light: Value, _ dark: Value) {
        (self.light, self.dark) = (light, dark)
    }

    /// Reads one value, or an object with the members `light` and `dark` and no others.
    init(
        _ value: JSONValue, at pointer: String,
        _ read: (_ value: JSONValue?, _ pointer: String) throws(SettingFault) -> Value
    ) throws(SettingFault) {
        guard let object = value.object else {
            let both = try read(value, pointer)
            self.init(both, both)
            return
        }
        for member in object.members where !["light", "dark"].contains(member.key) {
            throw SettingFault(
                pointer: "\(pointer)/\(SettingFault.escaped(member.key))", detail: "there is no such member")
        }
        self.init(try read(object["light"], "\(pointer)/light"), try read(object["dark"], "\(pointer)/dark"))
    }
}
