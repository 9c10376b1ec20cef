/// Writes JSON by RFC 8785 (JCS): without white space, members sorted by the UTF-16 code units of their keys, numbers as in
/// ECMAScript, and only the necessary escapes in strings. Equal values have equal bytes in every implementation.
public enum CanonicalJSON {
    /// The canonical UTF-8 text of a value.
    ///
    /// - Precondition: every number in the value is finite.
    /// - Complexity: O(*n*) in the length of the text.
    public static func data(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        self.append(value, to: &output)
        return output
    }

    /// Appends the canonical UTF-8 text of a value.
    ///
    /// - Precondition: every number in the value is finite.
    public static func append(_ value: JSONValue, to output: inout [UInt8]) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(true): output.append(contentsOf: "true".utf8)
        case .bool(false): output.append(contentsOf: "false".utf8)
        case .number(let number): self.append(number: number, to: &output)
        case .string(let string): self.append(string: string, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                self.append(element, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): self.append(object, to: &output)
        }
    }

    /// Appends the canonical UTF-8 text of an object.
    public static func append(_ object: JSONObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            self.append(string: member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            self.append(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

// MARK: - Order of keys

extension CanonicalJSON {
    /// Whether a key precedes another by their UTF-16 code units (RFC 8785 §3.2.3).
    public static func precedes(_ left: String, _ right: String) -> Bool {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in
                self.precedes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
    }

    /// Whether a key precedes another, for keys in valid UTF-8.
    public static func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        let common = min(left.count, right.count)
        var offset = 0
        while offset < common, left[offset] == right[offset] { offset += 1 }
        guard offset < common else { return left.count < right.count }
        let (one, other) = (left[offset], right[offset])
        // The order of UTF-8 is that of code points, and so is that of UTF-16, except that characters above U+FFFF precede
        // U+E000 to U+FFFF, because they consist of surrogates. In UTF-8 the former begin with F0 to F4, the latter with EE or
        // EF. Texts that differ in a later byte of a character have equal first bytes, so only first bytes need this check.
        if one >= 0xEE, other >= 0xEE, (one < 0xF0) != (other < 0xF0) { return other < one }
        return one < other
    }
}
