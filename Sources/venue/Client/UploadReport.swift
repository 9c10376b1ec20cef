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
        case .failed:
            Terminal.say(
                "Failed after \(Terminal.count(upload.attempts, "attempt")): \(upload.failure ?? "no reason is known")."
            )
        case .staged: Self.say(staged: upload)
        case .received, .processing, .discarded: Terminal.say("The upload is \(upload.state.rawValue).")
        }
        if let identity = upload.identity { Self.say(identity, of: upload.id) }
        let counts = upload.findings
        if !counts.complete, upload.state == .published || upload.state == .unchanged {
            Terminal.say("The rule book is still being run through. What it finds: venue status \(upload.id)")
        }
        guard counts.error + counts.warning + counts.info > 0 else { return }
        let numbers = [(counts.error, "error"), (counts.warning, "warning"), (counts.info, "remark")]
        Terminal.say("Findings: \(numbers.map { Terminal.count($0, $1) }.joined(separator: ", ")).")
        let findings = try await server.get(FindingList.self, "/uploads/\(upload.id)/findings?limit=10").findings
        for finding in findings { Terminal.say("  \(Self.line(of: finding))") }
    }

    /// Why it is held back, until when, what it would change, and what to type next.
    private static func say(staged upload: Upload) {
        let reasons = upload.reasons.map { Self.words(for: $0) }
        if let time = upload.publishAt {
            Terminal.say("Staged: it is published at \(Timestamp.text(of: time)).")
        } else if reasons.isEmpty {
            Terminal.say("Staged: it is published when you say so.")
        } else {
            Terminal.say("Held back, nothing was published:")
            for reason in reasons { Terminal.say("  ! \(reason)") }
        }
        let base = upload.base ?? 0
        if let changes = upload.changes {
            Terminal.say(base > 0 ? "Over revision \(base) it would be:" : "It would be the first revision:")
            Self.say(changes)
        }
        // What must be confirmed is. That the venue moved on is not, because --base says so from here on; nor is the revoked key,
        // because another one asks.
        let answered: Set = [Upload.Reason.headMoved.rawValue, Upload.Reason.keyRevoked.rawValue]
        let confirm = upload.reasons.filter { !answered.contains($0) }.joined(separator: ",")
        Terminal.say(
            "Next: venue publish \(upload.id) --base \(base)\(confirm.isEmpty ? "" : " --confirm \(confirm)")")
        Terminal.say("  or: venue discard \(upload.id)")
    }

    private static func words(for reason: String) -> String {
        switch Upload.Reason(rawValue: reason) {
        case .removal: "Much would go: more than 30 % of the features, or all of a level that had 20 or more (removal)."
        case .otherVenue: "The archive is that of another venue (other_venue)."
        case .otherOrigin: "The manifest names another origin than the one that is published (other_origin)."
        case .headMoved: "The venue was changed meanwhile, and this is not what was shown (head_moved)."
        case .keyRevoked: "The key that asked for it to be published is revoked (key_revoked)."
        case nil: "The server says: \(reason)."
        }
    }

    static func say(_ changes: ChangeSummary) {
        Terminal.say("\(changes.added) added, \(changes.changed) changed, \(changes.removed) removed.")
        for sentence in changes.words { Terminal.say("  · \(sentence)") }
    }

    /// Only what an operator would wonder at: that many ids were new for things which were there before.
    private static func say(_ identity: Upload.Identity, of upload: String) {
        let recognised = identity.matched + identity.near
        guard recognised > 0 else { return }
        Terminal.say(
            "\(Terminal.count(recognised, "feature")) came under new ids and \(recognised == 1 ? "was" : "were") recognised, "
                + "\(identity.near) of them by resemblance.")
        if identity.near > 0 { Terminal.say("  Which and why: venue status \(upload) --matches") }
    }

    static func say(_ matches: [IdentityMatch]) {
        Terminal.say(
            table: matches.map {
                [
                    $0.kind.rawValue, $0.type.rawValue, $0.archiveID.description, "is \($0.id)", $0.reason,
                    "\(($0.score * 100).rounded() / 100)",
                ]
            })
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
