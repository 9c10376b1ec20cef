// Words for the same thing in English and Japanese, for searches. Each line is one group: what visitors type finds places that
// use another word of the group. A line that begins with “>” has words for a whole group of categories, and one with “?” has words that stand
// for the group if nothing else is found. All words are folded when they are read.

import { foldedText } from "./folded-text.js";

const lines = `
restroom|toilet|toilets|wc|bathroom|washroom|lavatory|loo|トイレ|お手洗い|お手洗|化粧室|便所
elevator|lift|elevators|lifts|エレベーター|エレベータ
escalator|escalators|moving stairs|エスカレーター
stairs|staircase|stairway|steps|階段
floor|level|storey
atm|cash machine|cash|cashpoint|money|現金|お金
currency exchange|money exchange|bureau de change|exchange|money|両替|外貨両替
information|info|help desk|infodesk|concierge|案内所|インフォメーション|総合案内
baby care|nursing room|mothers room|baby changing|授乳室|おむつ
coin locker|locker|lockers|left luggage|luggage|ロッカー|コインロッカー
baggage|luggage|suitcases|荷物|手荷物
drinking fountain|water|水飲み場
charging|charger|充電
defibrillator|aed
first aid|救護室|医務室
smoking area|smoking|喫煙所
parking|car park|garage|駐車場|パーキング
bus|bus stop|バス|バス停|バス乗り場
taxi|cab|タクシー
gate|boarding gate|ゲート|搭乗口
exit|exits|way out|出口
entrance|entry|way in|入口
sushi|寿司|すし|鮨|お寿司|寿司屋|すし屋
ramen|noodles|ラーメン|拉麺|らーめん|ラーメン屋|ラーメン店
udon|うどん|饂飩|うどん屋
soba|そば|蕎麦|そば屋|蕎麦屋
curry|カレー|カリー|カレー屋
coffee|cafe|coffee shop|コーヒー|珈琲|カフェ|喫茶|喫茶店|コーヒーショップ
tea|お茶|紅茶
bar|pub|バー
izakaya|居酒屋|いざかや
bakery|baked goods|bread|パン|ベーカリー|パン屋
ice cream|gelato|アイス|ジェラート
burger|burgers|hamburger|バーガー|ハンバーガー
pizza|ピザ|ピザ屋
food court|フードコート
pharmacy|drugstore|chemist|薬局|くすり|薬|ドラッグストア|薬屋|薬店
dentist|dental|歯科|歯医者|はいしゃ
optician|opticians|glasses|eyewear|メガネ|眼鏡|めがね|メガネ屋|眼鏡屋|眼鏡店
jewelry|jewellery|宝飾|ジュエリー|宝石|宝石店|宝飾店
clothing|clothes|apparel|fashion|服|衣料品|ファッション|服屋|洋服|洋服屋|衣料品店
shoes|shoe store|footwear|靴|くつ|シューズ|靴屋|靴店
books|bookstore|book shop|本屋|書店|本
toys|toy store|おもちゃ|玩具|おもちゃ屋|玩具店
phone|mobile phones|cell phone|携帯|スマホ|携帯電話|携帯ショップ
hairdresser|hairstylist|haircut|barber|hair salon|美容室|美容院|床屋
nails|nail salon|manicure|ネイル
supermarket|grocery|groceries|スーパー|食料品
convenience store|コンビニ
flowers|florist|花|花屋|花店
watches|watch|時計|とけい|時計屋|時計店
bags|luggage|suitcase|かばん|鞄|バッグ|かばん屋|鞄屋|鞄店
electronics|appliances|家電|電器|電器屋|電気屋|電器店
furniture|家具|かぐ|家具屋|家具店
stationery|文具|文房具|文具店|文房具店|文房具屋
bank|money|銀行|ぎんこう
post office|post|郵便局
cinema|movies|movie theater|movie theatre|映画館|映画
>food|food|eat|eating|food and drink|eat and drink|restaurant|restaurants|dining|meal|meals|lunch|dinner|飲食|飲食店|食事|食べる|レストラン|ごはん|ランチ|グルメ
?food|coffee|cafe|tea|drink|drinks|snack|snacks|breakfast|コーヒー|珈琲|カフェ|喫茶|お茶|飲み物|軽食|朝食
`;

/** The folded words of each group, and those for whole groups of categories; made for the first search. */
let groups;
let wholeGroups;

const isLatin = (word) => /^[\x20-\x7e]+$/.test(word);

/** The folded text, and variants of it in which a word or phrase is replaced by others of its group. `maximum` bounds their number. */
export function variants(text, maximum = 24) {
    const found = new Set([text]);
    for (const group of allGroups()) {
        for (const word of group) {
            if (!occurs(text, word)) continue;
            for (const other of group) if (found.size < maximum && other !== word) found.add(text.replace(word, other));
        }
    }
    return [...found];
}

/** All words of the groups that have a word which meets a condition. */
export function groupsWith(isWanted) {
    return allGroups().filter((group) => group.some(isWanted)).flat();
}

function allGroups() {
    groups ??= lines.trim().split("\n").filter((line) => !/^[>?]/.test(line)).map((line) => [...new Set(line.split("|").map(foldedText))]);
    return groups;
}

/** Whether a folded text stands for all categories of food: always, or, with `isLast`, if nothing else is found. */
export function meansFood(text, { isLast = false } = {}) {
    wholeGroups ??= new Map(lines.trim().split("\n").filter((line) => /^[>?]/.test(line)).map((line) => {
        const [group, ...words] = line.split("|");
        return [group, new Set(words.map(foldedText))];
    }));
    return wholeGroups.get(isLast ? "?food" : ">food").has(text);
}

/** Whether a word occurs in a text: as whole words in scripts with spaces, and anywhere in others if it is the text or has two characters. */
function occurs(text, word) {
    if (isLatin(word)) return ` ${text} `.includes(` ${word} `);
    return text === word || (word.length > 1 && text.includes(word));
}
