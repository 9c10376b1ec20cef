import IMDF

/// What the reasons of routes and reports mean, for people.
enum ReasonText {
    /// A sentence without a subject, which is the feature of the reason.
    static func text(_ code: String) -> String {
        switch code {
        case "closed": "is closed"
        case "stairs": "has steps"
        case "escalator": "is an escalator"
        case "narrow-opening": "is narrower than 0.8 m"
        case "restricted": "is restricted, so that no way leads through it"
        case "emergency-exit": "is an emergency exit, so that no other way leads through it"
        case "one-way": "can be passed in the other direction only"
        case "no-opening": "has no opening to another unit"
        case "leads-nowhere":
            "leads to no other floor: the map has it on one floor only, or at another position on the other floor"
        case "joins-nothing": "joins no two units: on one side, or on both, no wall of a unit is within 0.3 m"
        case "not-connected": "is not connected with the rest of the map"
        case "unusable": "has an outline that cannot be used"
        case "outside-units": "is in no unit"
        case "unknown-feature": "does not exist in the newest revision"
        case "too-far": "cannot be found: the map is too large to search"
        case "no-exit-stated":
            "has no exit: no opening of the category pedestrian.principal or emergencyexit has a unit on one side only"
        default: code
        }
    }
}
