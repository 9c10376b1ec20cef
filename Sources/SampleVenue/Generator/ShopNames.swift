/// A fictitious shop.
struct Shop: Hashable {
    var name: Label
    var category: String
    var servesFood: Bool
    var hours: String
    var phone: String
    var website: String
}

extension RandomNumberGenerator {
    mutating func shop() -> Shop {
        let first = self.element(of: ShopNames.first)
        let kind = self.element(of: ShopNames.kinds)
        let last = self.element(of: ShopNames.last)
        let name = Label("\(first.0) \(kind.english)\(last.0)", "\(first.1)\(kind.japanese)\(last.1)")
        let slug = ShopNames.slug(name.english)
        let hours = self.element(of: kind.servesFood ? ShopNames.foodHours : ShopNames.shopHours)
        let phone = "+8145555" + String(10_000 + self.number(in: 0..<10_000)).dropFirst()
        let website =
            self.chance(60) ? "https://\(slug).example.jp/" : "https://www.example.com/shops/\(slug)"
        return Shop(
            name: name, category: kind.category, servesFood: kind.servesFood, hours: hours, phone: phone,
            website: website)
    }

    mutating func openingHours() -> String {
        self.element(of: self.chance(50) ? ShopNames.foodHours : ShopNames.shopHours)
    }
}

enum ShopNames {
    struct Kind: Hashable {
        var english: String
        var japanese: String
        var category: String
        var servesFood: Bool

        init(_ english: String, _ japanese: String, _ category: String, food: Bool = false) {
            self.english = english
            self.japanese = japanese
            self.category = category
            self.servesFood = food
        }
    }

