import IMDF

extension RuleBook {
    /// SE-10 and SE-11.
    static let addressRules: [Rule] = [
        .whole(
            "SE-10", .warning, "Addresses differ, have a postal code, and lie in one province.",
            source:
                "AddressMustBeDistinct, AddressShouldHavePostalCode, AddressHasDissimilarProvinceCode, ZeroCountOfUnitQualifiedAddresses",
            of: [.address], needs: .properties
        ) { examination, remarks in
            let addresses = examination.features(of: .address, meeting: .properties)
            var seen: [[String]: Subject] = [:]
            let usual = Addresses.usualProvince(of: addresses)
            for address in addresses {
                let lines = Addresses.lines(of: address, withUnit: true)
                if let other = seen[lines] {
                    remarks.add("Address \(other.id) says the same.", about: address)
                } else {
                    seen[lines] = address
                }
                if address["postal_code"] == nil {
                    remarks.add("There is no postal_code.", about: address, path: "/properties")
                }
                if let usual, let province = address.text("province"), province != usual {
                    remarks.add(
                        "The province is \(Shown.quoted(province)), and \(Shown.quoted(usual)) in other addresses.",
                        about: address, path: "/properties/province")
                }
            }
            if !addresses.isEmpty, !addresses.contains(where: { $0["unit"] != nil }) {
                remarks.add("No address is that of a unit.", severity: .info)
            }
        },
        .whole(
            "SE-11", .info, "An anchor's address is its building's, but for the unit.",
            source: "ReferencedAddressDoesNotMatchBuildingAddress", of: [.anchor], needs: [.properties, .references]
        ) { examination, remarks in
            var linesByLevel: [FeatureID: Set<[String]>] = [:]
            for anchor in examination.features(of: .anchor, meeting: [.properties, .references]) {
                guard let address = examination.address(of: anchor), let level = examination.level(of: anchor)
                else { continue }
                let usual = linesByLevel[level.id] ?? Addresses.lines(ofBuildingsOf: level, in: examination)
                linesByLevel[level.id] = usual
                guard !usual.isEmpty, !usual.contains(Addresses.lines(of: address, withUnit: false)) else { continue }
                remarks.add(
                    "The anchor's address is not the one of its building.", about: anchor,
                    path: "/properties/address_id")
            }
        },
    ]
}

private enum Addresses {
    static func lines(of address: Subject, withUnit: Bool) -> [String] {
        let properties = ["address", "locality", "province", "country"] + (withUnit ? ["unit"] : [])
        return properties.map { address.text($0) ?? "" }
    }

    /// What the addresses say of the buildings that a level names, or of the venue where they have none.
    static func lines(ofBuildingsOf level: Subject, in examination: ValidationContext) -> Set<[String]> {
        let venue = examination.venue.flatMap { examination.address(of: $0) }
        let buildings = level.ids("building_ids").compactMap { examination.feature($0, .building) }
        return Set(
            buildings.compactMap { examination.address(of: $0) ?? venue }.map { self.lines(of: $0, withUnit: false) })
    }

    /// The province that most have; nil when there is no more than one.
    static func usualProvince(of addresses: [Subject]) -> String? {
        var counts: [String: Int] = [:]
        for address in addresses { if let province = address.text("province") { counts[province, default: 0] += 1 } }
        guard counts.count > 1 else { return nil }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
