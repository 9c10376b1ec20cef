import IMDF
import IMDFDiff
import IMDFValidation
import SyncModel

/// Prints the state of an upload for people.
enum UploadReport {
    /// Waits until an upload is final or staged, and shows its progress.
    static func wait(for id: String, at server: ServerConnection) async throws -> Upload {
        let bar = ProgressBar()
        defer { bar.clear() }
        while true {
            let upload = try await server.get(Upload.self, "/uploads/\(id)?wait=1")
            if upload.state.isFinal || upload.state == .staged { return upload }
            bar.show(upload)
        }
    }

    static func print(_ upload: Upload, at server: ServerConnection) async throws {
        switch upload.state {
        case .published:
            Terminal.print("\(upload.venue) is at revision \(upload.revision ?? 0).")
            if let changes = upload.changes { Self.print(changes) }
            try await TimeZoneReport.print(of: upload.venue, at: server)
        case .unchanged: Terminal.print("Nothing to publish: \(upload.venue) has this content already.")
        case .rejected: Terminal.print("Rejected the archive. The newest revision did not change.")
        case .failed:
            Terminal.print(
                "The upload failed after \(Terminal.count(upload.attempts, "attempt")): \(upload.failure ?? "unknown reason")."
            )
        case .staged: try await Self.print(staged: upload, at: server)
        case .received, .processing, .discarded: Terminal.print("The upload is \(upload.state.rawValue).")
        }
        if upload.state != .rejected, let identity = upload.identity { Self.print(identity, of: upload.id) }
        if let overrides = upload.overrides { Self.print(overrides, of: upload) }
        try await Self.printFindings(of: upload, at: server)
    }

    /// Prints the findings. Validation may go on after a revision is published; then only those are counted that are listed.
    private static func printFindings(of upload: Upload, at server: ServerConnection) async throws {
        // Validation may have ended since, and the list has no less than what was counted before it was requested.
        let counts =
            upload.findings.complete
            ? upload.findings : try await server.get(Upload.self, "/uploads/\(upload.id)").findings
        let list = try await server.get(FindingList.self, "/uploads/\(upload.id)/findings?limit=1000")
        if !counts.complete, upload.state == .published || upload.state == .unchanged {
            Terminal.print("Validation is still running. To see its findings: venue status \(upload.id)")
        }
        guard counts.error + counts.warning + counts.info > 0 || !list.findings.isEmpty else { return }
        func count(_ severity: Finding.Severity, _ total: Int) -> Int {
            counts.complete ? total : list.findings.count { $0.severity == severity }
        }
        Terminal.print(
            "Findings\(counts.complete ? "" : " so far"): \(Terminal.count(count(.error, counts.error), "error")), "
                + "\(Terminal.count(count(.warning, counts.warning), "warning")), \(count(.info, counts.info)) informational."
        )
        for line in Self.lines(of: list) { Terminal.print(Terminal.plain("  \(line)")) }
        Terminal.print("  To list all findings: venue validate ARCHIVE")
    }

    private static let shownRules = 20

    /// One line for each rule, with the number of its findings and the first of them; errors first.
    private static func lines(of list: FindingList) -> [String] {
        var rules: [(rule: String, findings: [Finding])] = []
        for finding in list.findings.sorted(by: { $0.severity < $1.severity }) {
            if let index = rules.firstIndex(where: { $0.rule == finding.rule }) {
                rules[index].findings.append(finding)
            } else {
                rules.append((finding.rule, [finding]))
            }
        }
        let lines = rules.prefix(Self.shownRules).map { rule, findings in
            let count = max(list.counts[rule] ?? 0, findings.count)
            let title = count > 1 ? RuleBook.rule(rule).map { " \($0.title) First:" } ?? "" : ""
            return
                "\(findings[0].severity.rawValue) \(rule)\(count > 1 ? " × \(count)" : ""):\(title) \(Self.text(of: findings[0]))"
        }
        return lines + (rules.count > lines.count ? ["and \(rules.count - lines.count) more rules"] : [])
    }

