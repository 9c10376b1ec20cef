import IMDF
import OpeningHours

extension RuleBook {
    /// PV-06 to PV-09.
    static let contact: [Rule] = [
        .each(
            "PV-06", .error, "Opening hours are not blank.", source: "HoursMustNotBeBlank",
            of: FeatureType.withContact + [.relationship]
        ) { feature, _, run in
            guard let hours = feature["hours"] else { return }
            guard let text = hours.string else {
                return run.add("The hours are not a string.", about: feature, path: "/properties/hours")
            }
            if text.isBlank { run.add("The hours are blank.", about: feature, path: "/properties/hours") }
        },
        .each(
            "PV-07", .warning, "Opening hours have the syntax of OpenStreetMap.", source: "the standard",
            of: FeatureType.withContact + [.relationship]
        ) { feature, _, run in
            guard let hours = feature.text("hours"), !hours.isBlank, (try? OpeningHours(hours)) == nil
            else { return }
            let reading = (try? OpeningHours(lenient: hours)).map {
                "; it is read as \(DisplayText.quoted($0.strictText))"
            }
            run.add(
                "\(DisplayText.quoted(hours)) does not have the syntax of opening_hours\(reading ?? "").",
                about: feature,
                path: "/properties/hours")
        },
        .each(
            "PV-08", .error, "A telephone number has the form of E.164.", source: "PhoneMustBeValid",
            of: FeatureType.withContact
        ) { feature, _, run in
            guard let phone = feature["phone"], phone.string.map(PhoneNumber.isValid) != true else { return }
            run.add(
                "\(phone.string.map { DisplayText.quoted($0) } ?? "The phone") is not a number of the form +81312345678.",
                about: feature, path: "/properties/phone")
        },
        .each(
            "PV-09", .error, "A website is an http or https URI.", source: "WebsiteMustBeValid",
            of: FeatureType.withContact
        ) { feature, _, run in
            guard let website = feature["website"], website.string.map(HTTPAddress.isValid) != true else { return }
            run.add(
                "\(website.string.map { DisplayText.quoted($0) } ?? "The website") is not an http or https URI.",
                about: feature,
                path: "/properties/website")
        },
    ]
}

/// Telephone numbers in the form of E.164: a plus sign and 2 to 15 digits, the first of which is not zero.
private enum PhoneNumber {
    static func isValid(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
            && digits.allSatisfy(\.isDigit) && digits.first != UInt8(ascii: "0")
    }
}
