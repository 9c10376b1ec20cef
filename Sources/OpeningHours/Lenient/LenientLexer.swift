import Foundation

/// Splits a text into tokens; nil as soon as something is not understood.
///
/// - Complexity: O(*n*) in the length of the text: at every position, a fixed list of phrases is compared.
struct LenientLexer {
    private let characters: [Character]
    private var offset = 0
    private var tokens: [LenientToken] = []

    static func tokens(of text: String) -> [LenientToken]? {
        var lexer = LenientLexer(text)
        return lexer.readAll() ? lexer.tokens : nil
    }

    private init(_ text: String) {
        var characters = text.precomposedStringWithCompatibilityMapping.lowercased()
            .map { $0.isNewline ? "\n" : $0 }
        // The end of a sentence, such as "Temporarily closed."
        while let last = characters.last, ".! \n".contains(last) { characters.removeLast() }
        self.characters = characters
    }

    private mutating func readAll() -> Bool {
        while self.offset < self.characters.count {
            if self.skipSpace() > 0 { continue }
            if let token = self.takePhrase() {
                guard self.append(token) else { return false }
            } else if let time = self.takeTime() {
                self.tokens.append(.time(time))
            } else {
                return false
            }
        }
        return true
    }

    /// Appends a token. A meridiem directly after a time belongs to it, and remarks are left out.
    private mutating func append(_ token: LenientToken) -> Bool {
        switch (token, self.tokens.last) {
        case (.meridiem(let meridiem), .time(var time)) where time.meridiem == nil && !self.isBeforeDigit:
            time.meridiem = meridiem
            self.tokens[self.tokens.count - 1] = .time(time)
        case (.remark, .openBracket):
            self.tokens.removeLast()
            return self.skipBracket()
        case (.remark, _):
            // The time of the remark is left out with it.
            self.skipColon()
            guard self.takeTime() != nil else { return false }
            let start = self.offset
            _ = self.skipSpace()
            if case .meridiem = self.takePhrase() {} else { self.offset = start }
        case (.filler, _): self.skipColon()
        default: self.tokens.append(token)
        }
        return true
    }

    private mutating func skipColon() {
        _ = self.skipSpace()
        if self.peek() == ":" { self.offset += 1 }
        _ = self.skipSpace()
    }

    /// Skips to the closing bracket.
    private mutating func skipBracket() -> Bool {
        while let character = self.peek() {
            self.offset += 1
            if character == ")" || character == "]" { return true }
            if character == "(" || character == "[" { return false }
        }
        return false
    }

    private func peek(_ distance: Int = 0) -> Character? {
        let offset = self.offset + distance
        return offset < self.characters.count ? self.characters[offset] : nil
    }

    /// Whether a meridiem stands before a time, as in `PM8:00`.
    private var isBeforeDigit: Bool { self.peek()?.isASCIIDigit ?? false }

    private mutating func skipSpace() -> Int {
        let start = self.offset
        while let character = self.peek(), character == " " || character == "\t" { self.offset += 1 }
        return self.offset - start
    }

    private mutating func takePhrase() -> LenientToken? {
        guard let first = self.peek(), let phrases = LenientPhrases.byFirst[first] else { return nil }
        for (text, token) in phrases {
            guard self.characters[self.offset...].starts(with: text) else { continue }
            let next = self.peek(text.count)
            // A word ends where no letter follows, and a number where no digit does.
            if let last = text.last, last.isASCIILetter, next?.isASCIILetter ?? false { continue }
            if text.last?.isASCIIDigit ?? false, next?.isASCIIDigit ?? false { continue }
            self.offset += text.count
            return token
        }
        return nil
    }

    /// `9`, `9:30`, `9.30`, `9時`, `9時30分`, `9時半`; followed by `a` or `p` for am and pm.
    private mutating func takeTime() -> LenientTime? {
        guard let hour = self.takeNumber(1...2) else { return nil }
        var time = LenientTime(hour: hour)
        let start = self.offset
        if let separator = self.peek(), separator == ":" || separator == "." {
            self.offset += 1
            if let minute = self.takeNumber(2...2), minute < 60 {
                (time.minute, time.isClock) = (minute, true)
            } else {
                self.offset = start
            }
        } else if self.peek() == "時" {
            self.offset += 1
            time.isClock = true
            let start = self.offset
            if self.peek() == "半" {
                self.offset += 1
                time.minute = 30
            } else if let minute = self.takeNumber(1...2), minute < 60, self.peek() == "分" {
                self.offset += 1
                time.minute = minute
            } else {
                self.offset = start
            }
        }
        guard let letter = self.peek(), letter == "a" || letter == "p",
            !(self.peek(1)?.isASCIILetter ?? false), self.peek(1) != "."
        else { return time }
        self.offset += 1
        time.meridiem = letter == "a" ? .morning : .afternoon
        return time
    }

    private mutating func takeNumber(_ digits: ClosedRange<Int>) -> Int? {
        var (value, count) = (0, 0)
        while let digit = self.peek(count), digit.isASCIIDigit {
            count += 1
            guard count <= digits.upperBound else { return nil }
            value = value * 10 + (digit.wholeNumberValue ?? 0)
        }
        guard count >= digits.lowerBound else { return nil }
        self.offset += count
        return value
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool { self.isASCII && self.isLetter }
    fileprivate var isASCIIDigit: Bool { self.isASCII && self.isNumber }
}
