/// The names of IMDF's categories in English and Japanese.
enum CategoryNames {
    struct Name: Hashable, Sendable {
        let english: String
        let japanese: String
    }

    /// By category: everything that IMDF 1.0.0 lists, and frequent ones of occupants.
    static let all: [String: Name] = {
        var names: [String: Name] = [:]
        for line in [Self.facilities, Self.transport, Self.areas, Self.occupants].joined(separator: "\n").split(
            separator: "\n")
        {
            let parts = line.split(separator: "|").map(String.init)
            names[parts[0]] = Name(english: parts[1], japanese: parts[2])
        }
        return names
    }()

    /// A readable form of a category without a name: `japanese.curry` becomes `Japanese curry`, `furniturestore` `Furniture store`.
    static func derived(from category: String) -> String {
        let text = category.split(separator: ".").map { Self.separated($0) }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Separates the last word of a compound if it is a frequent one.
    private static func separated(_ part: Substring) -> String {
        let word = Self.lastWords.filter { part.hasSuffix($0) && part.count > $0.count }.max { $0.count < $1.count }
        guard let word, part.dropLast(word.count).last.map({ ("a"..."z").contains($0) }) == true else {
            return String(part)
        }
        return "\(part.dropLast(word.count)) \(word)"
    }

    static let lastWords = [
        "store", "shop", "supplies", "equipment", "goods", "services", "agent", "appliances", "market", "studio",
        "center",
        "school", "records", "accessories", "bar", "food", "sushi", "gallery", "therapy", "house", "rental", "club",
        "park",
    ]

    /// Apple's list of categories of occupants is long and grows; the others get a derived name.
    private static let occupants = """
        bakedgoods|Baked goods|ベーカリー
        bank|Bank|銀行
        books|Books|書店
        burgers|Burgers|ハンバーガー
        cafe|Cafe|カフェ
        clinic|Clinic|クリニック
        clothing|Clothing|衣料品
        clothing.childrens|Children’s clothing|子ども服
        clothing.mens|Men’s clothing|紳士服
        clothing.womens|Women’s clothing|婦人服
        coffee|Coffee|コーヒー
        conveniencestore|Convenience store|コンビニエンスストア
        cosmetics|Cosmetics|化粧品
        dentistry.general|Dentist|歯科
        electronicappliances|Electronic appliances|家電
        eyewear.opticians|Optician|メガネ
        flowers|Flowers|花
        furniturestore|Furniture store|家具
        gelato|Gelato|ジェラート
        grocerystore|Grocery store|食料品
        hairstylist|Hairstylist|美容室
        icecream|Ice cream|アイスクリーム
        izakaya|Izakaya|居酒屋
        japanese.curry|Japanese curry|カレー
        japanese.ramen|Ramen|ラーメン
        japanese.soba|Soba|そば
        japanese.udon|Udon|うどん
        jewelry|Jewelry|宝飾品
        juicebar|Juice bar|ジュースバー
        kimonos|Kimonos|着物
        leathergoods|Leather goods|革製品
        luggage|Luggage|かばん
        manicurists|Nail salon|ネイルサロン
        mobilephones|Mobile phones|携帯電話
        noodles|Noodles|麺類
        petstore|Pet store|ペットショップ
        pharmacy|Pharmacy|薬局
        photographystore|Photography store|写真店
        pizza|Pizza|ピザ
        restaurant|Restaurant|レストラン
        shoes|Shoes|靴
        shoestore|Shoe store|靴
        sportinggoods|Sporting goods|スポーツ用品
        sportswear|Sportswear|スポーツウェア
        stationery|Stationery|文具
        supermarket|Supermarket|スーパーマーケット
        sushi|Sushi|寿司
        tea|Tea|紅茶・お茶
        toys|Toys|おもちゃ
        travelagent|Travel agent|旅行代理店
        vinylrecords|Vinyl records|レコード
        watches|Watches|時計
        """
}
