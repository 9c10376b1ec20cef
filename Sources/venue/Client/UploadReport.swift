import IMDF
import SyncModel

/// What became of an upload, for a person.
enum UploadReport {
    /// Waits until nothing more happens to an upload, showing how far it is.
    static func wait(for id: String, at server: ServerConnection) async throws -> Upload {
        let bar = ProgressBar()
        defer { bar.clear() }
        while true {
            let upload = try await server.get(Upload.self, "/uploads/\(id)?wait=1")
            if upload.state.isFinal || upload.state == .staged { return upload }
            bar.show(upload)
        }
    }

    static func say(_ upload: Upload, at server: ServerConnection) async throws {
        switch upload.state {
        case .published:
            Terminal.say("\(upload.venue) is at revision \(upload.revision ?? 0).")
            if let changes = upload.changes { Self.say(changes) }
        case .unchanged: Terminal.say("\(upload.venue) says all of this already: nothing to publish.")
        case .rejected: Terminal.say("Rejected. The published state is as it was.")
        case .failed: Terminal.say("Failed after \(upload.attempts) tries: \(upload.failure ?? "no reason is known").")
        case .received, .processing, .staged, .discarded: Terminal.say("The upload is \(upload.state.rawValue).")
        }
        let counts = upload.findings
        guard counts.error + counts.warning + counts.info > 0 else { return }
        Terminal.say("Findings: \(counts.error) errors, \(counts.warning) warnings, \(counts.info) remarks.")
        let findings = try await server.get(FindingList.self, "/uploads/\(upload.id)/findings?limit=10").findings
        for finding in findings { Terminal.say("  \(Self.line(of: finding))") }
    }

    static func say(_ changes: ChangeSummary) {
        Terminal.say("\(changes.added) added, \(changes.changed) changed, \(changes.removed) removed.")
        for sentence in changes.words { Terminal.say("  · \(sentence)") }
    }

    private struct FindingList: Decodable {
        let findings: [Finding]
    }

    private static func line(of finding: Finding) -> String {
        let place = [finding.file, finding.pointer, finding.featureID?.description].compactMap { $0 }
        return "\(finding.severity.rawValue) \(finding.rule): \(finding.message)"
            + (place.isEmpty ? "" : " (\(place.joined(separator: " ")))")
    }
}
