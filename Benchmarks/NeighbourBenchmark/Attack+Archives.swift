import BenchmarkSupport
import Foundation
import SampleVenue

extension Attack {
    /// Archives that cost much work for few bytes. Each is measured until its report is complete or the time limit is reached.
    static let archives: [Attack] =
        HostileArchive.allCases.map { archive in
            Attack(name: "archive: \(archive.rawValue)") { service in
                let upload = try await service.upload(archive.zip(), to: Self.venue(of: archive))
                try await service.report(of: upload)
            }
        } + [.newIDs, .deletedVenue]

    /// The same features under new ids, which have to be matched.
    private static let newIDs = Attack(name: "archive: denseUnits, all ids new") { service in
        try await service.outcome(
            of: service.upload(HostileArchive.denseUnits.zip(seed: 1), to: Self.venue(of: .denseUnits)))
    }

    /// A venue that is deleted while its archive is validated.
    private static let deletedVenue = Attack(name: "archive: crossingCombs, venue deleted") { service in
        let venue = "combs.deleted"
        _ = try await service.outcome(of: service.upload(HostileArchive.crossingCombs.zip(seed: 2), to: venue))
        try await service.send(
            "DELETE", "/venues/\(venue)", type: "application/json", body: Array(#"{"confirm":"\#(venue)"}"#.utf8))
    }

    private static func venue(of archive: HostileArchive) -> String { "hostile-\(archive.rawValue.lowercased())" }
}
