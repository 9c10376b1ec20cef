import Foundation
import VenueSync

// An example that the documentation quotes, here so that it is compiled; SnippetTests compares the two.

func publish(_ file: URL, to venue: VenueKey, with uploader: VenueUploader) async throws {
    var options = VenueUploader.Options()
    options.message = "Spring tenants"
    let upload = try await uploader.push(file, to: venue, options: options)
    switch upload.state {
    case .published: print("revision \(upload.revision ?? 0)", upload.changes?.words ?? [])
    case .unchanged: print("nothing changed")
    default: print("\(upload.state.rawValue): \(upload.reasons)")
    }
}
