/// SQL text with separate parameter values.
///
/// Written as a string literal: `"SELECT head FROM venue WHERE id = \(id) AND name = ANY(\(names))"`. A value becomes `$1`,
/// `$2` … and is sent in binary format with its type; it is never part of the text. A `Query` in a query is inserted with its
/// values. Only `\(raw:)` inserts text, which must be a constant of this program.
package struct Query: Sendable {
    /// The text with `$1`, `$2` … for the values.
    package private(set) var sql: String
    package private(set) var parameters: [Parameter]
    /// The encoded values, one after the other.
    private(set) var values: [UInt8]
    /// The range of each `$n` in the text, in UTF-8.
    private var placeholders: [Range<Int>]

    /// The type and the encoded bytes of a value.
    package struct Parameter: Hashable, Sendable {
        /// The OID of the type.
        package let type: UInt32
        /// The range of its bytes in `values`; nil for NULL.
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
    /// Appends trusted text.
    mutating func append(text: some StringProtocol) {
        guard let first = text.utf8.first else { return }
        // A digit after "$1" would make another parameter of it, and the server rejects a letter after it.
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

    /// Appends another query, and renumbers its `$n`.
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

        /// Avoids the compiler's warning about optional values.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            self.query.append(value: value)
        }

        package mutating func appendInterpolation(_ query: Query) {
            self.query.append(query)
        }

        /// Inserts trusted text: a name or a keyword of this program, never input.
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
    /// The text without its values, which must not be logged.
    package var description: String { self.sql }

    package var customMirror: Mirror { Mirror(self, children: ["sql": self.sql]) }
}
