import Foundation
import Postgres
import SampleVenue
import TestSupport
import Testing

/// nginx with the configuration of deploy/nginx, and bodies of unknown length, which it forwards at ten a second for each address.
@Suite(.database, .serialized, .requires(program: "nginx"))
struct DeployedProxyTests {
    private static func run(_ test: (ServedNode, CachingProxy) async throws -> Void) async throws {
        let workplace = try Workplace()
        let node = try ServedNode(
            databaseURL: TestDatabase.current.configuration.url, log: workplace.folder.appending(path: "node.log"))
        // The processes of nginx run as another user, who must be able to enter the folder.
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "venue-proxy-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await node.start()
        do {
            let proxy = try await CachingProxy(deployedBefore: node.port, in: folder)
            do {
                try await test(node, proxy)
                await proxy.stop()
            } catch {
                await proxy.stop()
                throw error
            }
            await node.stop()
        } catch {
            await node.stop()
            throw error
        }
    }

    private static func head(_ request: String) -> String {
        "\(request) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n"
            + "Content-Type: application/zip\r\nTransfer-Encoding: chunked\r\n\r\n"
    }

    private static func status(_ request: String, _ body: String, _ proxy: CachingProxy) async throws -> String? {
        let client = try RawClient(port: proxy.port)
        try client.send(Self.head(request) + body)
        return await client.response(within: 120).map { String($0.prefix(12).suffix(3)) }
    }

    /// What the deployed configuration takes for the client of an address: its rules in their order.
    private static func client(of address: String) throws -> String {
        let template = try CachingProxy.deployedTemplate()
        let rules = try #require(template.firstMatch(of: /map \$remote_addr \$client \{\n((?:.+\n)+?) +\}\n/)).1
        for rule in rules.matches(of: /^ +"?~(.+?)"? \$(\w+);$/.anchorsMatchLineEndings()) {
            guard let match = try Regex(String(rule.1)).firstMatch(in: address) else { continue }
            return rule.2 == "prefix" ? String(match["prefix"]?.substring ?? "") : address
        }
        return address
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "::ffff:203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:"), ("2001:db8:1:2::6", "2001:db8:1:2:"),
        ("2001:db8::6", "2001:db8::"), ("2001:db8::3:4:5:6", "2001:db8::"), ("2001:db8:1::6", "2001:db8:1::"),
        ("::1", ":"), ("fe80::1:2", "fe80::"),
    ])
    func `deployed proxy: a client is an IPv4 address or an IPv6 network of 64 bits`(
        address: String, client: String
    ) throws {
        #expect(try Self.client(of: address) == client)
    }

    @Test(.timeLimit(.minutes(30)))
    func `deployed proxy: a body of unknown length is forwarded, and reaches nothing that the proxy denies`()
        async throws
    {
        try await Self.run { _, proxy in
            let upload = try await Self.status("POST /venues/mall/uploads", "3\r\nPK!\r\n0\r\n\r\n", proxy)
            #expect(upload == "202")
            for path in ["/metrics", "//metrics/", "/x/../metrics"] {
                #expect(try await Self.status("GET \(path)", "0\r\n\r\n", proxy) == "403", "\(path)")
                #expect(try await proxy.service.send("GET", path).status == 403, "\(path)")
            }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `deployed proxy: of many bodies without an end of one address the last are refused, and others served`()
        async throws
    {
        try await Self.run { node, proxy in
            let attackers = try (0..<500).map { _ in
                let client = try RawClient(port: proxy.port)
                try client.send(Self.head("POST /nowhere") + "1\r\nx\r\n")
                return client
            }
            #expect(try await proxy.service.send("GET", "/health").status == 200)
            // The last ones are refused at once, and the connection ends.
            let refusal = await attackers[499].rest(within: 120)
            #expect(refusal?.hasPrefix("HTTP/1.1 429") == true, "\(refusal ?? "no end")")
        }
    }
}
