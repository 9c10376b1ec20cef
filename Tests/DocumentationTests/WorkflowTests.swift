import Foundation
import Testing
import Yams

/// The files that hosting services read: workflows, templates, settings.
@Suite struct WorkflowTests {
    private static func files(_ folder: String) -> [String] {
        let path = DocumentationPage.root.appending(path: folder).path
        return (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".yml") }.map { "\(folder)/\($0)" }.sorted()
    }

    @Test func `workflows, templates and settings are valid YAML`() throws {
        let files = Self.files(".github") + [".spi.yml", "docker-compose.yml"]
        #expect(files.count >= 9)
        for file in files {
            let text = try String(contentsOf: DocumentationPage.root.appending(path: file), encoding: .utf8)
            #expect(throws: Never.self, "\(file)") { try #require(try Yams.load(yaml: text) as? [String: Any]) }
        }
    }

    @Test func `scripts named by a workflow, a script or a page exist and are executable`() throws {
        let scripts = [".ci/check", ".ci/run", "Scripts/check", "Scripts/docs", "Scripts/test", "Scripts/release"]
        for file in Self.files(".github/workflows") + scripts + DocumentationPage.all.map(\.path) {
            let text = try String(contentsOf: DocumentationPage.root.appending(path: file), encoding: .utf8)
            for match in text.matches(
                of: /(?:^|[\s`"(])((?:Scripts|\.ci)\/[a-z-]+)(?=[\s`")]|$)/.anchorsMatchLineEndings())
            {
                let script = DocumentationPage.root.appending(path: String(match.output.1)).path
                #expect(FileManager.default.fileExists(atPath: script), "\(file) names \(match.output.1)")
                if !file.hasSuffix(".md") { #expect(FileManager.default.isExecutableFile(atPath: script), "\(script)") }
            }
        }
    }

    @Test func `library documentation is built for every library product`() throws {
        let root = DocumentationPage.root
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let products = Set(package.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) })
        let script = try String(contentsOf: root.appending(path: "Scripts/docs"), encoding: .utf8)
        let built = try #require(script.firstMatch(of: /for module in ([\w ]+); do/)).output.1.split(separator: " ")
        #expect(Set(built.map(String.init)) == products)
        let settings = try String(contentsOf: root.appending(path: ".spi.yml"), encoding: .utf8)
        for product in products {
            #expect(settings.contains(product))
            let article = root.appending(path: "Sources/\(product)/\(product).docc/\(product).md").path
            #expect(FileManager.default.fileExists(atPath: article), "\(product) has no article")
        }
    }
}
