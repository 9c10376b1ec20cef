extension CanonicalJSON {
    /// Writes a string quoted and escaped by RFC 8785 §3.2.2.2.
    public static func append(string: String, to output: inout [UInt8]) {
        var string = string
        string.withUTF8 { self.append(string: UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Writes a string, given as valid UTF-8 without quotes or escapes, quoted and escaped by RFC 8785 §3.2.2.2:
    /// `\"`, `\\`, the five short escapes of control characters, `\u00xx` for the others; everything else is unchanged.
    public static func append(string utf8: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for offset in 0..<utf8.count {
            let byte = utf8[offset]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            output.append(contentsOf: utf8[start..<offset])
            start = offset + 1
            self.append(escaped: byte, to: &output)
        }
        output.append(contentsOf: utf8[start...])
        output.append(UInt8(ascii: "\""))
    }

    private static func append(escaped byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: "u00".utf8)
            output.append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 15
            output.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
