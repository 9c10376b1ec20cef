import IMDF

extension RuleBook {
    /// SE-10 and SE-11.
    static let addressRules: [Rule] = [
        .whole(
            "SE-10", .warning, "Addresses are different, have a postal code, and are in one province.",
            source:
                "AddressMustBeDistinct, AddressShouldHavePostalCode, AddressHasDissimilarProvinceCode, ZeroCountOfUnitQualifiedAddresses",
            of: [.address], needs: .properties
        ) { context, run in
            let addresses = context.features(of: .address, meeting: .properties)
            var seen: [[String]: ValidationFeature] = [:]
            let usual = Addresses.usualProvince(of: addresses, in: context)
            for address in addresses {
                let lines = Addresses.lines(of: address, withUnit: true)
                if let other = seen[lines] {
                    run.add("Address \(other.id) is equal.", about: address)
                } else {
                    seen[lines] = address
                }
                if address["postal_code"] == nil {
                    run.add("The address has no postal_code.", about: address, path: "/properties")
                }
                if let usual, let province = address.text("province"), province != usual {
                    run.add(
                        "The province is \(DisplayText.quoted(province)); that of the venue or of most addresses is \(DisplayText.quoted(usual)).",
                        about: address, path: "/properties/province")
                }
            }
            if !addresses.isEmpty, !addresses.contains(where: { $0["unit"] != nil }) {
                run.add("No address has a unit.", severity: .info)
            }
        },
        .whole(
            "SE-11", .info, "An anchor's address equals that of its building except for the unit.",
            source: "ReferencedAddressDoesNotMatchBuildingAddress", of: [.anchor], needs: [.properties, .references]
        ) { context, run in
            var linesByLevel: [FeatureID: Set<[String]>] = [:]
            for anchor in context.features(of: .anchor, meeting: [.properties, .references]) {
                guard let address = context.address(of: anchor), let level = context.level(of: anchor)
                else { continue }
                let usual = try linesByLevel[level.id] ?? Addresses.lines(ofBuildingsOf: level, in: context, run)
                linesByLevel[level.id] = usual
                guard !usual.isEmpty, !usual.contains(Addresses.lines(of: address, withUnit: false)) else { continue }
                run.add(
                    "The anchor's address differs from that of its building.", about: anchor,
                    path: "/properties/address_id")
            }
        },
    ]
}

private enum Addresses {
    static func lines(of address: ValidationFeature, withUnit: Bool) -> [String] {
        let properties = ["address", "locality", "province", "country"] + (withUnit ? ["unit"] : [])
        return properties.map { address.text($0) ?? "" }
    }

    /// The addresses of the buildings that a level refers to. A building without one has that of the venue.
    static func lines(
        ofBuildingsOf level: ValidationFeature, in context: ValidationContext, _ run: RuleRun
    ) throws -> Set<[String]> {
        let venue = context.venue.flatMap { context.address(of: $0) }
        let buildings = level.ids("building_ids").compactMap { context.feature($0, .building) }
        let addresses = buildings.compactMap { context.address(of: $0) ?? venue }
        try run.spend(level.readingCost + addresses.reduce(0) { $0 + $1.readingCost })
        return Set(addresses.map { self.lines(of: $0, withUnit: false) })
    }

    /// The most frequent province; nil if there is only one.
    static func usualProvince(of addresses: [ValidationFeature], in context: ValidationContext) -> String? {
        var counts: [String: Int] = [:]
        for address in addresses { if let province = address.text("province") { counts[province, default: 0] += 1 } }
        guard counts.count > 1 else { return nil }
        let own = context.feature(context.venue?.id("address_id"), .address)?.text("province")
        // Of equally frequent ones the venue's own is right, otherwise the first.
        return counts.max { one, other in
            one.value == other.value
                ? other.key == own || one.key != own && other.key < one.key : one.value < other.value
        }?.key
    }
}
