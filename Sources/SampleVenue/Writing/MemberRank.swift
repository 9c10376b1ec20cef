import IMDF

/// The usual order of members: identity first, then attributes, then references.
enum MemberRank {
    private static let order = [
        "version", "created", "generated_by", "language", "extensions", "origin",
        "id", "type", "feature_type", "geometry", "properties", "coordinates",
        "address", "unit", "locality", "province", "country", "postal_code", "postal_code_ext", "postal_code_vanity",
        "category", "restriction", "accessibility", "access_control", "door", "outdoor", "ordinal", "direction",
        "name", "alt_name", "short_name", "hours", "phone", "website", "validity",
        "origin", "intermediary", "destination",
        "level_id", "level_ids", "unit_id", "unit_ids", "anchor_id", "building_ids", "address_id", "parents",
        "correlation_id", "display_point",
    ]

    private static let ranks = Dictionary(zip(order, 0...), uniquingKeysWith: { first, _ in first })

    /// Members not listed come last, in canonical order.
    static func sort(_ members: inout [JSONObject.Member]) {
        let keys = members.indices.map { index in (Self.ranks[members[index].key] ?? Self.order.count, index) }
        members = keys.sorted { $0 < $1 }.map { members[$0.1] }
    }
}
