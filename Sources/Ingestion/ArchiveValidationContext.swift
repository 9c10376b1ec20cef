package import Foundation
import IMDF
package import IMDFArchive
package import IMDFValidation

extension ValidationContext {
    /// An archive as the rule book looks at it.
    ///
    /// - Parameters:
    ///   - archive: under the ids that it came with.
    ///   - now: the moment that rules take for now.
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
