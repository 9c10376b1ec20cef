import IMDF

/// Goes through a venue once for all rules of geometry and topology, level by level, so that no more of it is in memory than
/// what everything is compared with and one level.
struct GeometryPass {
    private let examination: ValidationContext
    private let site: Site
    private let rules: [Rule]
    private var inspections: [Inspection]
    /// Every check with the number of its rule.
    private let parcelChecks: [(rule: Int, check: PlaneCheck.OfParcel)]
    private let levelChecks: [(rule: Int, check: PlaneCheck.OfLevel)]
    private let siteChecks: [(rule: Int, check: PlaneCheck.OfSite)]
    /// Amenities of several levels, which are judged by themselves once.
    private var judged: Set<FeatureID> = []
    private var passedOver: [TypeAndNeeds: Int] = [:]

    /// What each rule has to say, by its id.
    ///
    /// - Parameter breather: called between the levels; what it throws ends the survey.
    static func results(
        of rules: [Rule], over examination: ValidationContext, tolerance: Double, clock: RunClock,
        breather: () throws -> Void
    ) rethrows -> [String: Result] {
        guard !rules.isEmpty else { return [:] }
        var survey = GeometryPass(rules, examination, tolerance, clock)
        try survey.run(breather)
        return rules.indices.reduce(into: [:]) { $0[rules[$1].id] = survey.result($1) }
    }

    struct Result {
        let remarks: FindingCollector
        /// Reasons and numbers of features, of what was passed over.
        let skipped: [(reason: String, features: Int?)]
    }

    private init(_ rules: [Rule], _ examination: ValidationContext, _ tolerance: Double, _ clock: RunClock) {
        self.rules = rules
        self.examination = examination
        let site = Site(examination, tolerance: tolerance, clock: clock)
        self.site = site
        let vertices = examination.vertices
        self.inspections = rules.map {
            Inspection(
                FindingCollector(of: $0), on: site.plane, budget: .ofRule(vertices: vertices, within: site.budget))
        }
        var parcelChecks: [(rule: Int, check: PlaneCheck.OfParcel)] = []
        var levelChecks: [(rule: Int, check: PlaneCheck.OfLevel)] = []
        var siteChecks: [(rule: Int, check: PlaneCheck.OfSite)] = []
        for (number, rule) in rules.enumerated() {
            guard case .plane(let check) = rule.check else { continue }
            for scope in check.scopes {
                switch scope {
                case .parcel(let check): parcelChecks.append((number, check))
                case .level(let check): levelChecks.append((number, check))
                case .site(let check): siteChecks.append((number, check))
                }
            }
        }
        (self.parcelChecks, self.levelChecks, self.siteChecks) = (parcelChecks, levelChecks, siteChecks)
    }

    private mutating func run(_ breather: () throws -> Void) rethrows {
        for parcel in [self.site.venue].compactMap({ $0 }) + self.site.levels + self.site.footprints {
            self.judge(parcel)
        }
        for geofence in self.examination.features(of: .geofence) {
            if let parcel = self.site.geofences[geofence.id] { self.judge(parcel) }
        }
        var (groups, loose) = self.groups()
        for level in self.examination.features(of: .level) {
            self.survey(level, groups.removeValue(forKey: level.id) ?? [])
            try breather()
        }
        for place in loose {
            if let parcel = self.site.draw(self.examination.features[place]) { self.judge(parcel) }
        }
        for (rule, check) in self.siteChecks {
            self.inspections[rule].run { [site] in try check(site, &$0) }
        }
    }

    /// The places of features by their levels, and of those that have none and are not kept by the site.
    private func groups() -> (byLevel: [FeatureID: [Int]], loose: [Int]) {
        var groups: [FeatureID: [Int]] = [:]
        var loose: [Int] = []
        for (place, feature) in self.examination.features.enumerated() where feature.geometry != nil {
            switch feature.type {
            case .venue where feature.id == self.examination.venue?.id: continue
            case .level, .footprint: continue
            default: break
            }
            let levels = self.examination.planes(of: feature)
            for level in levels { groups[level, default: []].append(place) }
            if levels.isEmpty, feature.type != .geofence { loose.append(place) }
        }
        return (groups, loose)
    }

