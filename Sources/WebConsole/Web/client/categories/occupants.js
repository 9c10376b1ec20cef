// The names of frequent categories of occupants.
// One category per line: the category, its English name, its Japanese name.

export default `
3dprinting|3D printing|3Dプリント
accessories|Accessories|アクセサリー
accounting|Accounting|会計事務所
acupuncture|Acupuncture|鍼灸
aircraftgate|Gate|搭乗口
airline|Airline|航空会社
antiques|Antiques|骨董品
apparel|Clothing|衣料品
appliances|Appliances|家電
artgallery|Art gallery|ギャラリー
artsupplies|Art supplies|画材
asianfusion|Asian fusion|アジア料理
auto|Car services|自動車サービス
auto.carwash|Car wash|洗車
auto.dealer.car|Car dealer|自動車販売
auto.evcharge|EV charging|EV充電
auto.parts|Car parts|カー用品
auto.repair|Car repair|自動車修理
automotive|Car parts and service|自動車用品
babyclothesandsupplies|Baby clothes and supplies|ベビー用品
bagels|Bagels|ベーグル
bakedgoods|Baked goods|ベーカリー
bank|Bank|銀行
bar|Bar|バー
barbecue|Barbecue|バーベキュー
barber|Barber|理髪店
beauty|Beauty|美容
beautysalon|Beauty salon|美容サロン
beautyspas|Beauty and spas|美容・スパ
beerbar|Beer bar|ビアバー
beergarden|Beer garden|ビアガーデン
beerhall|Beer hall|ビアホール
beerwineandspirits|Beer, wine and spirits|酒類
beerwinespirits|Beer, wine and spirits|酒類
bicycles|Bicycles|自転車
bicycleshop|Bicycle shop|自転車店
bistro|Bistro|ビストロ
books|Books|書店
booksmagazinesmusicvideo|Books, music and video|書籍・音楽・映像
bookstore|Books|書店
bowlingalley|Bowling alley|ボウリング場
brazilian|Brazilian food|ブラジル料理
breakfastandbrunch|Breakfast and brunch|朝食・ブランチ
brewery|Brewery|醸造所
bridal|Bridal|ブライダル
bridalstore|Bridal store|ブライダル
bubbletea|Bubble tea|タピオカドリンク
buffet|Buffet|ビュッフェ
burgers|Burgers|ハンバーガー
butcher|Butcher|精肉
cafe|Cafe|カフェ
cafeteria|Cafeteria|カフェテリア
cakes|Cakes|ケーキ
candy|Candy|菓子
candy.dagashi|Japanese penny candy|駄菓子
cards.stationery|Cards and stationery|カード・文具
carpet|Carpets|カーペット
cellphoneaccessories|Phone accessories|携帯アクセサリー
cheese|Cheese|チーズ
childcare|Child care|託児所
chinese|Chinese food|中華料理
chinese.dimsum|Dim sum|点心
chinese.szechuan|Sichuan food|四川料理
chiropractic|Chiropractic|カイロプラクティック
chocolate|Chocolate|チョコレート
cinema|Cinema|映画館
cityhall|City hall|市役所
clinic|Clinic|クリニック
clothing|Clothing|衣料品
clothing.bespoke|Made-to-measure clothing|オーダーメイド服
clothing.childrens|Children’s clothing|子ども服
clothing.mens|Men’s clothing|紳士服
clothing.plussize|Plus-size clothing|大きいサイズの服
clothing.womens|Women’s clothing|婦人服
cocktailbar|Cocktail bar|カクテルバー
coffee|Coffee|コーヒー
college|College|大学
comicbooks|Comic books|漫画
computersandaccessories|Computers and accessories|パソコン・周辺機器
conceptshop|Concept shop|コンセプトショップ
conveniencestore|Convenience store|コンビニエンスストア
conveyorsushi|Conveyor-belt sushi|回転寿司
cookingschool|Cooking school|料理教室
copyshop|Copy shop|コピー店
cosmetics|Cosmetics|化粧品
cosmeticsurgery|Cosmetic surgery|美容外科
crepes|Crepes|クレープ
currencyexchange|Currency exchange|外貨両替
dancestudio|Dance studio|ダンススタジオ
delicatessen|Delicatessen|惣菜
dentistry|Dentist|歯科
dentistry.cosmetic|Cosmetic dentist|審美歯科
dentistry.general|Dentist|歯科
dentistry.pediatric|Children’s dentist|小児歯科
departmentstore|Department store|百貨店
dermatology|Dermatology|皮膚科
desserts|Desserts|デザート
discountstore|Discount store|ディスカウントストア
donuts|Donuts|ドーナツ
drugstore|Drugstore|ドラッグストア
drycleaning|Dry cleaning|クリーニング
drycleaninglaundry|Dry cleaning and laundry|クリーニング
dumplings|Dumplings|餃子
education|Education|教育
educationservices|Education|教育
electronicappliances|Electronic appliances|家電
elementaryschool|Elementary school|小学校
employmentagency|Employment agency|人材紹介
escapegame|Escape game|脱出ゲーム
eyelashes|Eyelashes|まつげエクステ
eyewear.opticians|Optician|メガネ
fashion|Fashion|ファッション
fashionaccessories|Fashion accessories|服飾雑貨
fastfood|Fast food|ファストフード
ferry|Ferry|フェリー
financialservices|Financial services|金融サービス
fish|Fish|鮮魚
fishandchips|Fish and chips|フィッシュ・アンド・チップス
florist|Florist|花屋
flowers|Flowers|花
foodcourt|Food court|フードコート
foodstand|Food stand|屋台
foodtruck|Food truck|キッチンカー
formalwear|Formal wear|フォーマルウェア
formalwear.rental|Formal wear rental|貸衣装
french|French food|フランス料理
frozenfoods|Frozen foods|冷凍食品
fruitandvegetables|Fruit and vegetables|青果
furniturestore|Furniture store|家具
gelato|Gelato|ジェラート
german|German food|ドイツ料理
giftshop|Gift shop|ギフトショップ
giftshops|Gift shop|ギフトショップ
goldmerchants|Gold merchant|金買取
golf|Golf|ゴルフ
golfshop|Golf shop|ゴルフ用品
gourmetfood|Gourmet food|グルメ食品
greek|Greek food|ギリシャ料理
grocery|Groceries|食料品
grocerystore|Grocery store|食料品
gym|Gym|ジム
haircutsstyling|Haircuts and styling|美容室
haircutsstyling.mens|Men’s haircuts|理髪店
hairremoval|Hair removal|脱毛
hairstylist|Hairstylist|美容室
hardware|Hardware|金物
hardwarestore|Hardware store|金物店
hats|Hats|帽子
hawaiian|Hawaiian food|ハワイ料理
headshop|Head shop|喫煙具
healthcare|Health care|医療
healthcarecenter|Health care center|医療センター
hearingaids|Hearing aids|補聴器
highschool|High school|高等学校
hobbyshop|Hobby shop|ホビー
homeandgarden|Home and garden|ホーム・ガーデン
homedecor|Home decor|インテリア
hospital|Hospital|病院
hostel|Hostel|ホステル
hotel.business|Business hotel|ビジネスホテル
hotel.capsule|Capsule hotel|カプセルホテル
hotpot|Hot pot|鍋料理
icecream|Ice cream|アイスクリーム
indian|Indian food|インド料理
indonesian|Indonesian food|インドネシア料理
insurance|Insurance|保険
internetcafe|Internet cafe|インターネットカフェ
irishpub|Irish pub|アイリッシュパブ
italian|Italian food|イタリア料理
izakaya|Izakaya|居酒屋
japanese|Japanese food|和食
japanese.bento|Bento|弁当
japanese.curry|Japanese curry|カレー
japanese.donburi|Donburi|丼もの
japanese.gyudon|Gyudon|牛丼
japanese.kushikatsu|Kushikatsu|串カツ
japanese.oden|Oden|おでん
japanese.okonomiyaki|Okonomiyaki|お好み焼き
japanese.onigiri|Onigiri|おにぎり
japanese.ramen|Ramen|ラーメン
japanese.shabushabu|Shabu-shabu|しゃぶしゃぶ
japanese.soba|Soba|そば
japanese.sukiyaki|Sukiyaki|すき焼き
japanese.takoyaki|Takoyaki|たこ焼き
japanese.tempura|Tempura|天ぷら
japanese.teppanyaki|Teppanyaki|鉄板焼き
japanese.tonkatsu|Tonkatsu|とんかつ
japanese.udon|Udon|うどん
japanese.unagi|Eel|うなぎ
japanese.westernjapanese|Western-style Japanese food|洋食
japanese.yakiniku|Yakiniku|焼肉
japanese.yakitori|Yakitori|焼き鳥
japanesesweets|Japanese sweets|和菓子
jewelry|Jewelry|宝飾品
jewelryrepair|Jewelry repair|宝飾品修理
juicebar|Juice bar|ジュースバー
kaiseki|Kaiseki|懐石料理
karaoke|Karaoke|カラオケ
kebab|Kebab|ケバブ
kimonos|Kimonos|着物
kindergarten|Kindergarten|幼稚園
korean|Korean food|韓国料理
languageschool|Language school|語学学校
laundromat|Laundromat|コインランドリー
laundryservices|Laundry|クリーニング
lawyer|Lawyer|法律事務所
leathergoods|Leather goods|革製品
lighting|Lighting|照明
lingerie|Lingerie|下着
locksmith|Locksmith|鍵店
lotterystand|Lottery stand|宝くじ売り場
luggage|Luggage|かばん
luggagestorage|Luggage storage|手荷物預かり所
makeupartist|Make-up artist|メイクアップ
manicurists|Nail salon|ネイルサロン
martialarts|Martial arts|武道
massagetherapy|Massage|マッサージ
mediterranean|Mediterranean food|地中海料理
mexican|Mexican food|メキシコ料理
mobilephonerepair|Mobile phone repair|携帯電話修理
mobilephones|Mobile phones|携帯電話
musicalinstruments|Musical instruments|楽器
musicstore|Music store|楽器・音楽
musicvenue|Music venue|ライブハウス
noodles|Noodles|麺類
nurseries.gardening|Garden center|園芸
obgyn|Obstetrics and gynecology|産婦人科
officebuilding|Office building|オフィスビル
opthamalogy|Ophthalmology|眼科
optician|Optician|メガネ
optometry|Optometry|検眼
organicfood|Organic food|自然食品
orthopedics|Orthopedics|整形外科
outdoorgear|Outdoor gear|アウトドア用品
outletstore|Outlet store|アウトレット
pachinko|Pachinko|パチンコ
pasta|Pasta|パスタ
pediatrics|Pediatrics|小児科
perfume|Perfume|香水
peruvian|Peruvian food|ペルー料理
pets|Pets|ペット
pets.grooming|Pet grooming|トリミング
petstore|Pet store|ペットショップ
pharmacy|Pharmacy|薬局
photography|Photography|写真館
photographystore|Photography store|写真店
physician|Physician|医院
pilates|Pilates|ピラティス
pizza|Pizza|ピザ
placeofworship|Place of worship|礼拝施設
placeofworship.church|Church|教会
placeofworship.mosque|Mosque|モスク
playground|Playground|遊び場
policestation|Police station|警察署
policestation.koban|Police box|交番
popup|Pop-up shop|期間限定ショップ
popupshops|Pop-up shops|期間限定ショップ
portuguese|Portuguese food|ポルトガル料理
postoffice|Post office|郵便局
preschool|Preschool|保育園
pub|Pub|パブ
publiclibrary|Public library|公共図書館
realestate|Real estate|不動産
realestateagents|Real estate agent|不動産
reflexology|Reflexology|リフレクソロジー
restaurant|Restaurant|レストラン
russian|Russian food|ロシア料理
sakebar|Sake bar|日本酒バー
salad|Salads|サラダ
sandwiches|Sandwiches|サンドイッチ
sauna|Sauna|サウナ
school|School|学校
seafood|Seafood|海鮮料理
sewingalterations|Alterations|洋服直し
shavedice|Shaved ice|かき氷
shoerepair|Shoe repair|靴修理
shoes|Shoes|靴
shoestore|Shoe store|靴
skiequipment|Ski equipment|スキー用品
skincare|Skin care|スキンケア
soup|Soup|スープ
souvenirs|Souvenirs|土産物
spa|Spa|スパ
spanish|Spanish food|スペイン料理
sportinggoods|Sporting goods|スポーツ用品
sportswear|Sportswear|スポーツウェア
stationery|Stationery|文具
steak|Steak|ステーキ
supermarket|Supermarket|スーパーマーケット
sushi|Sushi|寿司
swimwear|Swimwear|水着
tableware|Tableware|食器
taiwanese|Taiwanese food|台湾料理
taiyaki|Taiyaki|たい焼き
tapas|Tapas|タパス
tea|Tea|紅茶・お茶
thai|Thai food|タイ料理
thriftstore|Thrift store|リサイクルショップ
ticketoffice|Ticket office|チケット売り場
tickets|Tickets|チケット売り場
tobaccoshop|Tobacco shop|たばこ店
tofu|Tofu|豆腐
toys|Toys|おもちゃ
toystore|Toy store|おもちゃ
travelagent|Travel agent|旅行代理店
travelservices|Travel services|旅行サービス
turkish|Turkish food|トルコ料理
tutoring|Tutoring|学習塾
uniforms|Uniforms|制服
usedbooks|Used books|古書
vegan|Vegan food|ヴィーガン料理
vegetarian|Vegetarian food|ベジタリアン料理
veterinarian|Veterinarian|動物病院
videogames|Video games|ゲーム
videogamesandconsoles|Video games and consoles|ゲーム
vietnamese|Vietnamese food|ベトナム料理
vintageclothing|Vintage clothing|古着
vinylrecords|Vinyl records|レコード
visitorcenter|Visitor center|ビジターセンター
waffles|Waffles|ワッフル
watches|Watches|時計
watchrepair|Watch repair|時計修理
winebar|Wine bar|ワインバー
`;
