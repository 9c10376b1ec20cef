import Foundation
import IMDF
import IMDFValidation

/// A report in SARIF 2.1.0, for code review tools. Files have their names in the archive.
///
/// - SeeAlso: OASIS, *Static Analysis Results Interchange Format*, version 2.1.0.
struct SARIFLog: Encodable {
    struct Text: Encodable {
        let text: String
    }

    struct Rule: Encodable {
        struct Configuration: Encodable {
            let level: String
        }

        struct Properties: Encodable {
            let source: String
        }

        let id: String
        let shortDescription: Text
        let defaultConfiguration: Configuration
        let properties: Properties
    }

    struct Driver: Encodable {
        let name: String
        let version: String
        let rules: [Rule]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Artifact: Encodable {
        let uri: String
    }

    struct Physical: Encodable {
        let artifactLocation: Artifact
    }

    struct Logical: Encodable {
        let name: String?
        let fullyQualifiedName: String?
        let kind: String
    }

    struct Location: Encodable {
        let physicalLocation: Physical
        let logicalLocations: [Logical]?
    }

    struct Details: Encodable {
        let longitude: Double
        let latitude: Double
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int?
        let level: String
        let message: Text
        let locations: [Location]
        let properties: Details?
    }

    struct RuleReference: Encodable {
        let id: String
    }

    struct Notification: Encodable {
        let level: String
        let message: Text
        let associatedRule: RuleReference
    }

    struct Invocation: Encodable {
        let executionSuccessful: Bool
        let toolExecutionNotifications: [Notification]
    }

    struct Run: Encodable {
        let tool: Tool
        let invocations: [Invocation]
        let results: [Result]
    }

    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    init(_ report: FindingReport, of file: String) {
        let rules = RuleBook.all.map { rule in
            Rule(
                id: rule.id, shortDescription: Text(text: rule.title),
                defaultConfiguration: Rule.Configuration(level: Self.level(rule.severity)),
                properties: Rule.Properties(source: rule.source))
        }
        let indices = Dictionary(uniqueKeysWithValues: zip(rules.map(\.id), 0...))
        let notifications = report.skipped.map { skipped in
            Notification(
                level: "note",
                message: Text(
                    text: skipped.reason + (skipped.features.map { " (\(Terminal.count($0, "feature")))" } ?? "")),
                associatedRule: RuleReference(id: skipped.rule))
        }
        self.runs = [
            Run(
                tool: Tool(driver: Driver(name: "venue validate", version: RuleBook.edition, rules: rules)),
                invocations: [Invocation(executionSuccessful: true, toolExecutionNotifications: notifications)],
                results: report.findings.map { Self.result($0, indices[$0.rule], archive: file) })
        ]
    }

    private static func level(_ severity: Finding.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    private static func result(_ finding: Finding, _ rule: Int?, archive: String) -> Result {
        let uri = (finding.file ?? archive).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "archive"
        let isNamed = finding.featureID != nil || finding.pointer?.isEmpty == false
        let logical = Logical(
            name: finding.featureID?.description, fullyQualifiedName: finding.pointer, kind: "object")
        return Result(
            ruleId: finding.rule, ruleIndex: rule, level: Self.level(finding.severity),
            message: Text(text: finding.message),
            locations: [
                Location(
                    physicalLocation: Physical(artifactLocation: Artifact(uri: uri)),
                    logicalLocations: isNamed ? [logical] : nil)
            ],
            properties: finding.at.flatMap { $0.count == 2 ? Details(longitude: $0[0], latitude: $0[1]) : nil })
    }
}
