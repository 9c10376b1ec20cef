import IMDF

extension MergePatch {
    /// The patch that turns a value into another one, in which members that are null count as missing.
    static func turning(_ value: JSONValue, into other: JSONValue) -> JSONValue {
        guard case .object(let old) = value, case .object(let new) = other else { return other }
        let removed = old.members.filter { new[$0.key] == nil }.map { JSONObject.Member(key: $0.key, value: .null) }
        let changed = new.members.compactMap { member -> JSONObject.Member? in
            let former = old[member.key]
            guard former != member.value else { return nil }
            return JSONObject.Member(key: member.key, value: self.turning(former ?? .null, into: member.value))
        }
        return .object(JSONObject(removed + changed))
    }
}
