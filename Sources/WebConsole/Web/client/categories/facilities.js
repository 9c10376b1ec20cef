// The names of IMDF categories of units, amenities, sections and fixtures.
// One category per line: the category, its English name, its Japanese name.

export default `
aed|Defibrillator (AED)|AED
amphitheater|Amphitheater|円形劇場
animalreliefarea|Animal relief area|ペット用トイレ
atm|Cash machine|ATM
auditorium|Auditorium|講堂
babychanging|Baby changing table|おむつ交換台
brick|Brick wall|れんが壁
businesscenter|Business center|ビジネスセンター
cabin|Cabin|キャビン
caregiver|Caregiver room|介助者用スペース
cashier|Cashier|レジ
changemachine|Change machine|両替機
charging|Charging station|充電スポット
childplayarea|Children’s play area|キッズスペース
classroom|Classroom|教室
coinlocker|Coin lockers|コインロッカー
column|Column|柱
concrete|Concrete wall|コンクリート壁
conferenceroom|Conference room|会議室
copymachine|Copy machine|コピー機
corridor|Corridor|廊下
defibrillator|Defibrillator (AED)|AED
drinkingfountain|Drinking fountain|水飲み場
drywall|Drywall|石膏ボード壁
eatingdrinking|Eating and drinking|飲食スペース
elevator|Lift|エレベーター
emergencyshelter|Emergency shelter|避難所
entry|Entrance|入口
escalator|Escalator|エスカレーター
exhibit|Exhibit|展示
fieldofplay|Playing field|競技場
fieldofplay.americanfootball|American football field|アメリカンフットボール場
fieldofplay.baseball|Baseball field|野球場
fieldofplay.basketball|Basketball court|バスケットボールコート
fieldofplay.fieldhockey|Hockey field|ホッケー場
fieldofplay.icehockey|Ice hockey rink|アイスホッケーリンク
fieldofplay.rugby|Rugby field|ラグビー場
fieldofplay.soccer|Soccer field|サッカー場
fieldofplay.softball|Softball field|ソフトボール場
fieldofplay.tennis|Tennis court|テニスコート
fieldofplay.trackfield|Athletics track|陸上競技場
fieldofplay.volleyball|Volleyball court|バレーボールコート
firealarmpullstation|Fire alarm|火災報知器
fireextinguisher|Fire extinguisher|消火器
firstaid|First aid|救護室
fitnessroom|Fitness room|フィットネスルーム
fittingroom|Fitting room|試着室
foodservice|Food service|飲食店
footbridge|Footbridge|連絡橋
glass|Glass wall|ガラス壁
guestservices|Guest services|ゲストサービス
handsanitizerstation|Hand sanitizer|手指消毒
healthscreening|Health screening|検疫
hoteling|Shared desks|フリーアドレス席
huddleroom|Huddle room|小会議室
infodesk|Information desk|案内カウンター
information|Information|案内所
information.bid|Baggage information display|手荷物案内表示
information.carrental|Car rental information|レンタカー案内
information.hotel|Hotel information|ホテル案内
information.mufid|Flight information display|フライト案内表示
information.mufid.arrivals|Arrivals display|到着便案内表示
information.mufid.departures|Departures display|出発便案内表示
information.transit|Transit information|交通案内
kitchen|Kitchen|キッチン
laboratory|Laboratory|実験室
landmark|Landmark|ランドマーク
library|Library|図書館
lift|Lift|エレベーター
lobby|Lobby|ロビー
locker|Lockers|ロッカー
lostandfound|Lost and found|遺失物取扱所
lounge|Lounge|ラウンジ
mailbox|Mailbox|郵便ポスト
mailroom|Mail room|郵便室
meditation|Meditation room|瞑想室
meetingpoint|Meeting point|待ち合わせ場所
meetingroom|Meeting room|会議室
mobilityrescue|Mobility rescue|避難補助設備
mothersroom|Nursing room|授乳室
movietheater|Movie theater|映画館
movingwalkway|Moving walkway|動く歩道
nonpublic|Not public|関係者専用
nursingroom|Nursing room|授乳室
office|Office|オフィス
opentobelow|Open to below|吹き抜け
payphone|Payphone|公衆電話
phone|Telephone|電話
phone.emergency|Emergency telephone|非常電話
phoneroom|Phone room|電話室
photobooth|Photo booth|証明写真機
police|Police|警察
powerchargingstation|Charging station|充電スポット
prayerroom|Prayer room|礼拝室
prayerroom.buddhism|Buddhist prayer room|礼拝室（仏教）
prayerroom.christianity|Christian prayer room|礼拝室（キリスト教）
prayerroom.hinduism|Hindu prayer room|礼拝室（ヒンドゥー教）
prayerroom.islam|Muslim prayer room|礼拝室（イスラム教）
prayerroom.islam.female|Women’s Muslim prayer room|女性用礼拝室（イスラム教）
prayerroom.islam.male|Men’s Muslim prayer room|男性用礼拝室（イスラム教）
prayerroom.judaism|Jewish prayer room|礼拝室（ユダヤ教）
prayerroom.shintoism|Shinto prayer room|礼拝室（神道）
prayerroom.sikh|Sikh prayer room|礼拝室（シク教）
prayerroom.taoic|Taoist prayer room|礼拝室（道教）
privatelounge|Private lounge|専用ラウンジ
productreturn|Product returns|返品カウンター
ramp|Ramp|スロープ
reception.desk|Reception|受付
recreation|Recreation|娯楽施設
restroom|Restroom|トイレ
restroom.family|Family restroom|ファミリートイレ
restroom.female|Women’s restroom|女性用トイレ
restroom.female.wheelchair|Accessible women’s restroom|女性用多目的トイレ
restroom.male|Men’s restroom|男性用トイレ
restroom.male.wheelchair|Accessible men’s restroom|男性用多目的トイレ
restroom.transgender|Transgender restroom|トランスジェンダートイレ
restroom.transgender.wheelchair|Accessible transgender restroom|トランスジェンダー多目的トイレ
restroom.unisex|All-gender restroom|男女共用トイレ
restroom.unisex.wheelchair|Accessible all-gender restroom|男女共用多目的トイレ
restroom.wheelchair|Accessible restroom|多目的トイレ
room|Room|部屋
seat|Seat|ベンチ
seating|Seating|座席
seatingrow|Row of seats|座席列
serverroom|Server room|サーバー室
service|Service|サービス
shower|Shower|シャワー
sleepbox|Sleep box|仮眠ボックス
smokingarea|Smoking area|喫煙所
smokingroom|Smoking room|喫煙室
staircase|Stairs|階段
stairs|Stairs|階段
stairwell|Stairwell|階段室
steps|Steps|段差
storage|Storage|倉庫
strollerrental|Stroller rental|ベビーカー貸出
structure|Structure|構造物
studentadmissions|Student admissions|入学窓口
studentservices|Student services|学生窓口
swimmingpool|Swimming pool|プール
swimmingpool.children|Children’s pool|子ども用プール
swimmingpool.family|Family pool|ファミリープール
terrace|Terrace|テラス
theater|Theater|劇場
toilet|Toilet|トイレ
toilet.accessible|Accessible toilet|多目的トイレ
toilet.female|Women’s toilet|女性用トイレ
toilet.male|Men’s toilet|男性用トイレ
toilets|Toilets|トイレ
unenclosedarea|Open area|屋外スペース
unspecified|Unspecified|未分類
vegetation|Greenery|植栽
vendingmachine|Vending machine|自動販売機
vendingmachine.trainticket|Train ticket machine|きっぷ券売機
waitingroom|Waiting room|待合室
walkway|Walkway|通路
walkway.island|Walkway island|通路（島）
wc|Toilet|トイレ
wheelchair|Wheelchair access|車いす対応
wheelchairassist|Wheelchair assistance|車いす介助
wifi|Wi-Fi|Wi-Fi
wood|Wooden wall|木の壁
yoga|Yoga|ヨガ
`;
