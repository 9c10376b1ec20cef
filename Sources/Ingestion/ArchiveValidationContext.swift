package import Foundation
import IMDF
package import IMDFArchive
package import IMDFValidation

extension ValidationContext {
    /// The context of an archive.
    ///
    /// - Parameters:
    ///   - archive: with its own ids.
    ///   - now: the current time for rules about dates.
    package init(of archive: Archive, now: Date = Date(), previous: PreviousRevision? = nil) {
        self.init(of: archive, now: now, previous: previous, blocking: [], isIncomplete: false)
    }

    /// The context of what could be read of an archive that was rejected; nil if that is nothing.
    package init?(of rejection: ArchiveRejection, now: Date = Date()) {
        guard let archive = rejection.readable else { return nil }
        self.init(
            of: archive, now: now, previous: nil, blocking: rejection.findings, isIncomplete: rejection.isIncomplete)
    }

    private init(
        of archive: Archive, now: Date, previous: PreviousRevision?, blocking: [Finding], isIncomplete: Bool
    ) {
        var archive = archive
        archive.resolveReferences(base: [])
        let reader = JSONReader()
        let features = archive.features.map { feature in
            let location = archive.location(of: feature.id)
            let body = (try? reader.value(of: feature.body)) ?? .null
            return ValidationFeature(feature, body: body, file: location?.file, pointer: location?.pointer)
        }
        self.init(
            features: features, manifest: archive.manifest, now: now.timeIntervalSince1970, previous: previous,
            readingFindings: blocking + archive.findings, isIncomplete: isIncomplete)
    }
}
