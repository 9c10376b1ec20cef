/// Whether a text is a telephone number as E.164 writes it: a plus sign and 2 to 15 digits, the first of which is no zero.
enum PhoneNumber {
    static func isValid(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
            && digits.allSatisfy(\.isDigit) && digits.first != UInt8(ascii: "0")
    }
}
