import IMDF

extension RuleRun {
    /// Follows the message of a violation that the tolerance reduces to a remark.
    static let toleranceNote = " That is within the tolerance."

    /// Adds a finding about a feature that lies partly outside an area.
    mutating func report(
        _ excess: Excess, of feature: ValidationFeature, outside area: String, severity: Finding.Severity? = nil,
        on venuePlan: VenuePlan
    ) {
        self.report(
            "\(feature.type.heading) lies \(Measure.metres(excess.depth)) outside \(area).", excess, of: feature,
            path: "/geometry", severity: severity, on: venuePlan)
    }

    mutating func report(
        _ message: String, _ excess: Excess, of feature: ValidationFeature, path: String,
        severity: Finding.Severity? = nil, on venuePlan: VenuePlan
    ) {
        let isNegligible = excess.depth <= venuePlan.tolerance
        self.add(
            message + (isNegligible ? Self.toleranceNote : ""), about: feature, path: path,
            severity: isNegligible ? .info : severity, at: venuePlan.position(excess.at))
    }

    /// Adds a finding about the intersection of two areas, or about an uncovered part of an area.
    mutating func report(
        _ message: String, _ overlap: Overlap, of feature: ValidationFeature, on venuePlan: VenuePlan
    ) {
        self.add(
            message + (overlap.isNegligible ? Self.toleranceNote : ""), about: feature, path: "/geometry",
            severity: overlap.isNegligible ? .info : nil, at: venuePlan.position(overlap.at))
    }
}
