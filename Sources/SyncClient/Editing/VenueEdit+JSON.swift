import Foundation
import IMDF
import SyncModel

extension VenueEdit.Operation {
    /// The feature that it changes.
    var feature: FeatureID {
        switch self {
        case .change(let id, _), .hide(let id), .show(let id), .revert(let id, _): id
        case .add(let feature): feature["id"]?.string.flatMap { FeatureID($0) } ?? FeatureID(high: 0, low: 0)
        }
    }

    /// The form in the request and in the file.
    var json: JSONValue {
        switch self {
        case .change(let id, let patch): ["feature": .string(id.description), "patch": .object(patch)]
        case .add(let feature): ["add": .object(feature)]
        case .hide(let id): ["hide": .string(id.description)]
        case .show(let id): ["show": .string(id.description)]
        case .revert(let id, nil): ["revert": .string(id.description)]
        case .revert(let id, .some(let pointer)):
            ["revert": .string(id.description), "pointer": .string(pointer)]
        }
    }

    init?(_ json: JSONValue) {
        func id(_ key: String) -> FeatureID? { json[key]?.string.flatMap { FeatureID($0) } }
        if let feature = id("feature"), let patch = json["patch"]?.object {
            self = .change(feature, patch)
        } else if let feature = json["add"]?.object {
            self = .add(feature)
        } else if let feature = id("hide") {
            self = .hide(feature)
        } else if let feature = id("show") {
            self = .show(feature)
        } else if let feature = id("revert") {
            self = .revert(feature, pointer: json["pointer"]?.string)
        } else {
            return nil
        }
    }

    /// The operation with what the server adds to it.
    ///
    /// - Throws: ``EditingError/notEditable(_:)``.
    func checked() throws(EditingError) -> VenueEdit.Operation {
        switch self {
        case .change(_, let patch):
            for member in patch.members where member.key != "geometry" && member.key != "properties" {
                throw .notEditable("/\(JSONPointer.token(member.key))")
            }
            try JSONValue.object(patch).expectFiniteNumbers()
            return self
        case .add(var feature):
            if feature["id"] == nil { feature["id"] = .string(FeatureID.random().description) }
            guard let id = feature["id"]?.string.flatMap({ FeatureID($0) }) else { throw .notEditable("/id") }
            guard feature["feature_type"]?.string?.isEmpty == false else { throw .notEditable("/feature_type") }
            guard feature["properties"]?.object != nil else { throw .notEditable("/properties") }
            feature["id"] = .string(id.description)
            feature["type"] = "Feature"
            if feature["geometry"] == nil { feature["geometry"] = .some(.null) }
            try JSONValue.object(feature).expectFiniteNumbers()
            return .add(feature)
        case .hide, .show, .revert: return self
        }
    }
}

extension VenueEdit {
    /// The body of `POST /venues/{venue}/edits`. The server recognizes a repeated request by its id and these bytes.
    func request(base: Int64?) -> String {
        var request: JSONObject = [
            "id": .string(self.id.uuidString.lowercased()), "edits": .array(self.operations.map(\.json)),
        ]
        if let message { request["message"] = .string(message) }
        if let base { request["base"] = .number(Double(base)) }
        if self.isForced { request["force"] = true }
        if let until { request["until"] = .string(Timestamp.text(of: until)) }
        return JSONValue.object(request).canonicalText
    }
}

extension JSONValue {
    init(parsing text: some Sequence<UInt8>) throws {
        guard let value = try? WireJSON.value(JSONValue.self, from: Data(text)) else {
            throw SyncError.file("a value is not JSON")
        }
        self = value
    }

    var canonicalText: String { String(decoding: CanonicalJSON.data(self), as: UTF8.self) }

    fileprivate func expectFiniteNumbers(at path: String = "") throws(EditingError) {
        switch self {
        case .number(let number): guard number.isFinite else { throw .notEditable(path) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { try element.expectFiniteNumbers(at: "\(path)/\(index)") }
        case .object(let object):
            for member in object.members {
                try member.value.expectFiniteNumbers(at: "\(path)/\(JSONPointer.token(member.key))")
            }
        case .null, .bool, .string: break
        }
    }
}
