import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct QueryTests {
    @Test func `query value becomes a placeholder and never text`() {
        let name = "Robert'); DROP TABLE venue; -- \\ $1 \u{0}"
        let query: Query = "SELECT \(name), '$1', \(7)"
        #expect(query.sql == "SELECT $1, '$1', $2")
        #expect(query.parameters.map(\.type) == [25, 20])
    }

    @Test func `query in a query is renumbered, except for quoted dollars`() {
        let inner: Query = "a = \(1) AND b <> '$1' AND c = \("x")"
        let none: Query = "true"
        let query: Query = "SELECT \(true) WHERE \(inner) AND \(none) OR \(inner) LIMIT \(2)"
        #expect(
            query.sql == """
                SELECT $1 WHERE a = $2 AND b <> '$1' AND c = $3 AND true OR a = $4 AND b <> '$1' AND c = $5 LIMIT $6
                """)
        #expect(query.parameters.map(\.type) == [16, 20, 25, 20, 25, 20])
    }

    @Test func `query text after a placeholder is separated from its number`() {
        let query: Query = "SELECT \(1)0, \(2)\(3), \(4)\(raw: "AS x")"
        #expect(query.sql == "SELECT $1 0, $2$3, $4 AS x")
    }

    @Test func `query description contains no values`() {
        let query: Query = "SELECT \("secret")"
        #expect("\(query)" == "SELECT $1")
        #expect(!String(reflecting: query).contains("secret"))
        var dumped = ""
        dump(query, to: &dumped)
        #expect(!dumped.contains("115"), "the first byte of the value")
    }
}
