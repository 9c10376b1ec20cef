import IMDF
import OpeningHours

extension RuleBook {
    /// PV-06 to PV-09.
    static let contact: [Rule] = [
        .each(
            "PV-06", .error, "Opening hours are not blank.", source: "HoursMustNotBeBlank",
            of: FeatureType.withContact + [.relationship]
        ) { feature, _, remarks in
            guard let hours = feature["hours"] else { return }
            guard let text = hours.string else {
                return remarks.add("The hours are no string.", about: feature, path: "/properties/hours")
            }
            if text.isBlank { remarks.add("The hours are blank.", about: feature, path: "/properties/hours") }
        },
        .each(
            "PV-07", .warning, "Opening hours are in the syntax of OpenStreetMap.", source: "the standard",
            of: FeatureType.withContact + [.relationship]
        ) { feature, _, remarks in
            guard let hours = feature.text("hours"), !hours.isBlank, (try? OpeningHours(hours)) == nil
            else { return }
            remarks.add(
                "\(Shown.quoted(hours)) is not in the syntax of opening_hours.", about: feature,
                path: "/properties/hours")
        },
        .each(
            "PV-08", .error, "A telephone number is as E.164 has it.", source: "PhoneMustBeValid",
            of: FeatureType.withContact
        ) { feature, _, remarks in
            guard let phone = feature["phone"], phone.string.map(PhoneNumber.isValid) != true else { return }
            remarks.add(
                "\(phone.string.map { Shown.quoted($0) } ?? "The phone") is no number in the form of +81312345678.",
                about: feature, path: "/properties/phone")
        },
        .each(
            "PV-09", .error, "A website is an http or https URI.", source: "WebsiteMustBeValid",
            of: FeatureType.withContact
        ) { feature, _, remarks in
            guard let website = feature["website"], website.string.map(WebAddress.isValid) != true else { return }
            remarks.add(
                "\(website.string.map { Shown.quoted($0) } ?? "The website") is no http or https URI.", about: feature,
                path: "/properties/website")
        },
    ]
}
