import IMDF

extension RuleBook {
    /// PV-17 and PV-18.
    static let addresses: [Rule] = [
        .each(
            "PV-17", .error, "Country and province are ISO 3166 codes, and the province belongs to the country.",
            source: "InvalidCountryCode, InvalidIsoProvinceCode, InvalidISOCountryAndISOProvinceCodeCombination",
            of: [.address]
        ) { feature, _, run in
            let country = feature["country"]
            if let country, country.string.map(CodeLists.countries.contains) != true {
                run.add(
                    "\(country.string.map { DisplayText.quoted($0) } ?? "The country") is not an ISO 3166-1 code such as JP.",
                    about: feature, path: "/properties/country")
            }
            guard let province = feature["province"] else { return }
            let superseded = province.string.flatMap { CodeLists.supersededSubdivisions[$0] }
            guard let code = province.string, superseded != nil || Subdivision.isKnown(code) else {
                return run.add(
                    "\(province.string.map { DisplayText.quoted($0) } ?? "The province") is not an ISO 3166-2 code such as JP-13.",
                    about: feature, path: "/properties/province")
            }
            if let superseded {
                run.add(
                    "\(DisplayText.quoted(code)) is no ISO 3166-2 code any more"
                        + (superseded.map { "; it is \($0) now." } ?? ", and was not replaced by one code."),
                    about: feature, path: "/properties/province", severity: .warning)
            }
            guard let country = country?.string, CodeLists.countries.contains(country), !code.hasPrefix(country + "-")
            else { return }
            run.add(
                "\(DisplayText.quoted(code)) is not a province of \(country).", about: feature,
                path: "/properties/province")
        },
        .each(
            "PV-18", .error, "The unit and the postal code of an address are not blank.",
            source:
                "AddressUnitMustNotBeBlank, PostalCodeMustNotBeBlank, PostalCodeExtensionMustNotBeBlank, VanityPostalCodeMustNotBeBlank",
            of: [.address]
        ) { feature, _, run in
            for property in ["unit", "postal_code", "postal_code_ext", "postal_code_vanity"] {
                guard let value = feature[property], value.string?.isBlank != false else { continue }
                run.add(
                    "\(property) is \(value.string == nil ? "not a string" : "blank").", about: feature,
                    path: "/properties/\(property)")
            }
        },
    ]
}

/// Subdivisions of countries by ISO 3166-2.
enum Subdivision {
    /// Whether a code such as `JP-13` is listed.
    static func isKnown(_ code: String) -> Bool {
        let parts = code.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return CodeLists.subdivisions[String(parts[0])]?.contains(String(parts[1])) ?? false
    }

    /// Whether a country has subdivisions.
    static func exist(in country: String) -> Bool { CodeLists.subdivisions[country] != nil }
}
