public import IMDF
public import Observation

/// What a view of SwiftUI shows of a replica: whether it is current, and the floors for a level picker. It changes on the main actor.
///
///     @State private var mall: ObservableReplica
///     Text(mall.status.connection.description)
///     ForEach(mall.floors, id: \\.ordinal) { Text($0.pickerLabel(for: Locale.preferredLanguages) ?? "") }
@MainActor @Observable
public final class ObservableReplica {
    public private(set) var status: ReplicaStatus
    /// See ``ReplicaReader/floors()``.
    public private(set) var floors: [VenueGraph.Floor] = []
    @ObservationIgnored private var tasks: [Task<Void, Never>] = []

    /// Observes the replica until it is closed, or until this object is released.
    public init(_ replica: VenueReplica) {
        self.status = replica.status
        self.tasks = [
            Task { [weak self] in
                for await status in replica.statusUpdates() { self?.status = status }
            },
            Task { [weak self] in
                guard let changes = try? await replica.changes(on: [.venueWide]) else { return }
                do {
                    for try await _ in changes { self?.floors = try await replica.store.floors() }
                } catch {}
            },
        ]
    }

    isolated deinit {
        for task in self.tasks { task.cancel() }
    }
}
