public import IMDF

/// How fast people walk in a venue, and how long its lifts take: the venue's setting `wayfinding`.
public struct TravelTimes: Hashable, Sendable {
    /// In meters a second, for ``Profile/walk``.
    public private(set) var walkSpeed = 1.2
    /// In meters a second, for ``Profile/stepFree``.
    public private(set) var stepFreeSpeed = 0.8
    /// The seconds that a lift takes for waiting and for its doors.
    public private(set) var elevatorSeconds = 90.0
    /// The seconds that a lift takes besides for each level.
    public private(set) var elevatorSecondsPerLevel = 20.0

    private enum Member: String, CaseIterable {
        case walkSpeed = "walk_speed"
        case stepFreeSpeed = "step_free_speed"
        case elevatorSeconds = "elevator_seconds"
        case elevatorSecondsPerLevel = "elevator_seconds_per_level"

        var range: ClosedRange<Double> {
            switch self {
            case .walkSpeed, .stepFreeSpeed: 0.2...3
            case .elevatorSeconds: 0...900
            case .elevatorSecondsPerLevel: 0...300
            }
        }
    }

    /// The times of venues without the setting.
    public init() {}

    /// Reads a setting that a server sent. Members that are missing, or that cannot be used, have their usual values.
    public init(_ setting: JSONValue?) {
        for member in Member.allCases {
            guard let number = setting?[member.rawValue]?.number, member.range.contains(number) else { continue }
            self.set(member, number)
        }
    }

    /// Reads a new setting.
    package init(validating setting: JSONValue) throws(SettingFault) {
        for (name, value) in setting.object?.members.map({ ($0.key, $0.value) }) ?? [] {
            guard let member = Member(rawValue: name) else {
                throw SettingFault(pointer: "/\(SettingFault.escaped(name))", detail: "there is no such member")
            }
            guard let number = value.number, member.range.contains(number) else {
                let bounds = [member.range.lowerBound, member.range.upperBound].map {
                    String(decoding: CanonicalJSON.data(.number($0)), as: UTF8.self)
                }
                throw SettingFault(
                    pointer: "/\(name)", detail: "it must be a number from \(bounds[0]) to \(bounds[1])")
            }
            self.set(member, number)
        }
    }

    private mutating func set(_ member: Member, _ number: Double) {
        switch member {
        case .walkSpeed: self.walkSpeed = number
        case .stepFreeSpeed: self.stepFreeSpeed = number
        case .elevatorSeconds: self.elevatorSeconds = number
        case .elevatorSecondsPerLevel: self.elevatorSecondsPerLevel = number
        }
    }
}

/// How long ways take for a profile.
struct Pace: Hashable, Sendable {
    let profile: Profile
    let times: TravelTimes

    static let walk = Pace(.walk)

    init(_ profile: Profile, _ times: TravelTimes = TravelTimes()) {
        (self.profile, self.times) = (profile, times)
    }

    /// Meters in a second.
    var speed: Double {
        switch self.profile {
        case .walk: self.times.walkSpeed
        case .stepFree: self.times.stepFreeSpeed
        }
    }

    /// The seconds that a change of floors takes.
    func seconds(of mode: VerticalMode, from departure: Stop, to arrival: Stop) -> Double {
        let floors = Double((arrival.ordinal - departure.ordinal).magnitude)
        let seconds =
            switch mode {
            case .elevator: self.times.elevatorSeconds + self.times.elevatorSecondsPerLevel * floors
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
