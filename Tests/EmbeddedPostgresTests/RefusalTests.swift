import EmbeddedPostgres
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct `Errors of the embedded PostgreSQL` {
    @Test(.requires(geteuid() == 0, "the tests do not run as root"))
    func `data folder that the server's user cannot enter is named in the error`() async throws {
        try await Workplace.with { place in
            let closed = place.path + "/closed"
            try #require(mkdir(closed, 0o700) == 0)
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(in: closed + "/deep/data", settings: Workplace.settings)
            }
            guard case .cannotEnter(closed, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains("cannot enter \(closed)") == true)
            #expect(!exists(closed + "/deep/data/postgresql"))
        }
    }

    @Test func `start: missing programs are reported with the package to install`() async throws {
        try await Workplace.withCluster { place in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(in: place.data, programFolders: [place.path])
            }
            #expect(error == .missingPrograms(searched: [place.path]))
            #expect(error?.description.contains("install postgresql") == true)
            // The lock of the folder was released.
            let result = try await place.query("SELECT 1")
            #expect(result == "1")
        }
    }

    @Test func `data folder of another version is refused and left alone`() async throws {
        try await Workplace.withCluster { place in
            try Data("9\n".utf8).write(to: URL(fileURLWithPath: place.cluster + "/PG_VERSION"), options: [])
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await place.start() }
            guard case .unsuitableVersion(let found, "9") = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(!found.isEmpty)
            #expect(exists(place.cluster + "/base"))
        }
    }

    @Test func `data folder that is no cluster is refused and left alone`() async throws {
        try await Workplace.with { place in
            try FileManager.default.createDirectory(atPath: place.cluster, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: place.cluster + "/notes"))
            if geteuid() == 0 { try #require(chown(place.cluster, 65_534, 65_534) == 0) }
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await place.start() }
            #expect(error == .notACluster(folder: place.cluster))
            #expect(exists(place.cluster + "/notes"))
        }
    }

    @Test(.requires(geteuid() == 0, "the tests do not run as root"))
    func `data folder that belongs to root is refused`() async throws {
        try await Workplace.with { place in
            try FileManager.default.createDirectory(atPath: place.cluster, withIntermediateDirectories: true)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await place.start() }
            guard case .foreignData(place.cluster, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `start: the message of a server that does not start is passed on`() async throws {
        try await Workplace.withCluster { place in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(in: place.data, settings: ["fsync": "off", "no_such_setting": "1"])
            }
            #expect(error?.description.contains("no_such_setting") == true)
        }
    }

    @Test func `data folder that is a file is refused`() async throws {
        try await Workplace.with { place in
            try Data().write(to: URL(fileURLWithPath: place.data))
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await place.start() }
            #expect(error == .cannotWrite(path: place.data, reason: "it is not a folder"))
        }
    }
}
