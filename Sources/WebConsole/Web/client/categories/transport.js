// The names of IMDF categories of traffic and areas.
// One category per line: the category, its English name, its Japanese name.

export default `
aerial|Above ground|上空
airport|Airport|空港
airport.intl|International airport|国際空港
aquarium|Aquarium|水族館
arcade|Arcade|アーケード
arrivalgate|Arrival gate|到着ゲート
arrivals|Arrivals|到着
arrivals.domestic|Domestic arrivals|国内線到着
arrivals.intl|International arrivals|国際線到着
automobile|Vehicle entrance|車両出入口
baggagecarousel|Baggage carousel|手荷物受取コンベヤー
baggagecarousel.intl|International baggage carousel|国際線手荷物受取コンベヤー
baggagecarts|Baggage carts|手荷物カート
baggageclaim|Baggage claim|手荷物受取所
baggageclaim.intl|International baggage claim|国際線手荷物受取所
baggageclaim.oversize|Oversize baggage claim|大型手荷物受取所
baggagerecheck|Baggage recheck|手荷物再預け入れ
baggagestorage|Baggage storage|手荷物預かり所
bicycle|Bicycle entrance|自転車出入口
boardinggate|Boarding gate|搭乗口
boardinggate.aircraft|Boarding gate|航空機搭乗口
boardinggate.bus|Bus gate|バス乗車口
boardinggate.desk|Gate desk|搭乗口カウンター
boardinggate.ferry|Ferry gate|フェリー乗船口
boardinggate.train|Train gate|列車乗車口
bus|Bus stop|バス乗り場
bus.muni|City bus stop|市内バス乗り場
bus.national|Long-distance bus stop|高速バス乗り場
businesscampus|Business campus|ビジネスキャンパス
busstop|Bus stop|バス停
carrental|Car rental|レンタカー
carrental.dropoff|Car rental return|レンタカー返却
casino|Casino|カジノ
checkin|Check-in|チェックイン
checkin.desk|Check-in desk|チェックインカウンター
checkin.desk.oversizebaggage|Oversize baggage check-in|大型手荷物カウンター
checkin.desk.transfer|Transfer desk|乗り継ぎカウンター
checkin.kiosk|Check-in kiosk|チェックイン機
checkin.selfservice|Self-service check-in|自動チェックイン
communitycenter|Community center|コミュニティセンター
concessions|Concessions|売店
concourse|Concourse|コンコース
conventioncenter|Convention center|コンベンションセンター
cubicle|Cubicle|個別ブース
departures|Departures|出発
departures.domestic|Domestic departures|国内線出発
departures.intl|International departures|国際線出発
desk|Desk|カウンター
dutyfree|Duty-free|免税店
emergencyexit|Emergency exit|非常口
entertainmentarea|Entertainment area|娯楽エリア
entertainmentarea.game|Games|ゲームエリア
entertainmentarea.music|Music|音楽エリア
entertainmentarea.performance|Performances|公演エリア
entertainmentarea.sport|Sports|スポーツエリア
entrance|Entrance|入口
equipment|Equipment|設備
exhibition|Exhibition|展示会
exit|Exit|出口
faregate|Fare gate|改札
faregate.oversized|Wide fare gate|幅広改札
furniture|Furniture|家具
gambling|Gambling|ゲーミングエリア
gambling.baccarat|Baccarat|バカラ
gambling.bingo|Bingo|ビンゴ
gambling.blackjack|Blackjack|ブラックジャック
gambling.craps|Craps|クラップス
gambling.keno|Keno|キノ
gambling.mahjong|Mahjong|麻雀
gambling.medalgame|Medal games|メダルゲーム
gambling.minibaccarat|Mini-baccarat|ミニバカラ
gambling.offtrackbetting|Off-track betting|場外発売所
gambling.pachinko|Pachinko|パチンコ
gambling.paigow|Pai gow|牌九
gambling.poker|Poker|ポーカー
gambling.poker.letitride|Let It Ride poker|レット・イット・ライド
gambling.poker.paigow|Pai gow poker|パイゴウポーカー
gambling.poker.threecard|Three-card poker|スリーカードポーカー
gambling.poker.video|Video poker|ビデオポーカー
gambling.roulette|Roulette|ルーレット
gambling.rummy|Rummy|ラミー
gambling.sicbo|Sic bo|シックボー
gambling.slotmachine|Slot machines|スロットマシン
gambling.slotmachine.highlimit|High-limit slot machines|高額スロットマシン
gatearea|Gate area|搭乗ゲートエリア
gatearea.holding|Gate holding area|搭乗待合エリア
geofence|Area|エリア
governmentfacility|Government facility|官公庁施設
ground|Ground|地上
groundtransportation|Ground transportation|地上交通
healthcarefacility|Healthcare facility|医療施設
hotel|Hotel|ホテル
immigration|Immigration|出入国審査
immigration.desk|Immigration desk|出入国審査カウンター
immigration.schengen|Schengen immigration|シェンゲン入国審査
inspection.desk|Inspection desk|検査台
limo|Limousine|リムジン
museum|Museum|博物館
obstruction|Obstruction|障害物
paidarea|Paid area|改札内
parkandride|Park and ride|パークアンドライド
parking|Parking|駐車場
parking.bicycle|Bicycle parking|駐輪場
parking.compact|Compact car parking|軽自動車用駐車場
parking.ev|Electric vehicle parking|電気自動車用駐車場
parking.longterm|Long-term parking|長期駐車場
parking.motorcycle|Motorcycle parking|バイク駐車場
parking.shortterm|Short-term parking|短期駐車場
parking.waitingarea|Waiting area for cars|車両待機場
parkingfacility|Parking facility|駐車施設
pedestrian|Door|出入口
pedestrian.principal|Main entrance|正面入口
pedestrian.transit|Transit entrance|駅出入口
pedestriancrossing|Pedestrian crossing|横断歩道
peoplemover|People mover|新交通システム
platform|Platform|ホーム
postsecurity|After security|保安検査後
presecurity|Before security|保安検査前
private|Private area|専用エリア
rail.muni|Local railway|地下鉄・市内鉄道
rail.national|National railway|鉄道
recomposearea|Recompose area|検査後整理エリア
rental|Rental|レンタル
resort|Resort|リゾート
retail|Retail|小売
retaildepartment|Department|売場
retailstore|Retail store|小売店
rideshare|Ride share|ライドシェア乗り場
road|Road|道路
security|Security|保安検査
security.checkpoint|Security checkpoint|保安検査場
security.inspection|Security inspection|手荷物検査
securityequipment|Security equipment|保安設備
servicearea|Service area|サービスエリア
shoppingcenter|Shopping center|ショッピングセンター
shuttle|Shuttle|シャトルバス
stadium|Stadium|スタジアム
stage|Stage|ステージ
stripmall|Strip mall|ショッピングモール
subterranean|Underground|地下
subwaystation|Subway station|地下鉄駅
taxi|Taxi stand|タクシー乗り場
taxistand|Taxi stand|タクシー乗り場
terminal|Terminal|ターミナル
themepark|Theme park|テーマパーク
ticketing|Tickets|きっぷうりば
ticketing.airline|Airline tickets|航空券カウンター
ticketing.bus|Bus tickets|バス乗車券
ticketing.bus.muni|City bus tickets|市内バス乗車券
ticketing.bus.national|Long-distance bus tickets|高速バス乗車券
ticketing.rail|Train tickets|鉄道乗車券
ticketing.rail.muni|Local train tickets|地下鉄・市内鉄道乗車券
ticketing.rail.national|National train tickets|鉄道乗車券（国内）
ticketing.shuttle|Shuttle tickets|シャトルバス乗車券
trainstation|Train station|鉄道駅
traintrack|Train track|線路
transit|Transit|交通機関
transit.bus|Bus transit|バス交通
transit.train|Train transit|鉄道交通
transitstation|Transit station|駅
underconstruction|Under construction|工事中
university|University|大学
valet|Valet parking|バレーパーキング
wall|Wall|壁
water|Water|水面
`;
