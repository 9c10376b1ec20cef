import IMDF

extension RuleBook {
    /// SE-27.
    static let relationshipRules: [Rule] = [
        .each(
            "SE-27", .warning,
            "A relationship connects two features, on different levels if it is a lift, escalator or stairs.",
            source: "our own", of: [.relationship]
        ) { relationship, context, run in
            for end in ["origin", "destination"] where relationship[end] == nil {
                run.add("The relationship has no \(end).", about: relationship, path: "/properties")
            }
            if relationship.category == "escalator", relationship.text("direction") == "undirected" {
                run.add(
                    "An escalator runs in one direction; the relationship is undirected.", about: relationship,
                    path: "/properties/direction")
            }
            let ends = ["origin", "destination"].map { end in
                relationship[end]?["id"]?.string.flatMap { FeatureID($0) }.flatMap { context[$0] }
            }
            guard let origin = ends[0], let destination = ends[1] else { return }
            if origin.id == destination.id {
                run.add(
                    "The origin and the destination are equal.", about: relationship, path: "/properties/destination")
            } else if ["elevator", "escalator", "stairs"].contains(relationship.category ?? ""),
                let level = context.level(of: origin), level.id == context.level(of: destination)?.id
            {
                run.add(
                    "\(DisplayText.quoted(relationship.category ?? "")) connects features on the same level.",
                    about: relationship, path: "/properties/destination")
            }
        }
    ]
}
