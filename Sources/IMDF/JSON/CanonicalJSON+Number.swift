extension CanonicalJSON {
    /// Writes a number as ECMAScript's `Number::toString` does (RFC 8785 §3.2.2.3): the shortest decimal that reads back
    /// as the same double, and `0` for negative zero.
    ///
    /// Almost every number of an archive is a coordinate with a few decimals, and these have a fast path: for a double
    /// *x* and a power of ten 10^k ≤ 10^22, which is a double itself, let *n* be an integer below 10^15 with
    /// `Double(n) / 10^k == x`. IEEE division is correctly rounded, so the decimal n·10^-k reads back as *x*. It has
    /// at most 15 significant digits, and two different decimals of at most 15 digits never read back as the same
    /// normal double (10^15 < 2^52: doubles lie closer together than such decimals). So no other decimal of 15 digits
    /// or fewer reads back as *x*, and this one, without trailing zeros, is the shortest. The proof does
    /// not depend on how *n* was found, so the product that proposes it may be rounded.
    ///
    /// JSON has no NaN and no infinity: they are written as `null`, as ECMAScript does.
    public static func append(number: Double, to output: inout [UInt8]) {
        guard number.isFinite else {
            output += "null".utf8
            return
        }
        let magnitude = number.magnitude
        if magnitude < 0x1p53 {
            let whole = Int64(magnitude)
            if Double(whole) == magnitude {
                self.append(isNegative: number < 0, UInt64(whole), fraction: 0, decimals: 0, to: &output)
                return
            }
            // Smaller numbers are written with an exponent.
            if magnitude >= 1e-6 {
                if magnitude < 1e8, let scaled = self.scaled(magnitude, by: 1e7) {
                    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: 10_000_000)
                    self.append(isNegative: number < 0, whole, fraction: fraction, decimals: 7, to: &output)
                    return
                }
                if magnitude < 1e3, let scaled = self.scaled(magnitude, by: 1e12) {
                    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: 1_000_000_000_000)
                    self.append(isNegative: number < 0, whole, fraction: fraction, decimals: 12, to: &output)
                    return
                }
            }
        }
        self.append(shortestDigitsOf: number, to: &output)
    }

    /// The integer *n* < 10^15 nearest to the product with `Double(n) / power == magnitude`; nil if there is none.
    @inline(__always)
    private static func scaled(_ magnitude: Double, by power: Double) -> UInt64? {
        let scaled = (magnitude * power).rounded(.toNearestOrEven)
        return scaled < 1e15 && scaled / power == magnitude ? UInt64(scaled) : nil
    }

    /// Writes `whole` and, unless it is zero, `fraction` with that many decimal places, without trailing zeros.
    @inline(__always)
    private static func append(
        isNegative: Bool, _ whole: UInt64, fraction: UInt64, decimals: Int, to output: inout [UInt8]
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            // From the last digit to the first.
            var start = 32
            if fraction != 0 {
                var rest = fraction
                var decimals = decimals
                while true {
                    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                    guard digit == 0 else { break }
                    rest = quotient
                    decimals -= 1
                }
                for _ in 0..<decimals {
                    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                    start -= 1
                    buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                    rest = quotient
                }
                start -= 1
                buffer[start] = UInt8(ascii: ".")
            }
            var rest = whole
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest != 0
            if isNegative {
                start -= 1
                buffer[start] = UInt8(ascii: "-")
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }
}

// MARK: - General numbers

extension CanonicalJSON {
    /// Writes any finite number except zero. The digits are those of the standard library, which are the shortest and the nearest
    /// of these; the layout is that of ECMAScript (ECMA-262, Number::toString).
    package static func append(shortestDigitsOf number: Double, to output: inout [UInt8]) {
        var text = number.magnitude.description
        if number < 0 { output.append(UInt8(ascii: "-")) }
        text.withUTF8 { text in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
                let (count, point) = self.read(text, digits: buffer)
                self.append(digits: UnsafeBufferPointer(rebasing: buffer[..<count]), point: point, to: &output)
            }
        }
    }

    /// Parses numbers such as `12.5` and `5e-324`: the significant digits without zeros at either end, and how many of them precede
    /// the decimal point (negative for zeros directly after it).
    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, digits: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, point: Int) {
        var count = 0
        var point: Int?
        var leadingZeros = 0
        var offset = 0
        while offset < text.count, text[offset] != UInt8(ascii: "e") {
            let byte = text[offset]
            if byte == UInt8(ascii: ".") {
                point = count
            } else if count == 0, byte == UInt8(ascii: "0") {
                // A leading zero before the point is ignored; one after it moves the first digit away from the point.
                if point != nil { leadingZeros += 1 }
            } else {
                digits[count] = byte
                count += 1
            }
            offset += 1
        }
        var exponentOfPoint = (point ?? count) - leadingZeros
        while count > 0, digits[count - 1] == UInt8(ascii: "0") { count -= 1 }
        if offset < text.count {
            offset += 1
            let isNegative = text[offset] == UInt8(ascii: "-")
            var exponent = 0
            for byte in text[offset...] where byte >= UInt8(ascii: "0") {
                exponent = exponent * 10 + Int(byte - UInt8(ascii: "0"))
            }
            exponentOfPoint += isNegative ? -exponent : exponent
        }
        return (count, exponentOfPoint)
    }

    private static func append(digits: UnsafeBufferPointer<UInt8>, point: Int, to output: inout [UInt8]) {
        switch point {
        case digits.count...21:
            output.append(contentsOf: digits)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: point - digits.count))
        case 1...21:
            output.append(contentsOf: digits[..<point])
            output.append(UInt8(ascii: "."))
            output.append(contentsOf: digits[point...])
        case -5...0:
            output.append(contentsOf: "0.".utf8)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -point))
            output.append(contentsOf: digits)
        default:
            output.append(digits[0])
            if digits.count > 1 {
                output.append(UInt8(ascii: "."))
                output.append(contentsOf: digits[1...])
            }
            output.append(UInt8(ascii: "e"))
            output.append(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
            output.append(contentsOf: String(abs(point - 1)).utf8)
        }
    }
}
