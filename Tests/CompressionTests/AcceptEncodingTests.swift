import Compression
import SampleVenue
import Testing

@Suite struct AcceptEncodingTests {
    struct Case: CustomTestStringConvertible {
        let field: String?
        let coding: ContentCoding?

        init(_ field: String?, _ coding: ContentCoding?) {
            self.field = field
            self.coding = coding
        }

        var testDescription: String { self.field.map { "“\($0)”" } ?? "no field" }

        static let all = [
            // Common fields.
            Case(nil, nil), Case("", nil), Case("gzip", .gzip), Case("gzip, deflate", .gzip),
            Case("gzip, deflate, br", .br), Case("gzip, deflate, br, zstd", .br), Case("zstd, gzip", .zstd),
            Case("identity", nil), Case("deflate", nil), Case("compress, gzip", .gzip), Case("*", .br),
            // Weights.
            Case("br;q=0.5, gzip;q=0.8", .gzip), Case("br;q=0.8, gzip;q=0.8", .br), Case("gzip;q=1.0, br;q=1", .br),
            Case("br;q=0, gzip", .gzip), Case("br;q=0.0, gzip;q=0.001", .gzip), Case("gzip;q=0", nil),
            Case("gzip;q=0.999, zstd;q=1", .zstd), Case("gzip;q=0.12, br;q=0.119", .gzip),
            // The identity coding has a weight, too.
            Case("identity;q=1, gzip;q=0.5", nil), Case("identity;q=0.5, gzip;q=0.5", .gzip),
            Case("identity;q=0.5, gzip", .gzip), Case("identity;q=0, gzip;q=0.1", .gzip),
            // Without an acceptable coding, the plain body is sent.
            Case("identity;q=0", nil), Case("*;q=0", nil), Case("identity;q=0, deflate", nil),
            // Wildcards.
            Case("*;q=0.1", .br), Case("br;q=0, *", .zstd), Case("br;q=0, zstd;q=0, *;q=0.3", .gzip),
            Case("gzip, *;q=0", .gzip), Case("gzip;q=0.9, *;q=0.1", .gzip), Case("identity, *;q=0.5", nil),
            Case("*;q=0, gzip;q=0.2", .gzip),
            // Spelling.
            Case("GZIP", .gzip), Case("Br ; Q=1", .br), Case("\tgzip\t;\tq=0.5\t,\tzstd", .zstd), Case("x-gzip", .gzip),
            Case(",,gzip,,", .gzip), Case("gzip;q=1.000", .gzip), Case("gzip;q=0.", nil), Case("gzip;q=1.", .gzip),
            // The first of two entries wins.
            Case("gzip;q=0, gzip", nil), Case("gzip, gzip;q=0", .gzip),
            // Only the malformed entry is ignored.
            Case("gzip;q=2", nil), Case("gzip;q=1.001", nil), Case("gzip;q=-1, br", .br),
            Case("gzip;q=0.1234, br", .br),
            Case("gzip;q=", nil), Case("gzip;q", nil), Case("gzip;level=9, zstd", .zstd), Case("gzip;q=0.5;q=1", nil),
            Case("gz ip", nil), Case("gzip br", nil), Case("\"gzip\"", nil), Case(";;;,=;q=1,gzip", .gzip),
            Case("gzip;q=٠", nil), Case("ɢzip", nil), Case("\u{0}gzip", nil), Case("gzip\u{7F}", nil), Case("b2", nil),
        ]
    }

    @Test(arguments: Case.all)
    func `content negotiation prefers the client's weights, then the server's order`(field: Case) {
        #expect(ContentCoding.preferred(by: field.field) == field.coding)
    }

    @Test(arguments: [",", ";", "gzip;q=0,", "=", "\u{20}", "q=1;", "é"])
    func `Accept-Encoding: a field of a megabyte is parsed in linear time`(junk: String) {
        let field = String(repeating: junk, count: (1 << 20) / junk.utf8.count)
        #expect(ContentCoding.preferred(by: field) == nil)
        #expect(ContentCoding.preferred(by: field + ",br") == .br)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Accept-Encoding: a field of random parts never selects a forbidden coding`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "gzip", "br", "zstd", "*", "identity", ";", ",", "q", "=", "0", "1", ".", "5", " ", "\t", "x", "é",
        ]
        for _ in 0..<500 {
            let junk = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                parts[Int.random(in: parts.indices, using: &random)]
            }.joined()
            // The first entries forbid every coding, whatever follows.
            let forbidden = "br;q=0,zstd;q=0,gzip;q=0,*;q=0," + junk
            #expect(ContentCoding.preferred(by: forbidden) == nil, "\(junk)")
        }
    }
}
