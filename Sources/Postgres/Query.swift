/// SQL with its values beside it.
///
/// Written as a string literal: `"SELECT head FROM venue WHERE id = \(id) AND name = ANY(\(names))"`. A value becomes `$1`,
/// `$2` … and travels in binary with its type; it never becomes part of the text. A `Query` in a query is spliced with its
/// values. Only `\(raw:)` inserts text, which must be our own.
package struct Query: Sendable {
    /// The text with `$1`, `$2` … for the values.
    package private(set) var sql: String
    package private(set) var parameters: [Parameter]
    /// The encoded values, one after the other.
    private(set) var values: [UInt8]
    /// Where in the text (in UTF-8) each `$n` starts and where it ends.
    private var placeholders: [Range<Int>]

    /// One value's type and place.
    package struct Parameter: Hashable, Sendable {
        /// Its number in `pg_type`.
        package let type: UInt32
        /// Where its bytes are; nil says NULL.
        let range: Range<Int>?
    }

    init(sql: String = "") {
        self.sql = sql
        self.parameters = []
        self.values = []
        self.placeholders = []
    }
}

extension Query {
    /// Appends text of ours.
    mutating func append(text: some StringProtocol) {
        guard let first = text.utf8.first else { return }
        // "$1" and a digit after it would be another parameter, and a letter is refused by the server.
        let isWord =
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || first == UInt8(ascii: "_")
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= first || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first
        if isWord, self.placeholders.last?.upperBound == self.sql.utf8.count { self.sql += " " }
        self.sql += text
    }

    /// Appends a value as the next `$n`.
    mutating func append(value: some PostgresEncodable) {
        let start = self.values.count
        let type = Swift.type(of: value).postgresType.oid
        if value.isPostgresNull {
            self.appendPlaceholder(Parameter(type: type, range: nil))
        } else {
            value.encode(into: &self.values)
            self.appendPlaceholder(Parameter(type: type, range: start..<self.values.count))
        }
    }

    /// Appends another query; its `$n` are counted on from ours.
    mutating func append(_ query: Query) {
        if self.sql.isEmpty {
            self = query
            return
        }
        let offset = self.values.count
        self.values += query.values
        let utf8 = query.sql.utf8
        var position = 0
        for (placeholder, parameter) in zip(query.placeholders, query.parameters) {
            self.append(text: query.text(position..<placeholder.lowerBound))
            let range = parameter.range.map { $0.lowerBound + offset..<$0.upperBound + offset }
            self.appendPlaceholder(Parameter(type: parameter.type, range: range))
            position = placeholder.upperBound
        }
        self.append(text: query.text(position..<utf8.count))
    }

    private func text(_ range: Range<Int>) -> Substring {
        let utf8 = self.sql.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return self.sql[start..<utf8.index(start, offsetBy: range.count)]
    }

    private mutating func appendPlaceholder(_ parameter: Parameter) {
        self.parameters.append(parameter)
        let start = self.sql.utf8.count
        self.sql += "$\(self.parameters.count)"
        self.placeholders.append(start..<self.sql.utf8.count)
    }
}

extension Query: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var query = Query()

        package init(literalCapacity: Int, interpolationCount: Int) {
            self.query.reserve(text: literalCapacity + 3 * interpolationCount, parameters: interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            self.query.append(text: literal)
        }

        package mutating func appendInterpolation(_ value: some PostgresEncodable) {
            self.query.append(value: value)
        }

        /// Without this the compiler takes an optional value for a slip.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            self.query.append(value: value)
        }

        package mutating func appendInterpolation(_ query: Query) {
            self.query.append(query)
        }

        /// Inserts trusted text: a name or a keyword from our own source, never anything that came in.
        package mutating func appendInterpolation(raw text: String) {
            self.query.append(text: text)
        }
    }

    private mutating func reserve(text: Int, parameters: Int) {
        self.sql.reserveCapacity(text)
        self.parameters.reserveCapacity(parameters)
        self.placeholders.reserveCapacity(parameters)
    }

    package init(stringLiteral value: String) {
        self.init(sql: value)
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.query
    }
}

extension Query: CustomStringConvertible, CustomReflectable {
    /// The text without its values, which do not belong into logs.
    package var description: String { self.sql }

    package var customMirror: Mirror { Mirror(self, children: ["sql": self.sql]) }
}
