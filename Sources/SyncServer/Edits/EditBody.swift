import Foundation
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// The body of `POST /venues/{venue}/edits`.
struct EditBody {
    /// The maximum number of operations.
    private static let limit = 1_000

    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    func request() throws -> EditRequest {
        guard let object = self.value.object else { throw Problem.body("an object is expected") }
        try object.refuseUnknown(except: ["id", "message", "base", "until", "dry_run", "force", "edits"])
        guard let edits = self.member("edits")?.array, !edits.isEmpty else {
            throw Problem.body("“edits” must be a list of at least one operation")
        }
        guard edits.count <= Self.limit else {
            throw Problem.body("“edits” may have at most \(Self.limit) operations")
        }
        return EditRequest(
            try edits.enumerated().map { try Self.operation($1, at: "/edits/\($0)") }, identity: try self.identity(),
            message: try self.text("message").map { try QueryValues.checked($0, "message") }, base: try self.base(),
            until: try self.until(), isDryRun: try self.flag("dry_run", of: self.value),
            isForced: try self.flag("force", of: self.value))
    }

    /// A member that is neither missing nor null.
    private func member(_ name: String) -> JSONValue? {
        guard let value = self.value[name], !value.isNull else { return .none }
        return value
    }

    private func text(_ name: String) throws -> String? {
        guard let value = self.member(name) else { return nil }
        guard let text = value.string else { throw Problem.body("“\(name)” must be a string") }
        return text
    }

    private func flag(_ name: String, of value: JSONValue) throws -> Bool {
        guard let member = value[name], !member.isNull else { return false }
        guard let flag = member.bool else { throw Problem.body("“\(name)” must be true or false") }
        return flag
    }

    private func identity() throws -> EditRequest.Identity? {
        guard let text = try self.text("id") else { return nil }
        guard let id = FeatureID(text) else { throw Problem.body("“id” must be a UUID") }
        return EditRequest.Identity(id: id, digest: Digest(of: CanonicalJSON.data(self.value)))
    }

    private func base() throws -> Int64? {
        guard let value = self.member("base") else { return nil }
        guard let base = value.number.flatMap({ Int64(exactly: $0) }), base > 0 else {
            throw Problem.body("“base” must be the number of a revision")
        }
        return base
    }

    private func until() throws -> Date? {
        guard let text = try self.text("until") else { return nil }
        guard let date = Timestamp.date(of: text) else { throw Problem.body("“until” must be an RFC 3339 time") }
        // A repeated request may come later than the time.
        guard date > Date() || self.member("id") != nil else { throw Problem.body("“until” must be in the future") }
        return date
    }

    // MARK: - Operations

    private static let kinds = ["patch", "add", "hide", "show", "revert"]
    /// The other members of an operation.
    private static let details = ["patch": ["feature"], "hide": ["dependents"], "revert": ["pointer"]]

    private static func operation(_ value: JSONValue, at path: String) throws -> EditRequest.Operation {
        let kinds = Self.kinds.filter { value[$0] != nil }
        guard kinds.count == 1 else {
            throw Problem.body("“\(path)” must have one of \(Self.kinds.joined(separator: ", "))")
        }
        try value.object?.refuseUnknown(except: kinds + (Self.details[kinds[0]] ?? []), at: path)
        func id(_ name: String) throws -> FeatureID {
            guard let id = value[name]?.string.flatMap({ FeatureID($0) }) else {
                throw Problem.body("“\(path)/\(name)” must be the id of a feature")
            }
            return id
        }
        switch kinds[0] {
        case "patch":
            guard let patch = value["patch"], patch.object != nil else {
                throw Problem.body("“\(path)/patch” must be an object")
            }
            return .init(.patch(try id("feature"), patch), path: "\(path)/patch")
        case "add":
            guard let feature = value["add"], feature.object != nil else {
                throw Problem.body("“\(path)/add” must be a feature")
            }
            return .init(.add(feature), path: "\(path)/add")
        case "hide":
            let dependents = value["dependents"] ?? .null
            guard dependents.isNull || ["hide", "refuse"].contains(dependents.string) else {
                throw Problem.body("“\(path)/dependents” must be hide or refuse")
            }
            return .init(
                .hide(try id("hide"), withDependents: dependents.string == "hide"), path: "\(path)/hide")
        case "show": return .init(.show(try id("show")), path: "\(path)/show")
        default:
            guard let member = value["pointer"], !member.isNull else {
                return .init(.revert(try id("revert"), nil), path: "\(path)/revert")
            }
            guard let pointer = member.string, EditRequest.isPointer(pointer) else {
                throw Problem.body("“\(path)/pointer” is no pointer to a part of a feature that can be overridden")
            }
            return .init(.revert(try id("revert"), pointer), path: "\(path)/revert")
        }
    }
}

extension JSONObject {
    /// Refuses members that a request does not have. A misspelled one would be ignored, and the request would do something else.
    func refuseUnknown(except known: [String], at path: String = "") throws {
        guard let name = self.members.first(where: { !known.contains($0.key) })?.key else { return }
        let place = "\(path.isEmpty ? "" : "\(path)/")\(name.excerpt(characters: 40, bytes: 200))"
        throw Problem.body("there is no member “\(place)”. \(name.hint(at: known))")
    }
}