    /// The lower-case letters and digits of a name; everything between them becomes one hyphen.
    static func slug(_ name: String) -> String {
        var slug = ""
        for character in name.lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                slug.append(character)
            } else if !slug.isEmpty, slug.last != "-" {
                slug.append("-")
            }
        }
        if slug.last == "-" { slug.removeLast() }
        return slug
    }

    static let first = [
        ("Aoba", "青葉"), ("Hinode", "日の出"), ("Komorebi", "木漏れ日"), ("Tsukimi", "月見"), ("Minamo", "水面"),
        ("Shirakaba", "白樺"), ("Kazemachi", "風待ち"), ("Nagisa", "なぎさ"), ("Suzukaze", "涼風"), ("Akatsuki", "暁"),
        ("Hoshizora", "星空"), ("Yamabuki", "山吹"), ("Kogane", "こがね"), ("Midori", "みどり"), ("Asagao", "朝顔"),
        ("Tachibana", "橘"), ("Kaede", "かえで"), ("Sazanami", "さざなみ"), ("Yuzuki", "柚月"), ("Harukaze", "春風"),
        ("Tomoshibi", "ともしび"), ("Wakaba", "若葉"), ("Natsume", "なつめ"), ("Ginrei", "銀嶺"), ("Sumire", "すみれ"),
        ("Mikazuki", "三日月"), ("Nijiiro", "虹色"), ("Shiosai", "潮騒"), ("Hatoba", "波止場"), ("Kujira", "くじら"),
        ("Usagi", "うさぎ"), ("Lumen", "ルーメン"), ("Orbita", "オルビタ"), ("Mosaica", "モザイカ"), ("Verano", "ベラノ"),
        ("Nordlys", "ノルドリス"), ("Petite Lune", "プティット・リュヌ"), ("Arbol", "アルボル"), ("Rokkaku", "六角"),
        ("Issun", "一寸"), ("Hibari", "ひばり"), ("Tsubaki", "椿"), ("Kinari", "生成"), ("Konoha", "木の葉"),
        ("Amane", "あまね"), ("Itoguchi", "糸口"), ("Hanauta", "鼻歌"), ("Sorairo", "空色"), ("Fukurō", "ふくろう"),
        ("Crème & Ciel", "クレーム・エ・シエル"),
    ]

    static let kinds = [
        Kind("Coffee", "珈琲店", "coffee", food: true), Kind("Tea Room", "茶房", "tea", food: true),
        Kind("Bakery", "ベーカリー", "bakedgoods", food: true), Kind("Ramen", "ラーメン", "japanese.ramen", food: true),
        Kind("Soba", "そば処", "japanese.soba", food: true), Kind("Curry", "カレー", "japanese.curry", food: true),
        Kind("Sushi", "鮨", "sushi", food: true), Kind("Tempura", "天ぷら", "japanese.tempura", food: true),
        Kind("Izakaya", "酒場", "izakaya", food: true), Kind("Gelato", "ジェラート", "gelato", food: true),
        Kind("Sweets", "菓子店", "japanesesweets", food: true), Kind("Chocolate", "ショコラ", "chocolate", food: true),
        Kind("Pizzeria", "ピッツェリア", "pizza", food: true), Kind("Dim Sum", "点心", "chinese.dimsum", food: true),
        Kind("Juice Bar", "ジュースバー", "juicebar", food: true), Kind("Burgers", "バーガー", "burgers", food: true),
        Kind("Books", "書店", "books"), Kind("Stationery", "文具店", "stationery"), Kind("Records", "レコード", "vinylrecords"),
        Kind("Toys", "玩具店", "toystore"), Kind("Shoes", "靴店", "shoestore"),
        Kind("Opticians", "眼鏡店", "eyewear.opticians"),
        Kind("Jewellery", "宝飾店", "jewelry"), Kind("Watches", "時計店", "watches"), Kind("Cosmetics", "化粧品", "cosmetics"),
        Kind("Pharmacy", "薬局", "pharmacy"), Kind("Clothing", "洋品店", "clothing"),
        Kind("Menswear", "紳士服", "clothing.mens"),
        Kind("Womenswear", "婦人服", "clothing.womens"), Kind("Kids", "子供服", "clothing.childrens"),
        Kind("Sportswear", "スポーツウェア", "sportswear"), Kind("Outdoor", "アウトドア", "outdoorgear"),
        Kind("Bicycles", "自転車店", "bicycleshop"), Kind("Kimono", "呉服店", "kimonos"),
        Kind("Tableware", "食器店", "tableware"),
        Kind("Furniture", "家具店", "furniturestore"), Kind("Flowers", "生花店", "florist"),
        Kind("Hair Studio", "美容室", "hairstylist"),
        Kind("Nails", "ネイルサロン", "manicurists"), Kind("Clinic", "クリニック", "clinic"),
        Kind("Dental", "歯科", "dentistry.general"),
        Kind("Travel", "旅行社", "travelagent"), Kind("Mobile", "モバイル", "mobilephones"),
        Kind("Electronics", "電器店", "electronicappliances"), Kind("Pets", "ペットショップ", "petstore"),
        Kind("Language School", "語学教室", "languageschool"), Kind("Photo Studio", "写真館", "photographystore"),
        Kind("Leather", "鞄店", "leathergoods"), Kind("Luggage", "旅行鞄", "luggage"), Kind("Yoga", "ヨガスタジオ", "yoga"),
    ]

    static let last = [
        ("", ""), ("", ""), ("", ""), (" & Co.", "商会"), (" Labo", "ラボ"), (" Selection", "セレクション"), (" Plus", "プラス"),
        (" Atelier", "工房"),
    ]

    static let foodHours = [
        "Mo-Su 11:00-22:00", "Mo-Fr 11:00-15:00,17:00-22:00; Sa-Su,PH 11:00-22:00", "Mo-Su 07:30-21:00",
        "Tu-Su 11:30-21:30; Mo off", "Mo-Sa 17:00-26:00; Su,PH 16:00-24:00",
    ]

    static let shopHours = [
        "Mo-Su 10:00-21:00", "Mo-Fr 11:00-20:00; Sa-Su,PH 10:00-21:00", "Mo-Su 10:00-20:30",
        "Mo-Tu,Th-Su 10:00-20:00; We off", "Mo-Su 10:00-21:00; Jan 01 off",
    ]
}
