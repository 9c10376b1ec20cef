import IMDF

extension RuleBook {
    /// SE-27.
    static let relationshipRules: [Rule] = [
        .each(
            "SE-27", .warning, "A relationship leads from one place to another, up and down where it should.",
            source: "our own", of: [.relationship]
        ) { relationship, examination, remarks in
            for end in ["origin", "destination"] where relationship[end] == nil {
                remarks.add("The relationship has no \(end).", about: relationship, path: "/properties")
            }
            if relationship.category == "escalator", relationship.text("direction") == "undirected" {
                remarks.add(
                    "An escalator goes one way, and the relationship both.", about: relationship,
                    path: "/properties/direction")
            }
            let ends = ["origin", "destination"].map { end in
                relationship[end]?["id"]?.string.flatMap { FeatureID($0) }.flatMap { examination[$0] }
            }
            guard let origin = ends[0], let destination = ends[1] else { return }
            if origin.id == destination.id {
                remarks.add(
                    "It leads where it comes from.", about: relationship, path: "/properties/destination")
            } else if ["elevator", "escalator", "stairs"].contains(relationship.category ?? ""),
                let level = examination.level(of: origin), level.id == examination.level(of: destination)?.id
            {
                remarks.add(
                    "\(Shown.quoted(relationship.category ?? "")) leads to the level that it comes from.",
                    about: relationship, path: "/properties/destination")
            }
        }
    ]
}
