import IMDF

extension RuleBook {
    /// PV-17 and PV-18.
    static let addresses: [Rule] = [
        .each(
            "PV-17", .error, "Country and province are codes of ISO 3166, and the province is one of the country.",
            source: "InvalidCountryCode, InvalidIsoProvinceCode, InvalidISOCountryAndISOProvinceCodeCombination",
            of: [.address]
        ) { feature, _, remarks in
            let country = feature["country"]
            if let country, country.string.map(Vocabulary.countries.contains) != true {
                remarks.add(
                    "\(country.string.map { Shown.quoted($0) } ?? "The country") is no code of ISO 3166-1 such as JP.",
                    about: feature, path: "/properties/country")
            }
            guard let province = feature["province"] else { return }
            guard let code = province.string, Subdivision.isKnown(code) else {
                return remarks.add(
                    "\(province.string.map { Shown.quoted($0) } ?? "The province") is no code of ISO 3166-2 such as JP-13.",
                    about: feature, path: "/properties/province")
            }
            guard let country = country?.string, Vocabulary.countries.contains(country), !code.hasPrefix(country + "-")
            else { return }
            remarks.add(
                "\(Shown.quoted(code)) is no province of \(country).", about: feature, path: "/properties/province")
        },
        .each(
            "PV-18", .error, "What an address says of its unit and postal code is not blank.",
            source:
                "AddressUnitMustNotBeBlank, PostalCodeMustNotBeBlank, PostalCodeExtensionMustNotBeBlank, VanityPostalCodeMustNotBeBlank",
            of: [.address]
        ) { feature, _, remarks in
            for property in ["unit", "postal_code", "postal_code_ext", "postal_code_vanity"] {
                guard let value = feature[property], value.string?.isBlank != false else { continue }
                remarks.add(
                    "\(property) is \(value.string == nil ? "no string" : "blank").", about: feature,
                    path: "/properties/\(property)")
            }
        },
    ]
}

/// A part of a country, as ISO 3166-2 has it.
enum Subdivision {
    /// Whether a code such as `JP-13` is listed.
    static func isKnown(_ code: String) -> Bool {
        let parts = code.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return Vocabulary.subdivisions[String(parts[0])]?.contains(String(parts[1])) ?? false
    }

    /// Whether a country has any.
    static func exist(in country: String) -> Bool { Vocabulary.subdivisions[country] != nil }
}
