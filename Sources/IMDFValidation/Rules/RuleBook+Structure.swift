import IMDF

extension RuleBook {
    /// Container and structure. Most of these are checked by the archive reader.
    static let structure: [Rule] = reading + files + references + members

    private static let reading: [Rule] = [
        .onReading("ST-01", .error, "The archive is a readable zip file without encryption.", source: "our own"),
        .onReading("ST-02", .error, "Nothing in the archive exceeds the limits of size and depth.", source: "our own"),
        .onReading(
            "ST-03", .error, "The entries have relative names that differ by more than case.", source: "our own"),
        .onReading("ST-04", .info, "The files lie at the root, without other files.", source: "our own"),
        .onReading("ST-05", .error, "The archive has a manifest.json.", source: "ManifestFileMustBePresent"),
        .onReading("ST-06", .error, "Every file is JSON in UTF-8 and valid GeoJSON.", source: "FileMustBeValidGeoJSON"),
        .onReading(
            "ST-07", .error, "The root of every file is a FeatureCollection.",
            source: "FileMustContainFeatureCollection"),
        .onReading(
            "ST-08", .error, "Every feature has an id, which is a string.",
            source: "FeatureMustHaveId, FeatureIdMustBeString, FeatureIdMustNotBeEmpty"),
        .onReading("ST-09", .error, "Ids are unique in the archive.", source: "FeatureIdMustBeUnique"),
        .onReading("ST-10", .error, "Every id is a UUID of version 4.", source: "InvalidFeatureID"),
        .onReading(
            "ST-11", .error, "Every feature has a feature_type, which is a string.",
            source: "FeatureMustHaveFeatureType, FeatureTypeMustBeString, FeatureTypeMustNotBeEmpty"),
    ]

    private static let files: [Rule] = [
        .whole("ST-12", .error, "The features of a file have the type of the file's name.", source: "our own") {
            context, run in
            for (file, type, count, first) in context.typesOfFiles where type.isStandard {
                let stem = FeatureFile.stem(of: file)
                guard stem != type.rawValue else { continue }
                run.add(
                    "\(count == 1 ? "1 feature is" : "\(count) features are") of type \(type.noun), which belongs in \(type.noun).geojson.",
                    file: file, pointer: first.pointer,
                    severity: FeatureType(rawValue: stem).isStandard ? .error : .warning)
            }
        },
        .whole(
            "ST-13", .warning, "A type that IMDF does not define is declared by an extension.", source: "the standard"
        ) { context, run in
            for (file, type, count, first) in context.typesOfFiles where !type.isStandard {
                let features = count == 1 ? "1 feature has" : "\(count) features have"
                let standard = FeatureType(rawValue: type.rawValue.lowercased())
                // A type that differs from a standard one only in case is a mistake, not an extension.
                if standard.isStandard {
                    run.add(
                        "\(features) the type \(DisplayText.quoted(type.rawValue)), which IMDF spells \(DisplayText.quoted(standard.rawValue)).",
                        file: file, pointer: first.pointer)
                } else if !context.hasExtension {
                    run.add(
                        "\(features) the type \(DisplayText.quoted(type.rawValue)), which IMDF does not define and no extension declares.",
                        file: file, pointer: first.pointer)
                }
            }
        },
    ]

    private static let references: [Rule] = [
        .each("ST-14", .error, "Every reference is the id of a feature.", source: "ReferencedFeatureIDMustBeResolvable")
        {
            feature, context, run in
            for reference in DeclaredReference.all(in: feature) {
                guard let target = reference.target else {
                    run.add(
                        "\(reference.value.string.map { DisplayText.quoted($0) } ?? "The value") is not an id.",
                        about: feature, path: reference.pointer)
                    continue
                }
                if context[target] == nil {
                    run.add("No feature has the id \(target).", about: feature, path: reference.pointer)
                }
            }
        },
        .each(
            "ST-15", .error, "A reference is the id of a feature of the required type.", source: "the standard"
        ) { feature, context, run in
            for reference in DeclaredReference.all(in: feature) {
                guard let requiredType = reference.requiredType, let target = reference.target.flatMap({ context[$0] }),
                    target.type != requiredType
                else { continue }
                run.add(
                    "\(reference.property) refers to \(target.type.article) and must refer to \(requiredType.article).",
                    about: feature, path: reference.pointer)
            }
        },
        .onReading("ST-16", .error, "The archive has exactly one venue.", source: "VenueCountMustBeExactlyOne"),
        .onReading(
            "ST-17", .error, "The properties are an object, and objects have no duplicate members.",
            source: "RFC 7946 §3.2"
        ),
    ]

    private static let members: [Rule] = [
        .whole(
            "ST-18", .warning, "Properties that IMDF does not define belong to a declared extension.",
            source: "the standard"
        ) { context, run in
            guard !context.hasExtension else { return }
            for type in FeatureType.standard {
                let known = KnownProperties.of(type)
                var unknown: [String: (count: Int, first: ValidationFeature)] = [:]
                var reported: [String] = []
                for feature in context.features(of: type) {
                    for member in feature.properties?.members ?? [] where !known.contains(member.key) {
                        guard !member.value.isNull, !feature.isOwnID(member) else { continue }
                        // A feature may have a million unknown properties.
                        if reported.count < FindingCollector.limit, unknown[member.key] == nil {
                            reported.append(member.key)
                        }
                        unknown[member.key, default: (0, feature)].count += 1
                    }
                }
                run.add(unreported: unknown.count - reported.count)
                for key in reported {
                    guard let (count, first) = unknown[key] else { continue }
                    run.add(
                        "\(count == 1 ? "1 feature" : "\(count) features") of type \(type.noun) \(count == 1 ? "has" : "have") the property \(DisplayText.quoted(key)), which IMDF does not define and no extension declares.",
                        file: first.file, pointer: "\(first.pointer)/properties/\(DisplayText.token(key))")
                }
            }
        }
    ]
}

extension ValidationFeature {
    /// Whether a property is the id of the feature, which other rules are about.
    fileprivate func isOwnID(_ member: JSONObject.Member) -> Bool {
        member.key == "id" && member.value.string.flatMap { FeatureID($0) } == self.id
    }
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
    /// The types of features in each file, with their number and the first feature by id, sorted by file and type.
    var typesOfFiles: [(file: String, type: FeatureType, count: Int, first: ValidationFeature)] {
        var groups: [String: [FeatureType: (count: Int, first: ValidationFeature)]] = [:]
        for feature in self.features {
            guard let file = feature.file else { continue }
            groups[file, default: [:]][feature.type, default: (0, feature)].count += 1
        }
        return groups.sorted { $0.key < $1.key }.flatMap { file, types in
            types.sorted { $0.key.rawValue < $1.key.rawValue }.map { (file, $0.key, $0.value.count, $0.value.first) }
        }
    }
}