    /// Prints why an upload is staged, until when, what it would change, and the next command to type.
    private static func print(staged upload: Upload, at server: ServerConnection) async throws {
        let reasons = upload.reasons.map { Self.description(of: $0) }
        if let time = upload.publishAt {
            Terminal.print("Staged: the upload will be published at \(Timestamp.text(of: time)).")
        } else if reasons.isEmpty {
            Terminal.print("Staged: the upload waits until you publish or discard it.")
        } else {
            Terminal.print("Staged instead of published:")
            for reason in reasons { Terminal.print("  ! \(reason)") }
        }
        if upload.reasons.contains(Upload.Reason.overrides.rawValue) {
            try await Self.printContested(by: upload, at: server)
        }
        let base = upload.base ?? 0
        if let changes = upload.changes {
            Terminal.print(base > 0 ? "Compared with revision \(base):" : "This would be the first revision:")
            Self.print(changes)
        }
        // Two reasons need no confirmation: --base names the head that was shown, and the revoked key is not the one that
        // publishes now.
        let resolved: Set = [Upload.Reason.headMoved.rawValue, Upload.Reason.keyRevoked.rawValue]
        let confirm = upload.reasons.filter { !resolved.contains($0) }.joined(separator: ",")
        Terminal.print(
            "Next: venue publish \(upload.id) --base \(base)\(confirm.isEmpty ? "" : " --confirm \(confirm)")")
        Terminal.print("  or: venue discard \(upload.id)")
    }

    /// Prints the overrides about which the archive says something new. Nothing is published, so the list of the venue's overrides does
    /// not have that yet.
    private static func printContested(by upload: Upload, at server: ServerConnection) async throws {
        let path = "/uploads/\(upload.id)/changes?bodies=false&limit=1"
        let contested = try await server.get(RevisionDiff.self, path).overrides ?? []
        for override in contested.prefix(10) {
            for line in OverrideReport.values(of: override) { Terminal.print("    \(line)") }
        }
        if contested.count > 10 { Terminal.print("    and \(contested.count - 10) more") }
    }

    private static func description(of reason: String) -> String {
        switch Upload.Reason(rawValue: reason) {
        case .removal:
            """
            The archive lacks more than 30 % of the features, a whole level with 20 features or more, all of three or more \
            features of a type, or half of 20 or more (removal).
            """
        case .otherVenue: "The archive belongs to another venue (other_venue)."
        case .otherOrigin: "The origin in the manifest differs from that of the published archive (other_origin)."
        case .headMoved:
            "A newer revision was published meanwhile, and the changes are different now (head_moved)."
        case .keyRevoked: "The key that requested the publication was revoked or has expired (key_revoked)."
        case .overrides:
            "The archive contradicts values that were edited by hand. If you publish it, the edits stay in effect (overrides)."
        case nil: "Reason given by the server: \(reason)."
        }
    }

    static func print(_ changes: ChangeSummary) {
        Terminal.print("\(changes.added) added, \(changes.changed) changed, \(changes.removed) removed.")
        for sentence in changes.words { Terminal.print("  · \(sentence)") }
    }

    /// Prints how many features were matched under new ids; nothing if there are none.
    private static func print(_ identity: Upload.Identity, of upload: String) {
        let matched = identity.matched + identity.near
        guard matched > 0 else { return }
        Terminal.print(
            "Matched \(Terminal.count(matched, "feature")) under new ids, \(identity.near) of them by similarity.")
        if identity.near > 0 { Terminal.print("  To list them with reasons: venue status \(upload) --matches") }
    }

    /// Prints what became of the edits of a venue.
    private static func print(_ overrides: Upload.OverrideCounts, of upload: Upload) {
        if overrides.redundant > 0 {
            Terminal.print(
                "\(Terminal.count(overrides.redundant, "edit")) ended, because the archive has the same value.")
        }
        if overrides.yielded > 0 {
            Terminal.print("\(Terminal.count(overrides.yielded, "edit")) ended, because the archive has a new value.")
        }
        if overrides.orphaned > 0 {
            Terminal.print("\(Terminal.count(overrides.orphaned, "edit")) without a feature in the archive.")
        }
        guard overrides.contested > 0 else { return }
        let contested = "\(Terminal.count(overrides.contested, "edit")) contradicted by the archive."
        // The state of the overrides changes when the archive is published.
        let isPublished = upload.state == .published || upload.state == .unchanged
        Terminal.print(
            contested
                + (isPublished ? " To list what you have to decide: venue overrides \(upload.venue) --contested" : ""))
    }

    static func print(_ matches: [IdentityMatch]) {
        Terminal.print(
            table: matches.map {
                [
                    $0.kind.rawValue, $0.type.rawValue, $0.archiveID.description, "is \($0.id)", $0.reason.rawValue,
                    "\(($0.score * 100).rounded() / 100)",
                ]
            })
    }

    private struct FindingList: Decodable {
        let findings: [Finding]
        /// By rule, even of those that are not stored.
        let counts: [String: Int]
    }

    private static func text(of finding: Finding) -> String {
        let location = [finding.file, finding.pointer, finding.featureID?.description].compactMap { $0 }
        return finding.message + (location.isEmpty ? "" : " (\(location.joined(separator: " ")))")
    }
}
