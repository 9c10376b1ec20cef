/// The words of opening hours that people wrote for people, in English and Japanese.
enum LenientPhrases {
    /// The phrases by first character, the longest first.
    static let byFirst: [Character: [(text: [Character], token: LenientToken)]] = {
        var phrases: [Character: [(text: [Character], token: LenientToken)]] = [:]
        let weekdays = Self.weekdays.enumerated().map { ($1, LenientToken.days(LenientDays(weekday: $0))) }
        for (texts, token) in weekdays + Self.words {
            for text in texts.split(separator: "|") {
                guard let first = text.first else { continue }
                phrases[first, default: []].append((Array(text), token))
            }
        }
        return phrases.mapValues { $0.sorted { $0.text.count > $1.text.count } }
    }()

    /// In lower case, after Unicode compatibility composition, which makes `～` `~` and `（` `(`.
    private static let words: [(String, LenientToken)] = [
        ("weekdays|weekday|on weekdays|平日", .days(.workdays)), ("weekends|weekend|週末", .days(.weekend)),
        ("daily|every day|everyday|7 days a week|seven days a week|7 days|毎日", .days(.week)),
        ("public holidays|public holiday|ph|祝日|祝祭日|祝", .days(.publicHolidays)),
        ("年中無休|無休|365日|365 days a year|365 days", .everyDay),
        ("closed on|closed|定休日|定休|休業日|休業|休館日|休館|休み|お休み", .closed),
        ("temporarily closed|closed temporarily|permanently closed|closed permanently", .shut),
        ("currently closed|closed until further notice|臨時休業中|臨時休業|休業中|休館中|閉店しました|閉店|閉館", .shut),
        ("24 hours a day|24 hours|24 hrs|24 hr|24hours|24hrs|24hr|24 h|24h|24-hour|24/7|24時間営業|24時間", .always),
        ("to|until|till|thru|through|-|~|〜|–|—|−|―|から|‐|ー", .to), ("and|&|,|、|・|/", .and), (";|。|\n", .end),
        (":", .colon), ("am|a.m.|a.m|午前", .meridiem(.morning)),
        ("pm|p.m.|p.m|午後", .meridiem(.afternoon)),
        ("翌日|翌朝|翌", .nextDay), ("noon|正午", .time(LenientTime(hour: 12, isClock: true, meridiem: .afternoon))),
        ("midnight", .time(LenientTime(hour: 12, isClock: true, meridiem: .morning))),
        ("open from|open|opening hours|business hours|store hours|hours|from|営業時間|営業中|営業|まで", .filler),
        (
            "l.o.|l.o|lo|last order|last orders|last entry|last admission|ラストオーダー|最終入店|最終受付|最終入場|最終入館",
            .remark
        ),
        ("(|[", .openBracket), (")|]", .closeBracket),
    ]

    private static let weekdays = [
        "mondays|monday|mon.|mon|mo|m|月曜日|月曜|月", "tuesdays|tuesday|tues.|tues|tue.|tue|tu|火曜日|火曜|火",
        "wednesdays|wednesday|weds|wed.|wed|we|w|水曜日|水曜|水",
        "thursdays|thursday|thurs.|thurs|thur|thu.|thu|th|木曜日|木曜|木", "fridays|friday|fri.|fri|fr|f|金曜日|金曜|金",
        "saturdays|saturday|sat.|sat|sa|土曜日|土曜|土", "sundays|sunday|sun.|sun|su|日曜日|日曜|日",
    ]
}
