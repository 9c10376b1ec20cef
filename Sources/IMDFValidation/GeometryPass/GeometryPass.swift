import IMDF

/// Checks all rules of geometry and topology in one pass over the venue, level by level. Only the features that everything is
/// compared with and those of one level are in memory at the same time.
struct GeometryPass {
    private let context: ValidationContext
    private let venuePlan: VenuePlan
    private let rules: [Rule]
    private var runs: [RuleRun]
    /// Every check with the index of its rule.
    private let featureChecks: [(rule: Int, check: PlanarCheck.OfFeature)]
    private let levelChecks: [(rule: Int, check: PlanarCheck.OfLevel)]
    private let venueChecks: [(rule: Int, check: PlanarCheck.OfVenue)]
    /// Amenities of several levels that have been checked by themselves.
    private var checkedAmenities: Set<FeatureID> = []
    private var skipped: [TypeAndNeeds: Int] = [:]

    /// The results by the ids of the rules.
    ///
    /// - Parameter betweenLevels: called after each level. An error thrown by it ends the pass.
    static func results(
        of rules: [Rule], over context: ValidationContext, tolerance: Double, clock: RunClock,
        betweenLevels: () throws -> Void
    ) rethrows -> [String: Result] {
        guard !rules.isEmpty else { return [:] }
        var pass = GeometryPass(rules, context, tolerance, clock)
        try pass.run(betweenLevels)
        return rules.indices.reduce(into: [:]) { $0[rules[$1].id] = pass.result($1) }
    }

    struct Result {
        let findings: FindingCollector
        /// Why the rule was not checked for some features, and how many, if known.
        let skipped: [(reason: String, features: Int?)]
    }

    private init(_ rules: [Rule], _ context: ValidationContext, _ tolerance: Double, _ clock: RunClock) {
        self.rules = rules
        self.context = context
        let venuePlan = VenuePlan(context, tolerance: tolerance, clock: clock)
        self.venuePlan = venuePlan
        let vertices = context.vertices
        self.runs = rules.map {
            RuleRun(
                $0, budget: .ofRule(vertices: vertices, within: venuePlan.budget), clock: clock, geos: venuePlan.geos)
        }
        var featureChecks: [(rule: Int, check: PlanarCheck.OfFeature)] = []
        var levelChecks: [(rule: Int, check: PlanarCheck.OfLevel)] = []
        var venueChecks: [(rule: Int, check: PlanarCheck.OfVenue)] = []
        for (number, rule) in rules.enumerated() {
            guard case .planar(let check) = rule.check else { continue }
            for scope in check.scopes {
                switch scope {
                case .feature(let check): featureChecks.append((number, check))
                case .level(let check): levelChecks.append((number, check))
                case .venue(let check): venueChecks.append((number, check))
                }
            }
        }
        (self.featureChecks, self.levelChecks, self.venueChecks) = (featureChecks, levelChecks, venueChecks)
    }

    private mutating func run(_ betweenLevels: () throws -> Void) rethrows {
        for placed in [self.venuePlan.venue].compactMap({ $0 }) + self.venuePlan.levels + self.venuePlan.footprints {
            self.check(placed)
        }
        for geofence in self.context.features(of: .geofence) {
            if let placed = self.venuePlan.geofences[geofence.id] { self.check(placed) }
        }
        var (groups, loose) = self.groups()
        for level in self.context.features(of: .level) {
            self.check(level, groups.removeValue(forKey: level.id) ?? [])
            try betweenLevels()
        }
        for index in loose {
            if let placed = self.venuePlan.draw(self.context.features[index]) { self.check(placed) }
        }
        for (rule, check) in self.venueChecks {
            self.runs[rule].perform { [venuePlan] in try check(venuePlan, &$0) }
        }
    }

    /// The indices of features by their levels, and of those without a level that the venue plan does not keep.
    private func groups() -> (byLevel: [FeatureID: [Int]], loose: [Int]) {
        var groups: [FeatureID: [Int]] = [:]
        var loose: [Int] = []
        for (index, feature) in self.context.features.enumerated() where feature.geometry != nil {
            switch feature.type {
            case .venue where feature.id == self.context.venue?.id: continue
            case .level, .footprint: continue
            default: break
            }
            let levels = self.context.planLevels(of: feature)
            for level in levels { groups[level, default: []].append(index) }
            if levels.isEmpty, feature.type != .geofence { loose.append(index) }
        }
        return (groups, loose)
    }

