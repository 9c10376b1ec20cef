import Foundation
import OpeningHours
import SampleVenue
import Testing

/// Texts that people write although they are not in the syntax of opening hours.
@Suite struct LenientTests {
    @Test(arguments: [
        ("8:00 am to 5:00 pm", "08:00-17:00"), ("8:00 a.m. – 5:00 p.m.", "08:00-17:00"),
        ("AM8:00〜PM5:00", "08:00-17:00"),
        ("9-5", "09:00-17:00"), ("9 – 5", "09:00-17:00"), ("9-17", "09:00-17:00"), ("11 to 8", "11:00-20:00"),
        ("9a-5p", "09:00-17:00"), ("9-5pm", "09:00-17:00"), ("9am-5", "09:00-17:00"), ("6pm-2", "18:00-26:00"),
        ("6PM-2AM", "18:00-26:00"), ("5pm-midnight", "17:00-24:00"), ("noon to 8pm", "12:00-20:00"),
        ("18-2", "18:00-26:00"),
        ("24h", "00:00-24:00"), ("24 hours", "00:00-24:00"), ("Open 24 hours", "00:00-24:00"),
        ("24時間営業", "00:00-24:00"),
        ("24時間365日", "00:00-24:00"), ("年中無休 24時間", "00:00-24:00"), ("Open 24/7", "00:00-24:00"),
        ("Daily 10am-9pm", "Mo-Su 10:00-21:00"), ("10am-9pm daily", "Mo-Su 10:00-21:00"),
        ("Open every day: 10am-9pm", "Mo-Su 10:00-21:00"), ("Mon-Fri 9am - 5pm", "Mo-Fr 09:00-17:00"),
        ("Monday to Friday, 9am-5pm", "Mo-Fr 09:00-17:00"), ("9-5 Mon-Fri", "Mo-Fr 09:00-17:00"),
        ("M-F 9:00 am - 5:30 pm", "Mo-Fr 09:00-17:30"), ("Mon, Wed & Fri 9-5", "Mo,We,Fr 09:00-17:00"),
        ("Mon-Fri 9-5, Sat 10-14", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
        ("Mon-Fri: 9am-5pm\r\nSat-Sun: closed", "Mo-Fr 09:00-17:00; Sa,Su off"),
        ("Daily 10am-9pm; Sun 11am-6pm", "Mo-Su 10:00-21:00; Su 11:00-18:00"),
        ("Fri-Mon 9-5", "Mo,Fr-Su 09:00-17:00"), ("11am-2pm, 5pm-10pm", "11:00-14:00,17:00-22:00"),
        ("Weekdays 9-5, weekends 10-17", "Mo-Fr 09:00-17:00; Sa,Su 10:00-17:00; PH unknown"),
        ("月〜金 10:00〜20:00", "Mo-Fr 10:00-20:00"), ("10:00〜20:00", "10:00-20:00"), ("１０：００～２０：００", "10:00-20:00"),
        ("10:00-20:00 (L.O. 19:30)", "10:00-20:00"), ("10:00〜20:00（ラストオーダー 19:30）", "10:00-20:00"),
        ("11:00〜14:00(L.O.13:30)、17:00〜22:00(L.O.21:00)", "11:00-14:00,17:00-22:00"),
        ("11:00～15:00 17:00～22:00", "11:00-15:00,17:00-22:00"),
        ("10am-9pm L.O. 8pm", "10:00-21:00"), ("10:00～20:00 年中無休", "10:00-20:00"), ("営業時間：10時〜20時半", "10:00-20:30"),
        ("午前10時から午後8時まで", "10:00-20:00"), ("17:00〜翌2:00", "17:00-26:00"), ("10:00〜0:00", "10:00-24:00"),
        ("10:00〜20:00 定休日：月曜", "10:00-20:00; Mo off"), ("月曜定休 10:00〜20:00", nil),
        ("月・水・金 10:00〜20:00", "Mo,We,Fr 10:00-20:00"), ("土日祝 10:00〜18:00", "Sa,Su 10:00-18:00; PH 10:00-18:00"),
        ("土日祝 10:00〜18:00 月〜金 11:00〜19:00", "Sa,Su 10:00-18:00; Mo-Fr 11:00-19:00; PH 10:00-18:00"),
        ("平日 10:00〜20:00", "Mo-Fr 10:00-20:00; PH unknown"), ("10:00〜20:00 土日祝休み", "10:00-20:00; Sa,Su off; PH off"),
        ("定休日：火曜", "Mo-Su unknown; Tu off"), ("Closed Sundays", "Mo-Su unknown; Su off"), ("年中無休", "Mo-Su unknown"),
    ])
    func `lenient reading: a text with one meaning has it`(text: String, strict: String?) throws {
        #expect(throws: OpeningHoursError.self, "the strict syntax stays as it is") { try OpeningHours(text) }
        guard let strict else {
            #expect(throws: OpeningHoursError.self) { try OpeningHours(lenient: text) }
            return
        }
        let hours = try OpeningHours(lenient: text)
        #expect(hours.strictText == strict)
        #expect(hours.isLenient)
        #expect(hours.text == text)
        let expected = try OpeningHours(strict)
        let zone = try TimeZone.named("Asia/Tokyo")
        let start = try Date("2031-06-13T00:00:00+09:00")
        for hour in 0..<200 {
            let instant = start + Double(hour) * 3_600
            #expect(hours.state(at: instant, in: zone) == expected.state(at: instant, in: zone))
        }
    }

    @Test(arguments: [
        "", "10-2", "9-12", "8-10pm", "6-2", "9:00 to 5:00", "9:30-5", "12-5pm", "9am-12", "12am-5pm", "6pm-12pm",
        "PM12:00〜PM6:00",
        "10:00〜2:00", "9", "9am", "10:00〜", "〜20:00", "daily", "Mon-Fri", "5-5", "9am-9am",
        "Mon-Fri 9-5, Mon 10-6, Mon 11-7", "Mon-Wed 9-5, Wed-Fri 10-6", "Sun 11am-6pm, daily 10am-9pm",
        "Mon 9am-noon, Mon 1pm-5pm", "9-5 Mon-Fri 10-4 Sat", "10am-2pm, 1pm-5pm", "火曜定休 土日祝 10:00〜18:00",
        "年中無休 月〜金 10:00〜20:00", "年中無休（元日を除く） 10:00〜20:00", "10:00〜20:00（日曜は18:00まで）", "10:00〜20:00（不定休）",
        "第1月曜 10:00〜20:00", "1月1日休み", "12/31〜1/3 休み", "10:00-20:00 (last order", "Mon-Fri 9-5 except holidays",
        "by appointment", "9-5?", "25:00〜26:00", "9:60-17:00 pm", "1000-2000", "Mon-Fri-Sun 9-5", "10:00-20:00-22:00",
        "18:00~+",
        "every other Monday 9-5", "Call 9-5555", "10時頃〜20時", "9-5, 6", "10:00〜20:00 L.O.", "夏季 10:00〜20:00", "日の出〜日没",
    ])
    func `lenient reading: a text with several meanings, or none, is refused with the error of the strict syntax`(
        text: String
    ) {
        #expect(throws: OpeningHoursError.self) { try OpeningHours(lenient: text) }
    }

    @Test func `lenient reading: a strict text is read strictly`() throws {
        for text in ["24/7", "Mo-Fr 09:00-17:00", "10:00-20:00", "8:00-5:00"] {
            let hours = try OpeningHours(lenient: text)
            #expect(try hours == OpeningHours(text))
            #expect(!hours.isLenient && hours.strictText == text)
        }
    }

    /// These would take hours if any step were quadratic with a large factor. The limit ends such a run.
    @Test(.timeLimit(.minutes(30)))
    func `lenient reading: hostile texts are read or refused`() throws {
        let pieces = [
            "Mon,", "月", "10:00〜20:00、", "Mon 9-5,", "(L.O.", "((((", "9-5;", "closed Mon,", "\u{FDFA}", "e\u{301}",
            "24 ", "ﾊﾞ", "to ",
        ]
        for piece in pieces {
            let text = String(repeating: piece, count: OpeningHours.maximumLength / piece.utf8.count)
            if let hours = try? OpeningHours(lenient: text) { #expect(hours.isLenient || hours.strictText == text) }
        }
        let long = String(repeating: " ", count: OpeningHours.maximumLength) + "9-5"
        #expect(throws: OpeningHoursError.tooLong) { try OpeningHours(lenient: long) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `lenient reading: random texts are refused, or equal to their strict text`(seed: UInt64) throws {
        let words = [
            "Mon", "Fri", "月", "日", "-", "to", "〜", ",", "、", ";", "\n", " ", "9", "10:00", "5", "20:00", "am", "pm",
            "午後", "noon",
            "closed", "定休日", ":", "年中無休", "24h", "daily", "平日", "祝", "(", ")", "L.O.", "翌", "半", "時", "é", "\u{0}",
        ]
        var random = SplitMix64(seed: seed)
        let zone = try TimeZone.named("Asia/Tokyo")
        let instant = try Date("2031-06-13T12:00:00+09:00")
        var read = 0
        for _ in 0..<1_000 {
            let text = (0..<Int.random(in: 1...7, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }.joined()
            guard let hours = try? OpeningHours(lenient: text) else { continue }
            read += 1
            let strict = try OpeningHours(hours.strictText)
            #expect(hours.state(at: instant, in: zone) == strict.state(at: instant, in: zone))
            #expect(hours.week == strict.week)
            // Reading is stable: a strict text is its own translation.
            #expect(try OpeningHours(lenient: hours.strictText) == strict)
        }
        #expect(read > 5)
    }
}
