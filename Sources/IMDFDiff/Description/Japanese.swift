import IMDF

struct Japanese: DescriptionLanguage {
    let nothing = "書式以外の変更なし"

    func rest(_ count: Int) -> String {
        "ほか\(count)件の変更"
    }

    func level(_ name: String, in building: String) -> String {
        "\(building) \(name)"
    }

    func sentence(_ group: FactGroup, _ levels: LevelPhrase) -> String {
        if group.subject.rawValue == "manifest" { return "マニフェストを変更" }
        if let reason = group.unknownReach { return self.sentence(reason) }
        if let type = group.typeBefore {
            let place: String =
                switch group.subject == .level ? LevelPhrase.none : levels {
                case .none: ""
                case .names(let names, _): "\(names.joined(separator: "・"))の"
                case .count(let count): "\(count)フロアの"
                }
            return "\(place)\(self.noun(type))\(group.count)件を\(self.noun(group.subject))に変更"
        }
        if group.subject == .level, case .names(let names, let count) = levels {
            let number = names.count < count ? "\(count)件" : ""
            return self.floors(group.event, number, names.joined(separator: "・"))
        }
        let noun = self.noun(group.subject)
        let count = group.subject == .venue && group.count == 1 ? "" : "\(group.count)件"
        let name: String? =
            switch group.subject == .level ? LevelPhrase.none : levels {
            case .none: nil
            case .names(let names, _): names.joined(separator: "・")
            case .count(let count): "\(count)フロア"
            }
        let thing = "\(name.map { "\($0)の" } ?? "")\(noun)\(count)"
        switch group.event {
        case .added: return "\(name.map { "\($0)に" } ?? "")\(noun)を\(count)追加"
        case .removed: return "\(name.map { "\($0)から" } ?? "")\(noun)を\(count)削除"
        case .opened: return "\(name.map { "\($0)で" } ?? "")\(noun)が\(count)オープン"
        case .closed: return "\(name.map { "\($0)で" } ?? "")\(noun)が\(count)閉店"
        case .moved where group.levels == [nil]: return "\(noun)\(count)を単独フロアの所属から解除"
        case .relocated:
            let inside = group.levels.contains(nil) ? "" : "フロア内で"
            return "\(name.map { "\($0)内で" } ?? inside)\(noun)が\(count)移動"
        case .moved: return "\(noun)が\(count)\(name ?? "別のフロア")へ移動"
        case .cutOff: return "\(thing)に到達できなくなる"
        case .stepFreeLost: return "\(thing)への段差のない経路がなくなる"
        case .connected: return "\(thing)に到達できるようになる"
        case .stepFreeGained: return "\(thing)に段差のない経路ができる"
        default: return "\(thing)\(self.object(group.event))"
        }
    }

    private func sentence(_ reason: UnknownReach) -> String {
        switch reason {
        case .noExit: "外への出口が地図からなくなり、到達できる場所が分からなくなる"
        case .tooComplex: "地図が複雑すぎるため、到達できる場所が分からなくなる"
        case .tooLarge: "地図が大きすぎるため、到達できる場所への影響は不明"
        case .tooSlow: "検索に時間がかかりすぎるため、到達できる場所への影響は不明"
        }
    }

    private func noun(_ type: FeatureType) -> String {
        Self.nouns[type] ?? "「\(type.quotable)」"
    }

    private func floors(_ event: Event?, _ number: String, _ names: String) -> String {
        switch event {
        case .added: "フロアを\(number)追加：\(names)"
        case .removed: "フロアを\(number)削除：\(names)"
        default: "フロア\(number)\(self.object(event))：\(names)"
        }
    }

    /// What was changed, from the particle on.
    private func object(_ event: Event?) -> String {
        switch event {
        case .renumbered: "の階番号を変更"
        case .renamed: "の名称を変更"
        case .translated: "の翻訳を変更"
        case .redrawn: "の形状を変更"
        case .shifted: "の位置を変更"
        case .recategorised: "のカテゴリを変更"
        case .rehoured: "の営業時間を変更"
        case .recontacted: "の連絡先を変更"
        case .relinked: "の関連付けを変更"
        case .retyped: "の種別を変更"
        case .updated: "の情報を更新"
        default: "を変更"
        }
    }

    private static let nouns: [FeatureType: String] = [
        .address: "住所", .venue: "施設", .building: "建物", .footprint: "建物外形", .level: "フロア", .section: "エリア",
        .unit: "区画", .anchor: "アンカー", .amenity: "設備", .kiosk: "キオスク", .fixture: "什器", .detail: "詳細線",
        .opening: "出入口", .occupant: "店舗", .geofence: "ジオフェンス", .relationship: "接続", .anything: "要素",
    ]
}
