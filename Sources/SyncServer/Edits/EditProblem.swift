import Hummingbird
import IMDF
import RevisionPlanning
import SyncModel

/// What the problem document for an edit that was refused says beside what in the request is wrong: the rule that it would break.
struct EditProblem: Encodable {
    @OrNull private var rule: String?
    /// Features that refer to what would disappear.
    private let dependents: [FeatureID]
    /// The first errors that the edit would cause. Their pointers are relative to the feature.
    private let findings: [Finding]
    /// Whether the same request with `force` is accepted.
    private let canBeForced: Bool

    private static let maxFindings = 100

    enum CodingKeys: String, CodingKey {
        case rule, dependents, findings
        case canBeForced = "can_be_forced"
    }

    private init(_ refusal: RefusedEdit) {
        self.rule = refusal.rule
        self.dependents = refusal.dependents
        self.findings = Array(refusal.findings.prefix(Self.maxFindings))
        self.canBeForced = refusal.canBeForced
    }

    static func response(to refusal: RefusedEdit) throws -> Response {
        var problem = Problem(refusal)
        problem.pointer = refusal.pointer
        return try problem.response(beside: Self(refusal))
    }
}

extension Problem {
    fileprivate init(_ refusal: RefusedEdit) {
        self =
            switch refusal.reason {
            case .unknownFeature: .editedFeatureNotFound(refusal.detail)
            case .unknownOverride: .overrideNotFound
            case .featureExists: .featureExists(refusal.detail)
            case .notContested: .notContested(refusal.detail)
            case .otherTag: .featureChanged
            case .otherOverrideTag: .overrideChanged
            case .identityReused: .editIDReused(refusal.detail)
            case .invalid: .editRefused(refusal.detail)
            }
    }
}
