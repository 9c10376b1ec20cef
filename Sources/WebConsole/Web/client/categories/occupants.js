// The names of frequent categories of occupants.
// One category per line: the category, its English name, its Japanese name.

export default `
aircraftgate|Gate|搭乗口
apparel|Clothing|衣料品
automotive|Car parts and service|自動車用品
bakedgoods|Baked goods|ベーカリー
bank|Bank|銀行
bar|Bar|バー
barber|Barber|理髪店
beauty|Beauty|美容
bicycles|Bicycles|自転車
books|Books|書店
bookstore|Books|書店
bridal|Bridal|ブライダル
burgers|Burgers|ハンバーガー
cafe|Cafe|カフェ
cinema|Cinema|映画館
clinic|Clinic|クリニック
clothing|Clothing|衣料品
clothing.childrens|Children’s clothing|子ども服
clothing.mens|Men’s clothing|紳士服
clothing.womens|Women’s clothing|婦人服
coffee|Coffee|コーヒー
conveniencestore|Convenience store|コンビニエンスストア
cosmetics|Cosmetics|化粧品
currencyexchange|Currency exchange|外貨両替
dentistry.general|Dentist|歯科
departmentstore|Department store|百貨店
desserts|Desserts|デザート
drugstore|Drugstore|ドラッグストア
electronicappliances|Electronic appliances|家電
eyewear.opticians|Optician|メガネ
fastfood|Fast food|ファストフード
florist|Florist|花屋
flowers|Flowers|花
foodcourt|Food court|フードコート
furniturestore|Furniture store|家具
gelato|Gelato|ジェラート
giftshop|Gift shop|ギフトショップ
grocerystore|Grocery store|食料品
gym|Gym|ジム
hairstylist|Hairstylist|美容室
hardwarestore|Hardware store|金物店
homedecor|Home decor|インテリア
icecream|Ice cream|アイスクリーム
izakaya|Izakaya|居酒屋
japanese.curry|Japanese curry|カレー
japanese.ramen|Ramen|ラーメン
japanese.soba|Soba|そば
japanese.udon|Udon|うどん
japanesesweets|Japanese sweets|和菓子
jewelry|Jewelry|宝飾品
juicebar|Juice bar|ジュースバー
kimonos|Kimonos|着物
languageschool|Language school|語学学校
leathergoods|Leather goods|革製品
lingerie|Lingerie|下着
luggage|Luggage|かばん
manicurists|Nail salon|ネイルサロン
mobilephones|Mobile phones|携帯電話
musicstore|Music store|楽器・音楽
noodles|Noodles|麺類
optician|Optician|メガネ
perfume|Perfume|香水
petstore|Pet store|ペットショップ
pharmacy|Pharmacy|薬局
photographystore|Photography store|写真店
pizza|Pizza|ピザ
postoffice|Post office|郵便局
pub|Pub|パブ
restaurant|Restaurant|レストラン
shoes|Shoes|靴
shoestore|Shoe store|靴
souvenirs|Souvenirs|土産物
spa|Spa|スパ
sportinggoods|Sporting goods|スポーツ用品
sportswear|Sportswear|スポーツウェア
stationery|Stationery|文具
supermarket|Supermarket|スーパーマーケット
sushi|Sushi|寿司
tableware|Tableware|食器
tea|Tea|紅茶・お茶
ticketoffice|Ticket office|チケット売り場
toys|Toys|おもちゃ
toystore|Toy store|おもちゃ
travelagent|Travel agent|旅行代理店
videogames|Video games|ゲーム
vinylrecords|Vinyl records|レコード
watches|Watches|時計
`;
