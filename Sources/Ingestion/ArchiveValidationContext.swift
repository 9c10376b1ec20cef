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
        var archive = archive
        archive.settleReferences(base: [])
        let reader = JSONReader()
        let subjects = archive.features.map { feature in
            let place = archive.place(of: feature.id)
            let body = (try? reader.value(of: feature.body)) ?? .null
            return Subject(feature, body: body, file: place?.file, pointer: place?.pointer)
        }
        self.init(
            features: subjects, manifest: archive.manifest, now: now.timeIntervalSince1970, previous: previous,
            doorFindings: archive.findings)
    }
}
