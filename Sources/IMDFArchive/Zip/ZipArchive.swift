internal import IMDF

/// A zip archive whose entries have been checked: none has a hostile name, offset or kind.
struct ZipArchive {
    let entries: [ZipEntry]
    let inflater: ZipInflater

    /// - Throws: ``ArchiveRejection`` or ``ArchiveReadingError``.
    init(_ source: ArchiveSource, limits: ArchiveLimits) throws {
        guard source.size <= limits.archiveBytes else {
            throw Self.rejection("ST-02", "The archive is larger than \(ZipInflater.size(limits.archiveBytes)).")
        }
        do {
            let directory = try CentralDirectory(source, limits: limits)
            self.inflater = try ZipInflater(source, limits: limits)
            guard self.inflater.agrees(with: directory) else {
                throw Self.rejection("ST-01", "The archive contradicts itself about its entries.")
            }
            let checked = Self.check(directory.entries, namedBy: self.inflater)
            guard checked.findings.isEmpty else {
                throw ArchiveRejection(findings: Array(checked.findings.prefix(limits.blockingFindings)))
            }
            self.entries = checked.entries
        } catch let problem as CentralDirectory.Problem {
            throw Self.rejection(problem.rule, problem.message)
        } catch let problem as ZipInflater.Problem {
            throw Self.rejection(problem.rule, problem.message)
        }
    }

    private static func rejection(_ rule: String, _ message: String) -> ArchiveRejection {
        ArchiveRejection(findings: [Finding(rule: rule, severity: .error, message: message)])
    }

    private static func check(
        _ listed: [ZipEntry], namedBy inflater: ZipInflater
    ) -> (entries: [ZipEntry], findings: [Finding]) {
        var entries = listed
        var findings: [Finding] = []
        var names: [String: String] = [:]
        for index in entries.indices {
            var problems: [(rule: String, message: String)] = []
            if let problem = entries[index].nameProblem { problems.append(("ST-03", problem)) }
            let name = inflater.rawName(of: index)
            if let problem = ZipEntry.sizeProblem(of: name) {
                problems.append(("ST-02", problem))
            } else if problems.isEmpty, name != entries[index].rawName {
                entries[index].rawName = name
                entries[index].name = ZipEntry.text(of: name)
                if let problem = entries[index].nameProblem { problems.append(("ST-03", problem)) }
            }
            let entry = entries[index]
            if entry.isSymbolicLink { problems.append(("ST-03", "The entry is a symbolic link.")) }
            if !entry.isDirectory, let other = names.updateValue(entry.name, forKey: entry.name.lowercased()) {
                let message =
                    "Another entry has the same name or one that differs only in case: “\(other.prefix(255))”."
                problems.append(("ST-03", message))
            }
            if entry.isEncrypted {
                problems.append(("ST-01", "The entry is encrypted."))
            } else if !entry.hasKnownMethod {
                problems.append(("ST-01", "The entry is compressed by a method other than deflate."))
            }
            for problem in problems {
                findings.append(
                    Finding(rule: problem.rule, severity: .error, message: problem.message, file: entry.displayName))
            }
        }
        return (entries, findings)
    }
}
