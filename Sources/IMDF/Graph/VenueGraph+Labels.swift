extension VenueGraph.Level {
    /// The text of the level in a floor picker: its short name, or else its name, or else its ordinal; nil if it has none of them.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 tags, such as `Locale.preferredLanguages`.
    ///   - archiveLanguage: The language of the venue.
    public func pickerLabel(for languages: [String] = [], archiveLanguage: String? = nil) -> String? {
        (self.shortName ?? self.name)?.text(for: languages, archiveLanguage: archiveLanguage)
            ?? self.ordinal.map { "\($0)" }
    }
}

extension VenueGraph.Floor {
    /// The text of the floor in a floor picker: the label that most of its levels have, in several buildings, or else the first; see
    /// ``VenueGraph/Level/pickerLabel(for:archiveLanguage:)``.
    public func pickerLabel(for languages: [String] = [], archiveLanguage: String? = nil) -> String? {
        let labels = self.levels.compactMap { $0.pickerLabel(for: languages, archiveLanguage: archiveLanguage) }
        let counts = labels.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return labels.first { counts[$0] == counts.values.max() }
    }
}
