import IMDF

extension RuleBook {
    /// The manifest.
    static let manifest: [Rule] = [
        .whole(
            "MF-01", .error, "The version is supported.", source: "ManifestVersionMustBeValid",
            needs: .manifest
        ) { context, run in
            guard let version = context.manifestText("version") else {
                return run.add("The manifest has no version.", inManifestAt: "")
            }
            guard version != "1.0.0" else { return }
            run.add(
                "The version \(DisplayText.quoted(version)) is not 1.0.0.", inManifestAt: "/version",
                severity: ManifestVersion.isPreliminary(version) ? .warning : .error)
        },
        .whole(
            "MF-02", .error, "The manifest has the time of creation.", source: "the standard", needs: .manifest
        ) { context, run in
            guard let created = context.manifestText("created") else {
                return run.add("The manifest has no time of creation.", inManifestAt: "")
            }
            guard let time = DateTime(created) else {
                return run.add(
                    "\(DisplayText.quoted(created)) is not a date and time such as 2025-04-01T09:00:00+09:00.",
                    inManifestAt: "/created")
            }
            guard !time.hasOffset else { return }
            run.add(
                "The time of creation has no offset from UTC.", inManifestAt: "/created", severity: .warning)
        },
        .whole("MF-03", .error, "The manifest has a language.", source: "the standard", needs: .manifest) {
            context, run in
            guard let language = context.manifestText("language") else {
                return run.add("The manifest has no language.", inManifestAt: "")
            }
            guard !LanguageTag.isValid(language) else { return }
            run.add(
                "\(DisplayText.quoted(language)) is not a BCP 47 language tag.", inManifestAt: "/language")
        },
        .whole(
            "MF-04", .error, "Extensions have names of the standard's form.", source: "the standard", needs: .manifest
        ) { context, run in
            guard let value = context.manifest?["extensions"], !value.isNull else { return }
            guard let extensions = value.array else {
                return run.add("The extensions are not an array.", inManifestAt: "/extensions")
            }
            for (number, value) in extensions.enumerated() {
                guard value.string.map(ExtensionID.isValid) != true else { continue }
                run.add(
                    "\(value.string.map { DisplayText.quoted($0) } ?? "The value") is not of the form imdf:extension:provider:name#version.",
                    inManifestAt: "/extensions/\(number)")
            }
        },
        .whole(
            "MF-05", .warning, "The archive was created in the past, and after the published one.", source: "our own",
            needs: .manifest
        ) { context, run in
            guard let created = context.manifestText("created").flatMap({ DateTime($0) }) else { return }
            // Clocks differ. A time without an offset may belong to a time zone up to 14 hours ahead of UTC.
            if created.seconds > context.now + (created.hasOffset ? 300 : 14 * 3600) {
                run.add("The time of creation is in the future.", inManifestAt: "/created")
            }
            guard let before = context.previous?.created.flatMap({ DateTime($0) }), created.seconds < before.seconds
            else { return }
            run.add("The archive was created before the published one.", inManifestAt: "/created")
        },
        .whole(
            "MF-06", .warning, "The origin is that of the published archive.", source: "Apple's guide",
            needs: [.manifest, .previous]
        ) { context, run in
            guard let origin = context.manifest?["origin"], !origin.isNull,
                let before = context.previous?.manifest?["origin"], !before.isNull, origin != before
            else { return }
            run.add(origin.message(published: before), inManifestAt: "/origin")
        },
        .each(
            "MF-07", .warning, "Labels have a text in the manifest's language.", source: "our own",
            of: FeatureType.withNames, needs: [.manifest, .properties]
        ) { feature, context, run in
            // Another rule reports a language that is none.
            guard let language = context.manifestLanguage, LanguageTag.isValid(language) else { return }
            for property in ["name", "alt_name", "short_name"] {
                let labels = feature.labels(property)
                guard !labels.isEmpty, !labels.contains(where: { ManifestLanguage.covers($0.tag, language) })
                else { continue }
                run.add(
                    "\(property) has no text in the archive's language \(DisplayText.quoted(language)).",
                    about: feature,
                    path: "/properties/\(property)")
            }
        },
    ]
}

private enum ManifestVersion {
    /// Whether a version precedes 1.0.0, such as `1.0.0.rc.1`.
    static func isPreliminary(_ version: String) -> Bool {
        guard version.hasPrefix("1.0.0"), version.utf8.count <= 64 else { return false }
        let rest = version.utf8.dropFirst("1.0.0".utf8.count)
        guard let separator = rest.first, ".-".utf8.contains(separator), rest.count > 1 else { return false }
        return rest.dropFirst().allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }
    }
}

enum ManifestLanguage {
    /// Whether two tags are equal, or one is a prefix of the other, such as `ja` and `ja-JP`, or readers of one read the other, such as
    /// `zh-Hant` and `zh-TW`.
    ///
    /// - Parameter language: in lower case.
    static func covers(_ tag: String, _ language: String) -> Bool {
        let tag = tag.lowercased()
        return tag == language || language.hasPrefix(tag + "-") || tag.hasPrefix(language + "-")
            || LabelLanguage(language).isCovered(by: LabelLanguage(tag))
    }
}

extension JSONValue {
    /// The message about an origin that is not the published one.
    fileprivate func message(published: JSONValue) -> String {
        guard let text = self.string, let before = published.string else {
            return "The origin differs from that of the published archive."
        }
        let (origin, other) = (DisplayText.quoted(text), DisplayText.quoted(before))
        return "The origin is \(origin); that of the published archive is \(other)."
    }
}

extension ValidationContext {
    func manifestText(_ member: String) -> String? { self.manifest?[member]?.string }
}

extension RuleRun {
    mutating func add(
        _ message: @autoclosure () -> String, inManifestAt pointer: String, severity: Finding.Severity? = nil
    ) {
        self.add(message(), file: "manifest.json", pointer: pointer, severity: severity)
    }
}
