import Hummingbird
import IMDF
import RevisionPlanning
import SyncModel

/// The problem document for an edit that was refused: what in the request is wrong, and the rule that it would break.
struct EditProblem: Encodable {
    private let type: String
    private let title: String
    private let status: Int
    private let detail: String?
    /// An RFC 6901 pointer into the body of the request.
    private let pointer: String
    @OrNull private var rule: String?
    /// Features that refer to what would disappear.
    private let dependents: [FeatureID]
    /// The first errors that the edit would cause. Their pointers are relative to the feature.
    private let findings: [Finding]
    /// Whether the same request with `force` is accepted.
    private let canBeForced: Bool

    private static let maxFindings = 100

    enum CodingKeys: String, CodingKey {
        case type, title, status, detail, pointer, rule, dependents, findings
        case canBeForced = "can_be_forced"
    }

    init(_ refusal: RefusedEdit) {
        let problem = Problem(refusal)
        self.type = problem.type
        self.title = problem.title
        self.status = problem.status
        self.detail = problem.detail
        self.pointer = refusal.pointer
        self.rule = refusal.rule
        self.dependents = refusal.dependents
        self.findings = Array(refusal.findings.prefix(Self.maxFindings))
        self.canBeForced = refusal.canBeForced
    }

    func response() throws -> Response {
        try Response.json(self, status: .init(code: self.status), type: "application/problem+json")
            .cached("no-store", isPublic: false)
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
