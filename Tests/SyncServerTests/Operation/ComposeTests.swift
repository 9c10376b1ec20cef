import Foundation
import Testing
import Yams

/// The settings of the services in the Docker Compose file. Nothing is started.
struct ComposeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: self.root.appending(path: name), encoding: .utf8)
    }

    private static func services() throws -> [String: [String: Any]] {
        let file = try #require(try Yams.load(yaml: self.text("docker-compose.yml")) as? [String: Any])
        return try #require(file["services"] as? [String: [String: Any]])
    }

    @Test func `Compose services have limits on memory and stop time, and a read-only file system`() throws {
        let services = try Self.services()
        #expect(Set(services.keys) == ["db", "migrate", "api", "worker"])
        for (name, service) in services {
            #expect(service["mem_limit"] is String, "\(name)")
            #expect((service["stop_grace_period"] as? String)?.isEmpty == false, "\(name)")
            #expect(service["read_only"] as? Bool == true, "\(name)")
            if name != "db" {
                #expect(service["cap_drop"] as? [String] == ["ALL"], "\(name)")
                #expect(service["security_opt"] as? [String] == ["no-new-privileges:true"], "\(name)")
            }
        }
        // Services that read or build archives have a folder for temporary files.
        for name in ["api", "worker"] { #expect(services[name]?["volumes"] as? [String] == ["/tmp"], "\(name)") }
    }

    @Test func `Compose: the API port is published on the loopback interface by default`() throws {
        for (name, service) in try Self.services() {
            for port in service["ports"] as? [String] ?? [] {
                #expect(name == "api" && port.hasPrefix("${VENUE_BIND_ADDRESS:-127.0.0.1}:"), "\(name): \(port)")
            }
        }
    }

    @Test func `Compose images can be pinned by their digests`() throws {
        for (name, service) in try Self.services() {
            let image = try #require(service["image"] as? String)
            #expect(image.hasPrefix("${VENUE_"), "\(name): \(image)")
            guard let build = service["build"] as? [String: Any] else { continue }
            let arguments = try #require(build["args"] as? [String: String])
            #expect(arguments.values.allSatisfy { $0.hasPrefix("${VENUE_") }, "\(name)")
            let dockerfile = try Self.text("Dockerfile")
            let images = dockerfile.matches(of: /(?m)^FROM (\S+)/).map { String($0.output.1) }
            #expect(Set(images) == Set(arguments.keys.map { "${\($0)}" }))
            for (argument, value) in arguments {
                // Both files have the same default.
                let tag = try #require(value.firstMatch(of: /:-(.*)}$/)).output.1
                #expect(dockerfile.contains("ARG \(argument)=\(tag)\n"))
            }
        }
    }

    @Test func `Compose: every documented setting of the service reaches the API container`() throws {
        let documented = try Self.text("docs/self-host/settings.md").matches(of: /VENUE_[A-Z_]+/).map {
            String($0.output)
        }
        // The first four name files and folders of the image, the others are settings of the command-line client.
        let others: Set = [
            "VENUE_CONSOLE_FOLDER", "VENUE_MAP_LIBRARY", "VENUE_TILE_FONTS", "VENUE_TIME_ZONES", "VENUE_KEY",
            "VENUE_SERVER",
        ]
        let environment = try #require(Self.services()["api"]?["environment"] as? [String: Any])
        #expect(documented.count > 20)
        #expect(Set(documented).subtracting(others).subtracting(environment.keys).sorted() == [])
    }

    @Test func `build context of the image excludes secrets beside the sources`() throws {
        let ignored = try Self.text(".dockerignore").split(separator: "\n")
        #expect(ignored.contains("**/.env") && ignored.contains("**/.env.*"))
    }
}
