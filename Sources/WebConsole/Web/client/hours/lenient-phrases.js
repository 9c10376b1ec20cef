// The words of opening hours that people wrote for people, in English and Japanese.

// Days of the week (bits 0 to 6, Monday first) and public holidays (bit 7).
export const [workdays, weekend, week, publicHolidays] = [0b0001_1111, 0b0110_0000, 0b0111_1111, 0b1000_0000];

const noon = { hour: 12, minute: 0, isClock: true, meridiem: "pm" };
const midnight = { ...noon, meridiem: "am" };

/** In lower case, after Unicode compatibility composition, which makes `～` `~` and `（` `(`. */
const words = [
    ["weekdays|weekday|on weekdays|平日", { kind: "days", days: workdays }],
    ["weekends|weekend|週末", { kind: "days", days: weekend }],
    ["daily|every day|everyday|7 days a week|seven days a week|7 days|毎日", { kind: "days", days: week }],
    ["public holidays|public holiday|ph|祝日|祝祭日|祝", { kind: "days", days: publicHolidays }],
    ["年中無休|無休|365日|365 days a year|365 days", { kind: "everyDay" }],
    ["closed on|closed|定休日|定休|休業日|休業|休館日|休館|休み|お休み", { kind: "closed" }],
    // Closed on every day, as the only words of the text.
    [
        "temporarily closed|closed temporarily|permanently closed|closed permanently|currently closed|closed until further notice"
            + "|臨時休業中|臨時休業|休業中|休館中|閉店しました|閉店|閉館",
        { kind: "shut" },
    ],
    ["24 hours a day|24 hours|24 hrs|24 hr|24hours|24hrs|24hr|24 h|24h|24-hour|24/7|24時間営業|24時間", { kind: "always" }],
    ["to|until|till|thru|through|-|~|〜|–|—|−|―|から|‐|ー", { kind: "to" }],
    ["and|&|,|、|・|/", { kind: "and" }],
    [";|。|\n", { kind: "end" }],
    [":", { kind: "colon" }],
    ["am|a.m.|a.m|午前", { kind: "meridiem", meridiem: "am" }],
    ["pm|p.m.|p.m|午後", { kind: "meridiem", meridiem: "pm" }],
    ["翌日|翌朝|翌", { kind: "nextDay" }],
    ["noon|正午", { kind: "time", time: noon }],
    ["midnight", { kind: "time", time: midnight }],
    // Words without a meaning of their own.
    ["open from|open|opening hours|business hours|store hours|hours|from|営業時間|営業中|営業|まで", { kind: "filler" }],
    // A remark that does not change the opening hours.
    [
        "l.o.|l.o|lo|last order|last orders|last entry|last admission|ラストオーダー|最終入店|最終受付|最終入場|最終入館",
        { kind: "remark" },
    ],
    ["(|[", { kind: "openBracket" }],
    [")|]", { kind: "closeBracket" }],
];

const weekdays = [
    "mondays|monday|mon.|mon|mo|m|月曜日|月曜|月", "tuesdays|tuesday|tues.|tues|tue.|tue|tu|火曜日|火曜|火",
    "wednesdays|wednesday|weds|wed.|wed|we|w|水曜日|水曜|水",
    "thursdays|thursday|thurs.|thurs|thur|thu.|thu|th|木曜日|木曜|木", "fridays|friday|fri.|fri|fr|f|金曜日|金曜|金",
    "saturdays|saturday|sat.|sat|sa|土曜日|土曜|土", "sundays|sunday|sun.|sun|su|日曜日|日曜|日",
];

let phrases;

/** The phrases that begin with a character, `[{text, token}]`, the longest first; undefined for none. */
export function phrasesFrom(character) {
    phrases ??= phrasesOf([...weekdays.map((texts, index) => [texts, { kind: "days", days: 1 << index }]), ...words]);
    return phrases.get(character);
}

function phrasesOf(entries) {
    const byFirst = new Map();
    for (const [texts, token] of entries) {
        for (const text of texts.split("|")) byFirst.set(text[0], [...(byFirst.get(text[0]) ?? []), { text, token }]);
    }
    for (const list of byFirst.values()) list.sort((one, other) => other.text.length - one.text.length);
    return byFirst;
}
