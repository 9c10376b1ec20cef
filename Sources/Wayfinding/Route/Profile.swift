/// Who walks.
public enum Profile: String, Hashable, Sendable, CaseIterable {
    case walk
    /// Without stairs, steps, escalators and openings narrower than 0.8 m.
    case stepFree = "step-free"

    /// Meters in a second.
    var speed: Double {
        switch self {
        case .walk: 1.2
        case .stepFree: 0.8
        }
    }

    /// The seconds that a change of floors takes.
    func seconds(of mode: VerticalMode, from departure: Stop, to arrival: Stop) -> Double {
        let floors = Double((arrival.ordinal - departure.ordinal).magnitude)
        let seconds =
            switch mode {
            case .elevator: 90 + 20 * floors
            case .stairs, .escalator: 20 * floors
            case .ramp: 60 * floors
            }
        return max(seconds, departure.point.distance(to: arrival.point) / (self.speed * 1_000))
    }

    /// How far somebody could walk in that time, in millimeters.
    func length(of mode: VerticalMode, from departure: Stop, to arrival: Stop) -> Double {
        self.seconds(of: mode, from: departure, to: arrival) * (self.speed * 1_000)
    }
}
