import Foundation

/// An installation of PostgreSQL: the folder of its programs, and their version.
struct Programs: Sendable {
    /// The store's SQL needs this version.
    static let oldestVersion = 15

    let folder: String
    let version: Int

    var initdb: String { self.folder + "/initdb" }
    var postgres: String { self.folder + "/postgres" }
    var psql: String { self.folder + "/psql" }

    /// The first suitable installation that the account can run: for a new cluster any version from ``oldestVersion`` on, for
    /// an existing one exactly its version.
    static func find(for account: Account, clusterVersion: Int?, in folders: [String]?) async throws -> Programs {
        let searched: [String]
        if let folders { searched = folders } else { searched = await Self.standardFolders() }
        var found: [Int] = []
        for folder in searched {
            guard let version = await Self.version(in: folder, for: account) else { continue }
            if clusterVersion.map({ $0 == version }) ?? (version >= Self.oldestVersion) {
                return Programs(folder: folder, version: version)
            }
            found.append(version)
        }
        guard !found.isEmpty else { throw EmbeddedPostgresError.missingPrograms(searched: searched) }
        let required = clusterVersion.map { "\($0)" } ?? "\(Self.oldestVersion) or later"
        throw EmbeddedPostgresError.unsuitableVersion(found: found, required: required)
    }

    /// In order of preference: PATH, the folders that `pg_config` names, then those of Debian and Homebrew.
    private static func standardFolders() async -> [String] {
        var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") }
        for pgConfig in folders.map({ $0 + "/pg_config" }) where access(pgConfig, X_OK) == 0 {
            let result = try? await Command(program: pgConfig, arguments: ["--bindir"]).run()
            guard let result, result.succeeded else { continue }
            folders.append(result.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        folders += Self.versions(in: "/usr/lib/postgresql") { Int($0) }
        for prefix in ["/opt/homebrew/opt", "/usr/local/opt", "/home/linuxbrew/.linuxbrew/opt"] {
            folders += Self.versions(in: prefix) { name in
                name.hasPrefix("postgresql@") ? Int(name.dropFirst("postgresql@".count)) : nil
            }
        }
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }
    }

    private static func versions(in parent: String, number: (String) -> Int?) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.compactMap { name in number(name).map { (number: $0, name: name) } }
            .sorted { $0.number > $1.number }
            .map { "\(parent)/\($0.name)/bin" }
    }

    /// The major version of the programs in a folder. Runs as the account, so that programs which only root can reach do not
    /// count.
    private static func version(in folder: String, for account: Account) async -> Int? {
        let programs = Programs(folder: folder, version: 0)
        let needed = [programs.initdb, programs.postgres, programs.psql]
        guard needed.allSatisfy({ access($0, X_OK) == 0 }) else { return nil }
        let command = Command(program: programs.postgres, arguments: ["--version"], account: account)
        guard let result = try? await command.run(), result.succeeded else { return nil }
        // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "postgres (PostgreSQL) 17devel"
        guard let start = result.output.range(of: "(PostgreSQL) ")?.upperBound else { return nil }
        return Int(result.output[start...].prefix(while: \.isNumber))
    }
}
