import IMDF

extension RuleBook {
    /// The manifest.
    static let manifest: [Rule] = [
        .whole(
            "MF-01", .error, "The version is one that is supported.", source: "ManifestVersionMustBeValid",
            needs: .manifest
        ) { examination, remarks in
            guard let version = examination.manifestText("version") else {
                return remarks.add("The manifest has no version.", inManifestOf: examination)
            }
            guard version != "1.0.0" else { return }
            remarks.add(
                "The version \(Shown.quoted(version)) is not 1.0.0.", inManifestOf: examination, at: "/version",
                severity: ManifestVersion.isPreliminary(version) ? .warning : .error)
        },
        .whole(
            "MF-02", .error, "The manifest says when the archive was made.", source: "the standard", needs: .manifest
        ) { examination, remarks in
            guard let created = examination.manifestText("created") else {
                return remarks.add("The manifest does not say when it was created.", inManifestOf: examination)
            }
            guard let time = DateTime(created) else {
                return remarks.add(
                    "\(Shown.quoted(created)) is no date and time such as 2025-04-01T09:00:00+09:00.",
                    inManifestOf: examination, at: "/created")
            }
            guard !time.hasOffset else { return }
            remarks.add(
                "The time of creation does not say its offset from UTC.", inManifestOf: examination, at: "/created",
                severity: .warning)
        },
        .whole("MF-03", .error, "The manifest says its language.", source: "the standard", needs: .manifest) {
            examination, remarks in
            guard let language = examination.manifestText("language") else {
                return remarks.add("The manifest does not say its language.", inManifestOf: examination)
            }
            guard !LanguageTag.isValid(language) else { return }
            remarks.add(
                "\(Shown.quoted(language)) is no language tag of BCP 47.", inManifestOf: examination, at: "/language")
        },
        .whole(
            "MF-04", .error, "Extensions are named as the standard asks.", source: "the standard", needs: .manifest
        ) { examination, remarks in
            guard let value = examination.manifest?["extensions"], !value.isNull else { return }
            guard let extensions = value.array else {
                return remarks.add("The extensions are no array.", inManifestOf: examination, at: "/extensions")
            }
            for (number, value) in extensions.enumerated() {
                guard value.string.map(ExtensionID.isValid) != true else { continue }
                remarks.add(
                    "\(value.string.map { Shown.quoted($0) } ?? "What stands there") is not of the form imdf:extension:provider:name#version.",
                    inManifestOf: examination, at: "/extensions/\(number)")
            }
        },
        .whole(
            "MF-05", .warning, "The archive was made before now, and after the one before it.", source: "our own",
            needs: .manifest
        ) { examination, remarks in
            guard let created = examination.manifestText("created").flatMap({ DateTime($0) }) else { return }
            // Clocks differ, and a time without an offset may be one of up to 14 hours ahead.
            if created.seconds > examination.now + (created.hasOffset ? 300 : 14 * 3600) {
                remarks.add(
                    "The archive says that it was created in the future.", inManifestOf: examination, at: "/created")
            }
            guard let before = examination.previous?.created.flatMap({ DateTime($0) }), created.seconds < before.seconds
            else { return }
            remarks.add(
                "The archive was created before the one that is published.", inManifestOf: examination, at: "/created")
        },
        .whole(
            "MF-06", .warning, "The origin is that of the archive before.", source: "Apple's guide",
            needs: [.manifest, .previous]
        ) { examination, remarks in
            guard let origin = examination.manifest?["origin"], !origin.isNull,
                let before = examination.previous?.manifest?["origin"], !before.isNull, origin != before
            else { return }
            remarks.add(
                "The origin differs from the one of the archive that is published.", inManifestOf: examination,
                at: "/origin")
        },
        .each(
            "MF-07", .warning, "Labels have a text in the manifest's language.", source: "our own",
            of: FeatureType.withNames, needs: [.manifest, .properties]
        ) { feature, examination, remarks in
            guard let language = examination.manifestText("language")?.lowercased() else { return }
            for property in ["name", "alt_name", "short_name"] {
                let labels = feature.labels(property)
                guard !labels.isEmpty, !labels.contains(where: { ManifestLanguage.covers($0.tag, language) })
                else { continue }
                remarks.add(
                    "\(property) has no text in the archive's language \(Shown.quoted(language)).", about: feature,
                    path: "/properties/\(property)")
            }
        },
    ]
}

private enum ManifestVersion {
    /// Versions from before the first one, such as `1.0.0.rc.1`.
    static func isPreliminary(_ version: String) -> Bool {
        guard version.hasPrefix("1.0.0"), version.utf8.count <= 64 else { return false }
        let rest = version.utf8.dropFirst("1.0.0".utf8.count)
        guard let separator = rest.first, ".-".utf8.contains(separator), rest.count > 1 else { return false }
        return rest.dropFirst().allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }
    }
}

private enum ManifestLanguage {
    /// Whether one of two tags is the other, or the beginning of it: `ja` and `ja-JP` go together.
    static func covers(_ tag: String, _ language: String) -> Bool {
        let tag = tag.lowercased()
        return tag == language || language.hasPrefix(tag + "-") || tag.hasPrefix(language + "-")
    }
}

extension ValidationContext {
    func manifestText(_ member: String) -> String? { self.manifest?[member]?.string }
}

extension FindingCollector {
    fileprivate mutating func add(
        _ message: @autoclosure () -> String, inManifestOf examination: ValidationContext, at pointer: String = "",
        severity: Finding.Severity? = nil
    ) {
        self.add(message(), file: examination.manifestFile, pointer: pointer, severity: severity)
    }
}