    private mutating func check(_ level: ValidationFeature, _ indices: [Int]) {
        var features: [FeatureType: [PlacedFeature]] = [:]
        for index in indices {
            let feature = self.context.features[index]
            let placed =
                feature.type == .geofence ? self.venuePlan.geofences[feature.id] : self.venuePlan.draw(feature)
            guard let placed else { continue }
            features[feature.type, default: []].append(placed)
            let isShared = feature.type == .geofence || feature.type == .amenity && self.isSpanning(feature)
            if !isShared || feature.type == .amenity && self.checkedAmenities.insert(feature.id).inserted {
                self.check(placed)
            }
        }
        let plan = LevelPlan(level, on: self.venuePlan, features)
        for (rule, check) in self.levelChecks {
            self.runs[rule].perform { try check(plan, &$0) }
        }
    }

    private func isSpanning(_ feature: ValidationFeature) -> Bool { self.context.planLevels(of: feature).count > 1 }

    private mutating func check(_ placed: PlacedFeature) {
        for (rule, check) in self.featureChecks {
            self.runs[rule].perform { [venuePlan] in try check(placed, venuePlan, &$0) }
        }
    }

    /// The number of features of a type that a rule with such needs cannot check.
    private mutating func skipped(_ type: FeatureType, _ needs: Rule.Needs) -> Int {
        let key = TypeAndNeeds(type: type, needs: needs)
        if let known = self.skipped[key] { return known }
        let usable = self.context.features(of: type, meeting: needs).count {
            !self.venuePlan.invalidIDs.contains($0.id)
        }
        let count = self.context.count(of: type) - usable
        self.skipped[key] = count
        return count
    }

    private struct TypeAndNeeds: Hashable {
        let type: FeatureType
        let needs: Rule.Needs
    }

    private mutating func result(_ number: Int) -> Result {
        let rule = self.rules[number]
        let run = self.runs[number]
        var skipped: [(reason: String, features: Int?)] = []
        switch run.endReason {
        case .exhausted: skipped.append(("Too many geometries lie across each other; the rest was not checked.", nil))
        case .stopped: skipped.append((RuleBook.tookTooLong, nil))
        case .library, .intricate, nil:
            // Features that were to be drawn after the end of the time are missing from the plans.
            if self.venuePlan.geos.clock?.isRunOver == true { skipped.append((RuleBook.tookTooLong, nil)) }
        }
        if run.failures > 0 {
            skipped.append(("The geometries are too complex to compute with.", run.failures))
        }
        var count = 0
        for type in rule.types ?? self.context.types {
            count += self.skipped(type, rule.needs)
        }
        if count > 0 {
            let references = rule.needs.contains(.references) ? ", or valid references" : ""
            skipped.append(("The features lack a valid geometry\(references).", count))
        }
        return Result(findings: run.findings, skipped: skipped)
    }
}

extension Rule {
    var isPlanar: Bool { if case .planar = self.check { true } else { false } }
}

extension ReportCollector {
    mutating func add(_ result: GeometryPass.Result, of rule: Rule, in context: ValidationContext) {
        for skipped in result.skipped { self.skip(rule, because: skipped.reason, features: skipped.features) }
        let counts = result.findings.counts
        self.add(result.findings.findings(in: context), counts: counts, of: rule)
    }
}

extension ValidationContext {
    /// The levels on whose plans a feature is drawn: the one that it refers to, that of its unit, those of its units, or those
    /// that it refers to.
    func planLevels(of feature: ValidationFeature) -> [FeatureID] {
        switch feature.type {
        case .unit, .opening, .section, .fixture, .kiosk, .detail:
            return self.feature(feature.id("level_id"), .level).map { [$0.id] } ?? []
        case .anchor:
            return self.feature(feature.id("unit_id"), .unit).map { self.planLevels(of: $0) } ?? []
        case .amenity:
            return self.distinct(
                feature.ids("unit_ids").compactMap { self.feature($0, .unit) }.flatMap(self.planLevels))
        case .geofence:
            return self.distinct(feature.ids("level_ids").compactMap { self.feature($0, .level)?.id })
        default: return []
        }
    }

    private func distinct(_ ids: [FeatureID]) -> [FeatureID] {
        ids.count < 2 ? ids : Set(ids).sorted()
    }
}
