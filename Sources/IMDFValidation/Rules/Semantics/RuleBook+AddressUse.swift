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
                if let usual, let province = address.text("province"), province != usual.code {
                    let (one, other) = (DisplayText.quoted(province), DisplayText.quoted(usual.code))
                    run.add(
                        usual.isOfVenue
                            ? "The province is \(one); that of the venue is \(other)."
                            : "The province is \(one); that of most addresses is \(other).",
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

    /// The province that addresses should have: that of the venue, unless more than half of the addresses have another one. Nil if all have the
    /// same, or if the venue has none and no province is that frequent.
    static func usualProvince(
        of addresses: [ValidationFeature], in context: ValidationContext
    ) -> (code: String, isOfVenue: Bool)? {
        var counts: [String: Int] = [:]
        for address in addresses { if let province = address.text("province") { counts[province, default: 0] += 1 } }
        guard counts.count > 1 else { return nil }
        let own = context.feature(context.venue?.id("address_id"), .address)?.text("province")
        let most = counts.first { 2 * $0.value > counts.values.reduce(0, +) }?.key
        return (most ?? own).map { ($0, $0 == own) }
    }
}
