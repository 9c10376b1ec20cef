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
        case "restricted": "is restricted, and no passage"
        case "emergency-exit": "is an emergency exit, and no passage"
        case "one-way": "is passed in the other direction only"
        case "no-opening": "has no opening that joins it with another unit"
        case "leads-nowhere": "leads to no other floor: it is drawn on one floor alone, or not above the other one"
        case "joins-nothing": "joins nothing: on one side, or on both, no wall of a unit is within 0.3 m"
        case "not-connected": "is not connected with the rest"
        case "unusable": "has an outline that cannot be used"
        case "outside-units": "is in no unit"
        case "unknown-feature": "does not exist in the newest revision"
        case "too-far": "is too far: the search was given up"
        case "no-exit-stated":
            "has no exit: an opening of the category pedestrian.principal or emergencyexit with one side only"
        default: code
        }
    }
}
