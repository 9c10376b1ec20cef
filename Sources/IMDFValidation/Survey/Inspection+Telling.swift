import IMDF

extension Inspection {
    /// What is said behind a remark that the tolerance makes one.
    static let excuse = " That is within the tolerance."

    /// Tells how far something sticks out.
    mutating func tell(
        _ excess: Excess, of feature: Subject, outside place: String, severity: Finding.Severity? = nil, on site: Site
    ) {
        self.tell(
            "\(feature.type.heading) lies \(Measure.metres(excess.depth)) outside \(place).", excess, of: feature,
            path: "/geometry", severity: severity, on: site)
    }

    mutating func tell(
        _ message: String, _ excess: Excess, of feature: Subject, path: String, severity: Finding.Severity? = nil,
        on site: Site
    ) {
        let isNegligible = excess.depth <= site.tolerance
        self.remarks.add(
            message + (isNegligible ? Self.excuse : ""), about: feature, path: path,
            severity: isNegligible ? .info : severity, at: site.position(excess.at))
    }

    /// Tells what two areas have in common, or what an area lacks.
    mutating func tell(_ message: String, _ overlap: Overlap, of feature: Subject, on site: Site) {
        self.remarks.add(
            message + (overlap.isNegligible ? Self.excuse : ""), about: feature, path: "/geometry",
            severity: overlap.isNegligible ? .info : nil, at: site.position(overlap.at))
    }
}
