/// Telephone numbers in the form of E.164: a plus sign and 2 to 15 digits, the first of which is not zero.
enum PhoneNumber {
    static func isValid(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
            && digits.allSatisfy(\.isDigit) && digits.first != UInt8(ascii: "0")
    }
}
