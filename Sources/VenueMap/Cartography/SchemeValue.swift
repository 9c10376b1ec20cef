import IMDF

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
