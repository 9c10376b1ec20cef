import IMDF

extension RuleBook {
    /// Container and structure. Most of it is seen while the archive is read.
    static let structure: [Rule] = door + files + references + members

    private static let door: [Rule] = [
        .atTheDoor("ST-01", .error, "The archive is a zip that can be read and is not encrypted.", source: "our own"),
        .atTheDoor("ST-02", .error, "Nothing in the archive is larger or deeper than the bounds.", source: "our own"),
        .atTheDoor(
            "ST-03", .error, "The entries have plain relative names, each once whatever its case.", source: "our own"),
        .atTheDoor("ST-04", .info, "The files lie at the root, and nothing else lies beside them.", source: "our own"),
        .atTheDoor("ST-05", .error, "There is a manifest.json.", source: "ManifestFileMustBePresent"),
        .atTheDoor("ST-06", .error, "Every file is JSON in UTF-8 and valid GeoJSON.", source: "FileMustBeValidGeoJSON"),
        .atTheDoor(
            "ST-07", .error, "The root of every file is a FeatureCollection.",
            source: "FileMustContainFeatureCollection"),
        .atTheDoor(
            "ST-08", .error, "Every feature has an id, which is a string.",
            source: "FeatureMustHaveId, FeatureIdMustBeString, FeatureIdMustNotBeEmpty"),
        .atTheDoor("ST-09", .error, "No id stands twice in the archive.", source: "FeatureIdMustBeUnique"),
        .atTheDoor("ST-10", .error, "Every id is a UUID of version 4.", source: "InvalidFeatureID"),
        .atTheDoor(
            "ST-11", .error, "Every feature has a feature_type, which is a string.",
            source: "FeatureMustHaveFeatureType, FeatureTypeMustBeString, FeatureTypeMustNotBeEmpty"),
    ]

    private static let files: [Rule] = [
        .whole("ST-12", .error, "The features of a file have the type that it is named after.", source: "our own") {
            examination, remarks in
            for (file, type, count, first) in examination.typesOfFiles where type.isStandard {
                let stem = FeatureFile.stem(of: file)
                guard stem != type.rawValue else { continue }
                remarks.add(
                    "\(count == 1 ? "1 feature is" : "\(count) features are") of type \(type.noun), which belongs into \(type.noun).geojson.",
                    file: file, pointer: first.pointer,
                    severity: FeatureType(rawValue: stem).isStandard ? .error : .warning)
            }
        },
        .whole(
            "ST-13", .warning, "A type that IMDF does not define is declared by an extension.", source: "the standard"
        ) { examination, remarks in
            for (file, type, count, first) in examination.typesOfFiles where !type.isStandard {
                let features = count == 1 ? "1 feature has" : "\(count) features have"
                let standard = FeatureType(rawValue: type.rawValue.lowercased())
                // No extension means a type that differs from a standard one in case alone.
                if standard.isStandard {
                    remarks.add(
                        "\(features) the type \(Shown.quoted(type.rawValue)), which IMDF spells \(Shown.quoted(standard.rawValue)).",
                        file: file, pointer: first.pointer)
                } else if !examination.hasExtension {
                    remarks.add(
                        "\(features) the type \(Shown.quoted(type.rawValue)), which IMDF does not define and no extension declares.",
                        file: file, pointer: first.pointer)
                }
            }
        },
    ]

    private static let references: [Rule] = [
        .each("ST-14", .error, "Every reference leads to a feature.", source: "ReferencedFeatureIDMustBeResolvable") {
            feature, examination, remarks in
            for reference in DeclaredReference.all(in: feature) {
                guard let target = reference.target else {
                    let shown = reference.value.string.map { Shown.quoted($0) } ?? "What stands there"
                    remarks.add(
                        "\(shown) is no id of a feature.", about: feature, path: reference.pointer)
                    continue
                }
                if examination[target] == nil {
                    remarks.add(
                        "No feature has the id \(target).", about: feature, path: reference.pointer)
                }
            }
        },
        .each(
            "ST-15", .error, "A reference leads to a feature of the type that it asks for.", source: "the standard"
        ) { feature, examination, remarks in
            for reference in DeclaredReference.all(in: feature) {
                guard let wanted = reference.wanted, let target = reference.target.flatMap({ examination[$0] }),
                    target.type != wanted
                else { continue }
                remarks.add(
                    "\(reference.property) leads to \(target.type.article), and should lead to \(wanted.article).",
                    about: feature, path: reference.pointer)
            }
        },
        .atTheDoor("ST-16", .error, "There is exactly one venue.", source: "VenueCountMustBeExactlyOne"),
        .atTheDoor(
            "ST-17", .error, "The properties are an object, and no member stands twice in one.", source: "RFC 7946 §3.2"
        ),
    ]

    private static let members: [Rule] = [
        .whole(
            "ST-18", .warning, "Properties that IMDF does not define belong to a declared extension.",
            source: "the standard"
        ) { examination, remarks in
            guard !examination.hasExtension else { return }
            for type in FeatureType.standard {
                let known = KnownProperties.of(type)
                var unknown: [String: (count: Int, first: Subject)] = [:]
                var told: [String] = []
                for feature in examination.features(of: type) {
                    for member in feature.properties?.members ?? [] where !known.contains(member.key) {
                        guard !member.value.isNull else { continue }
                        // One feature may have a million of them.
                        if told.count < FindingCollector.limit, unknown[member.key] == nil { told.append(member.key) }
                        unknown[member.key, default: (0, feature)].count += 1
                    }
                }
                remarks.add(untold: unknown.count - told.count)
                for key in told {
                    guard let (count, first) = unknown[key] else { continue }
                    remarks.add(
                        "\(count == 1 ? "1 feature" : "\(count) features") of type \(type.noun) \(count == 1 ? "has" : "have") the property \(Shown.quoted(key)), which IMDF does not define and no extension declares.",
                        file: first.file, pointer: "\(first.pointer)/properties/\(Shown.token(key))")
                }
            }
        }
    ]
}

/// The name of a file of features.
enum FeatureFile {
    /// Without folders and ending, in lower case.
    static func stem(of name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        return last.prefix { $0 != "." }.lowercased()
    }
}

extension ValidationContext {
    /// Of every file which types stand in it, how many of each, and the first by id. In the order of names and types.
    var typesOfFiles: [(file: String, type: FeatureType, count: Int, first: Subject)] {
        var groups: [String: [FeatureType: (count: Int, first: Subject)]] = [:]
        for feature in self.features {
            guard let file = feature.file else { continue }
            groups[file, default: [:]][feature.type, default: (0, feature)].count += 1
        }
        return groups.sorted { $0.key < $1.key }.flatMap { file, types in
            types.sorted { $0.key.rawValue < $1.key.rawValue }.map { (file, $0.key, $0.value.count, $0.value.first) }
        }
    }

    /// Whether the archive declares an extension, which may define what the standard does not.
    var hasExtension: Bool {
        (self.manifest?["extensions"]?.array ?? []).contains { $0.string.map(ExtensionID.isValid) ?? false }
    }
}
