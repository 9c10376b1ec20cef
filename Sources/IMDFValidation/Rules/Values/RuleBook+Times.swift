import IMDF

extension RuleBook {
    /// PV-19.
    static let times: [Rule] = [
        .each(
            "PV-19", .error, "A validity starts before it ends, ends in the future, and was modified in the past.",
            source:
                "StartDateTimeIsAfterEndDateTime, EndDateTimeIsBeforeCurrentDateTime, ModifiedDateTimeIsAfterCurrentDateTime",
            of: [.occupant]
        ) { feature, context, run in
            guard let value = feature["validity"] else { return }
            guard value.object != nil else {
                return run.add("The validity is not an object.", about: feature, path: "/properties/validity")
            }
            var times: [String: DateTime] = [:]
            for member in ["start", "end", "modified"] {
                guard let value = value[member], !value.isNull else { continue }
                let pointer = "/properties/validity/\(member)"
                guard let time = value.string.flatMap({ DateTime($0) }) else {
                    run.add(
                        "\(member) is not a date and time such as 2025-04-01T09:00:00+09:00.", about: feature,
                        path: pointer)
                    continue
                }
                if !time.hasOffset {
                    run.add(
                        "\(member) has no offset from UTC.", about: feature, path: pointer, severity: .warning
                    )
                }
                times[member] = time
            }
            if let start = times["start"], let end = times["end"], start.seconds >= end.seconds {
                run.add("The validity ends before it starts.", about: feature, path: "/properties/validity/end")
            }
            if let end = times["end"], end.seconds < context.now {
                run.add("The validity has ended.", about: feature, path: "/properties/validity/end")
            }
            if let modified = times["modified"], modified.seconds > context.now {
                run.add(
                    "The time of modification is in the future.", about: feature, path: "/properties/validity/modified")
            }
        }
    ]
}