    private mutating func survey(_ level: Subject, _ places: [Int]) {
        var parcels: [FeatureType: [PlacedFeature]] = [:]
        for place in places {
            let feature = self.examination.features[place]
            let parcel = feature.type == .geofence ? self.site.geofences[feature.id] : self.site.draw(feature)
            guard let parcel else { continue }
            parcels[feature.type, default: []].append(parcel)
            let isShared = feature.type == .geofence || feature.type == .amenity && self.isSpanning(feature)
            if !isShared || (feature.type == .amenity && self.judged.insert(feature.id).inserted) { self.judge(parcel) }
        }
        let plan = LevelPlan(level, on: self.site, parcels)
        for (rule, check) in self.levelChecks {
            self.inspections[rule].run { try check(plan, &$0) }
        }
    }

    private func isSpanning(_ feature: Subject) -> Bool { self.examination.planes(of: feature).count > 1 }

    private mutating func judge(_ parcel: PlacedFeature) {
        for (rule, check) in self.parcelChecks {
            self.inspections[rule].run { [site] in try check(parcel, site, &$0) }
        }
    }

    /// The features of a type that a rule with such needs cannot look at.
    private mutating func passedOver(_ type: FeatureType, _ needs: Rule.Needs) -> Int {
        let key = TypeAndNeeds(type: type, needs: needs)
        if let known = self.passedOver[key] { return known }
        let usable = self.examination.features(of: type, meeting: needs).count { !self.site.flawed.contains($0.id) }
        let count = self.examination.count(of: type) - usable
        self.passedOver[key] = count
        return count
    }

    private struct TypeAndNeeds: Hashable {
        let type: FeatureType
        let needs: Rule.Needs
    }

    private mutating func result(_ number: Int) -> Result {
        let rule = self.rules[number]
        let inspection = self.inspections[number]
        var skipped: [(reason: String, features: Int?)] = []
        switch inspection.end {
        case .exhausted:
            skipped.append(("Too many geometries lie across each other; the rest was not looked at.", nil))
        case .stopped: skipped.append((RuleBook.tookTooLong, nil))
        case .library, .intricate, nil:
            // What is drawn when the time is over is not there for the rules to look at.
            if self.site.plane.clock?.isRunOver == true { skipped.append((RuleBook.tookTooLong, nil)) }
        }
        if inspection.failures > 0 {
            skipped.append(("Their geometries are beyond what can be computed.", inspection.failures))
        }
        var passedOver = 0
        for type in rule.types ?? self.examination.types {
            passedOver += self.passedOver(type, rule.needs)
        }
        if passedOver > 0 {
            let references = rule.needs.contains(.references) ? ", or references that lead where they should" : ""
            skipped.append(("The features lack a valid geometry\(references).", passedOver))
        }
        return Result(remarks: inspection.remarks, skipped: skipped)
    }
}

extension Rule {
    var isOnPlane: Bool { if case .plane = self.check { true } else { false } }
}

extension ReportCollector {
    mutating func add(_ result: GeometryPass.Result, of rule: Rule, in examination: ValidationContext) {
        for skipped in result.skipped { self.skip(rule, because: skipped.reason, features: skipped.features) }
        let counts = result.remarks.counts
        self.add(result.remarks.findings(in: examination), counts: counts, of: rule)
    }
}

extension ValidationContext {
    /// The levels that a feature is drawn on: the one it names, that of its unit, those of its units, or those that it names.
    func planes(of feature: Subject) -> [FeatureID] {
        switch feature.type {
        case .unit, .opening, .section, .fixture, .kiosk, .detail:
            return self.feature(feature.id("level_id"), .level).map { [$0.id] } ?? []
        case .anchor:
            return self.feature(feature.id("unit_id"), .unit).map { self.planes(of: $0) } ?? []
        case .amenity:
            return self.distinct(feature.ids("unit_ids").compactMap { self.feature($0, .unit) }.flatMap(self.planes))
        case .geofence:
            return self.distinct(feature.ids("level_ids").compactMap { self.feature($0, .level)?.id })
        default: return []
        }
    }

    private func distinct(_ ids: [FeatureID]) -> [FeatureID] {
        ids.count < 2 ? ids : Set(ids).sorted()
    }
}
