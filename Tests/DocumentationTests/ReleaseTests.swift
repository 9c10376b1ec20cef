import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The version of the program, the changelog, and the script that makes a release of both.
@Suite struct ReleaseTests {
    private static let root = DocumentationPage.root

    @Test func `changelog has a section for the version of the program`() async throws {
        let version = try await VenueProgram.run(["--version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let changelog = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        #expect(changelog.contains("\n## [\(version)] - "))
        #expect(changelog.contains("\n## [Unreleased]\n"))
    }

    /// The files that contain the version of a client in another language or of an image, and how they contain it.
    private static func clientVersions(_ version: String) -> [(path: String, line: String)] {
        [
            ("Clients/java/VERSION", version), ("Clients/python/pyproject.toml", "version = \"\(version)\""),
            ("Clients/python/src/venuesync/__init__.py", "__version__ = \"\(version)\""),
            ("Clients/javascript/package.json", "    \"version\": \"\(version)\","),
            ("deploy/kubernetes/venuesync.yaml", "          image: venuesync:\(version)"),
            ("deploy/kubernetes/venuesync.yaml", "  name: venuesync-migrate-\(version)"),
        ]
    }

    @Test func `clients in other languages and manifests have the version of the program`() async throws {
        let version = try await VenueProgram.run(["--version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        for (path, line) in Self.clientVersions(version) {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(path)")
        }
    }

    @Test func `image is built with versions of packages that the manifest permits`() throws {
        struct Versions: Decodable {
            struct Pin: Decodable {
                let location: String
                let state: State
            }
            struct State: Decodable { let version: String }
            let pins: [Pin]
        }
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let file = try Data(contentsOf: Self.root.appending(path: "deploy/package-versions.json"))
        let pins = try JSONDecoder().decode(Versions.self, from: file).pins
        let versions = Dictionary(uniqueKeysWithValues: pins.map { ($0.location, $0.state.version) })
        let requirements = manifest.matches(of: /\.package\(url: "([^"]+)", from: "([0-9.]+)"\)/)
        #expect(requirements.count == manifest.matches(of: /\.package\(/).count)
        for requirement in requirements {
            let (url, lowest) = (String(requirement.1), String(requirement.2))
            let version = try #require(versions[url], "\(url)")
            #expect(version.split(separator: ".").first == lowest.split(separator: ".").first, "\(url)")
            #expect(version.compare(lowest, options: .numeric) != .orderedAscending, "\(url) \(version) < \(lowest)")
        }
        let image = try String(contentsOf: Self.root.appending(path: "Dockerfile"), encoding: .utf8)
        #expect(image.contains("cp deploy/package-versions.json Package.resolved"))
        #expect(image.contains("swift build -c release --product venue --force-resolved-versions"))
    }

    /// Creates a Git repository with the files that the script needs.
    private static func createRepository() async throws -> Workplace {
        let workplace = try Workplace()
        for path in [
            "Scripts/release", "Scripts/functions.sh", "Sources/SyncServer/Version.swift",
            "deploy/package-versions.json",
        ]
            + Set(Self.clientVersions("").map(\.path))
        {
            let copy = workplace.folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Self.root.appending(path: path), to: copy)
        }
        let changelog =
            "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A lift.\n\n## [0.0.1] - 2020-01-01\n\n- A door.\n"
        try Data(changelog.utf8).write(to: workplace.folder.appending(path: "CHANGELOG.md"))
        let changes = workplace.folder.appending(path: "changes")
        try FileManager.default.createDirectory(at: changes, withIntermediateDirectories: true)
        for (name, text) in [("README", "How."), ("fixed-stairs", "- Stairs."), ("added-door", "- A \\door.")] {
            try Data("\(text)\n".utf8).write(to: changes.appending(path: "\(name).md"))
        }
        try Data(".build/\n".utf8).write(to: workplace.folder.appending(path: ".gitignore"))
        try await Self.bash(
            """
            git init --quiet --initial-branch=main . && git add . && git commit --quiet --message Begin && git tag 0.0.1
            git remote add origin git@example.com:maps/venuesync.git
            """, in: workplace)
        return workplace
    }

    @discardableResult
    private static func bash(_ command: String, in workplace: Workplace) async throws -> (status: Int32, output: String)
    {
        let record = try await Subprocess.run(
            .path("/bin/bash"), arguments: ["-c", command],
            environment: .inherit.updating([
                "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
                "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": "/dev/null",
            ]),
            workingDirectory: FilePath(workplace.folder.path), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        let status: Int32 = if case .exited(let code) = record.terminationStatus { code } else { -1 }
        return (status, record.standardOutput + record.standardError)
    }

    @Test func `release script sets the version, dates the changelog, tags and packs the sources`() async throws {
        let workplace = try await Self.createRepository()
        let result = try await Self.bash("Scripts/release 9.8.7 --no-build", in: workplace)
        #expect(result.status == 0, "\(result.output)")
        let version = try String(contentsOfFile: workplace.path("Sources/SyncServer/Version.swift"), encoding: .utf8)
        #expect(version.contains(#"version = "9.8.7""#))
        for (path, line) in Self.clientVersions("9.8.7") {
            let text = try String(contentsOfFile: workplace.path(path), encoding: .utf8)
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(path)")
        }
        let changelog = try String(contentsOfFile: workplace.path("CHANGELOG.md"), encoding: .utf8)
        #expect(changelog.contains(/## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A lift\./))
        #expect(changelog.contains("- A lift.\n\n### Added\n\n- A \\door.\n\n### Fixed\n\n- Stairs.\n\n## [0.0.1]"))
        #expect(changelog.hasSuffix("\n[9.8.7]: https://example.com/maps/venuesync/compare/0.0.1...9.8.7\n"))
        let changes = try FileManager.default.contentsOfDirectory(atPath: workplace.path("changes"))
        #expect(changes == ["README.md"])
        let tag = try await Self.bash("git status --porcelain && git tag --list --format='%(contents)'", in: workplace)
        #expect(tag.output.contains("VenueSync 9.8.7") && tag.output.contains("### Added\n\n- A lift."))
        #expect(!tag.output.contains("A door"))
        let sums = try await Self.bash(
            "cd .build/release-9.8.7 && sha256sum --check SHA256SUMS && tar -tzf venuesync-9.8.7.tar.gz", in: workplace)
        #expect(sums.status == 0 && sums.output.contains("venuesync-9.8.7/CHANGELOG.md"), "\(sums.output)")
    }

    @Test func `release script neither commits nor tags when a build fails`() async throws {
        let workplace = try await Self.createRepository()
        try await Self.bash(
            "install -m 755 /dev/null Scripts/install-dependencies && git add . && git commit -qm x", in: workplace)
        let before = try await Self.bash(
            "git rev-parse HEAD && cat Sources/SyncServer/Version.swift && git tag --list", in: workplace)
        let result = try await Self.bash(
            "swift() { echo \"no build\"; return 1; }; javac() { :; }; export -f swift javac; Scripts/release 9.8.7",
            in: workplace)
        #expect(result.status == 1 && result.output.contains("no build"), "\(result.output)")
        let after = try await Self.bash(
            "git rev-parse HEAD && cat Sources/SyncServer/Version.swift && git status --porcelain && git tag --list",
            in: workplace)
        #expect(before.status == 0 && after.output == before.output, "\(after.output)")
    }

    @Test(arguments: [
        ("Scripts/release", "which version?"), ("Scripts/release 1.2", "which version?"),
        ("Scripts/release 1.0.0 --fast", "unknown argument"), ("touch new && Scripts/release 1.0.0", "has changes"),
        ("git checkout -q -b other && Scripts/release 1.0.0", "on main"),
        ("git tag 1.0.0 && Scripts/release 1.0.0", "already"),
        (
            "sed -i '/A lift/d; /Added/d' CHANGELOG.md && git rm -q changes/*-*.md && git commit -qam x && Scripts/release 1.0.0",
            "has no entries"
        ),
    ])
    func `release script fails when a requirement is missing`(command: String, message: String) async throws {
        let workplace = try await Self.createRepository()
        let result = try await Self.bash(command, in: workplace)
        #expect(result.status == 1 && result.output.contains(message), "\(result.output)")
        #expect(try await Self.bash("git log --oneline --all", in: workplace).output.split(separator: "\n").count <= 2)
    }
}
