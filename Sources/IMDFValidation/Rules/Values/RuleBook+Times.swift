import IMDF

extension RuleBook {
    /// PV-19.
    static let times: [Rule] = [
        .each(
            "PV-19", .error, "A validity begins before it ends, ends after now, and was modified before now.",
            source:
                "StartDateTimeIsAfterEndDateTime, EndDateTimeIsBeforeCurrentDateTime, ModifiedDateTimeIsAfterCurrentDateTime",
            of: [.occupant]
        ) { feature, examination, remarks in
            guard let value = feature["validity"] else { return }
            guard value.object != nil else {
                return remarks.add("The validity is no object.", about: feature, path: "/properties/validity")
            }
            var times: [String: DateTime] = [:]
            for member in ["start", "end", "modified"] {
                guard let value = value[member], !value.isNull else { continue }
                let pointer = "/properties/validity/\(member)"
                guard let time = value.string.flatMap({ DateTime($0) }) else {
                    remarks.add(
                        "\(member) is no date and time such as 2025-04-01T09:00:00+09:00.", about: feature,
                        path: pointer)
                    continue
                }
                if !time.hasOffset {
                    remarks.add(
                        "\(member) does not say its offset from UTC.", about: feature, path: pointer, severity: .warning
                    )
                }
                times[member] = time
            }
            if let start = times["start"], let end = times["end"], start.seconds >= end.seconds {
                remarks.add("It ends before it begins.", about: feature, path: "/properties/validity/end")
            }
            if let end = times["end"], end.seconds < examination.now {
                remarks.add("It has ended.", about: feature, path: "/properties/validity/end")
            }
            if let modified = times["modified"], modified.seconds > examination.now {
                remarks.add(
                    "It was modified in the future.", about: feature, path: "/properties/validity/modified")
            }
        }
    ]
}
