// Findings in Japanese, by the English sentence that the server reports. A part in braces is an argument: {type} is a feature type, {value} a
// quoted value or what it is called, all others are shown as they are. The first sentence that fits counts.

export default `
The {type} has no category.|{type}にカテゴリがありません。
{value} is not a category of {type}.|{value}は{type}のカテゴリではありません。
The geofence refers neither to a level nor to a building.|ジオフェンスがフロアも建物も示していません。
The address has no province, although {country} has provinces.|{country}の住所には州（都道府県）が必要ですが、ありません。
The archive has no building.|アーカイブに建物がありません。
No {type} refers to the building.|この建物を示す{type}がありません。
No unit refers to the level.|このフロアを示す区画がありません。
No opening refers to the level.|このフロアを示す出入口がありません。
No feature refers to the address.|この住所を示すものがありません。
The level is indoors and refers to no building.|屋内のフロアですが、建物を示していません。
The level is outdoors, its ordinal is not 0, and it refers to no building.|序数が0でない屋外のフロアですが、建物を示していません。
The level is outdoors, its ordinal is 0, and it refers to a building.|序数0の屋外のフロアですが、建物を示しています。
The type changed from {type} to {type2}.|種別が{type}から{type2}に変わりました。
{n} of {count} ids of type {type} {were} replaced, and {new} of the new ids {belong}: ids seem to be generated anew with every export.|{type}のid {count}件のうち{n}件が置き換わり、新しいidのうち{new}件は同じものを指しています。書き出すたびにidを作り直しているようです。
The id of the venue was {id} before.|施設のidは以前{id}でした。
The manifest had an origin before and has none now.|マニフェストに以前あった作成元がなくなりました。
The level changed from {before} to {after}.|フロアが{before}から{after}に変わりました。
Level {level} was removed, but {n} feature {remains} elsewhere.|フロア{level}は削除されましたが、その上にあった{n}件がほかの場所に残っています。
Level {level} was removed, but {n} features of it {remain} elsewhere.|フロア{level}は削除されましたが、その上にあった{n}件がほかの場所に残っています。
{n} feature is written differently and equivalent to before.|{n}件は書き方だけが変わり、内容は以前と同じです。
{n} features are written differently and equivalent to before.|{n}件は書き方だけが変わり、内容は以前と同じです。
The id was removed in an earlier revision and is used again.|以前のリビジョンで削除されたidが再び使われています。
The building changed from {before} to {after}.|建物が{before}から{after}に変わりました。
{value} is unusual for {type} of an airport.|空港の{type}として{value}は一般的ではありません。
There is no platform in the station.|駅にプラットホームがありません。
{value} has neither a display point nor an amenity.|{value}に表示位置も設備もありません。
{n} feature is of type {type}, which belongs in {file}.|{type}が{n}件ありますが、{file}に置くべきものです。
{n} features are of type {type}, which belongs in {file}.|{type}が{n}件ありますが、{file}に置くべきものです。
{n} feature has the type {value}, which IMDF spells {value2}.|{n}件の種別{value}は、IMDFでは{value2}と書きます。
{n} features have the type {value}, which IMDF spells {value2}.|{n}件の種別{value}は、IMDFでは{value2}と書きます。
{n} feature has the type {value}, which IMDF does not define and no extension declares.|{n}件の種別{value}は、IMDFになく、拡張でも宣言されていません。
{n} features have the type {value}, which IMDF does not define and no extension declares.|{n}件の種別{value}は、IMDFになく、拡張でも宣言されていません。
{value} is not an id.|{value}はidではありません。
No feature has the id {id}.|id {id} のものがありません。
{property} refers to {type} and must refer to {type2}.|{property}は{type}を示していますが、{type2}を示す必要があります。
{n} feature of type {type} has the property {value}, which IMDF does not define and no extension declares.|{type}{n}件のプロパティ{value}は、IMDFになく、拡張でも宣言されていません。
{n} features of type {type} have the property {value}, which IMDF does not define and no extension declares.|{type}{n}件のプロパティ{value}は、IMDFになく、拡張でも宣言されていません。
The archive has no venue feature; it must have exactly one.|アーカイブに施設（venue）がありません。ちょうど一つ必要です。
The archive has no manifest.json.|アーカイブにmanifest.jsonがありません。
There is another manifest, {value}; this one was ignored.|ほかにもマニフェスト{value}があるため、これは使われませんでした。
The manifest is an array; its first object was used.|マニフェストが配列のため、最初のオブジェクトが使われました。
The manifest is not an object and was ignored.|マニフェストがオブジェクトではないため、使われませんでした。
The archive has more than {n} entries.|アーカイブの項目が{n}件を超えています。
The archive's list of entries is too long.|アーカイブの項目の一覧が長すぎます。
The uncompressed archive is larger than {size}.|アーカイブを展開すると{size}を超えます。
{value} has a compression ratio of more than {n}.|{value}の圧縮率が{n}を超えています。
{value} is larger than {size} uncompressed.|{value}を展開すると{size}を超えます。
{value} has another uncompressed size than the archive declares.|{value}を展開した大きさが、アーカイブの記載と異なります。
The archive is larger than {size}.|アーカイブが{size}を超えています。
The archive contradicts itself about its entries.|アーカイブの項目の記載が矛盾しています。
The entry is a symbolic link.|項目がシンボリックリンクです。
Another entry has the same name or one that differs only in case: {value}.|同じ名前、または大文字小文字だけが異なる名前の項目があります：{value}。
The entry is encrypted.|項目が暗号化されています。
The entry is compressed by a method other than deflate.|項目がdeflate以外の方式で圧縮されています。
The archive cannot be read: {reason}.|アーカイブを読み取れません：{reason}。
{value} cannot be inflated: {reason}.|{value}を展開できません：{reason}。
The archive's list of entries is not at the offset that the archive declares.|アーカイブの項目の一覧が記載された位置にありません。
The archive's list of entries is longer than declared.|アーカイブの項目の一覧が記載より長くなっています。
The archive's list of entries is shorter than declared.|アーカイブの項目の一覧が記載より短くなっています。
There are bytes between the archive's list of entries and its end.|アーカイブの項目の一覧と終端の間に余分なデータがあります。
The file is not a zip archive, or its end is missing.|zipではないか、終端がありません。
The archive has more than one end record.|アーカイブの終端が複数あります。
There are bytes after the archive's end.|アーカイブの終端の後にデータがあります。
The archive is one part of a split archive.|分割されたアーカイブの一部です。
The archive's end is damaged.|アーカイブの終端が壊れています。
The size of {value} is missing.|{value}の大きさがありません。
{value} is not at the offset that the archive declares.|{value}が記載された位置にありません。
The header of {value} differs from the list of entries.|{value}のヘッダーが項目の一覧と異なります。
{value} overlaps other data in the archive.|{value}がアーカイブのほかのデータと重なっています。
There are bytes before the archive's first entry.|アーカイブの最初の項目の前にデータがあります。
There are bytes in the archive that belong to none of the listed entries.|アーカイブに、どの項目にも属さないデータがあります。
An entry has no name.|名前のない項目があります。
The name contains a NUL character.|名前にNUL文字が含まれています。
The name contains a backslash.|名前にバックスラッシュが含まれています。
The name is an absolute path.|名前が絶対パスです。
The name leads out of the archive.|名前がアーカイブの外を指しています。
The feature is longer than {size}.|要素が{size}を超えています。
A part of the file is longer than {size}.|ファイルの一部が{size}を超えています。
Arrays and objects are nested more than {n} levels deep.|配列やオブジェクトの入れ子が{n}段を超えています。
A text has more than {n} combining marks in a row.|1つの文字に続く結合文字が{n}個を超えています。
The file is encoded in {encoding}; it must be UTF-8.|ファイルの文字コードが{encoding}です。UTF-8でなければなりません。
The file is not valid JSON: {reason}.|正しいJSONではありません：{reason}。
An element of {value} is not an object.|{value}にオブジェクトではないものがあります。
The feature_type contains a NUL character.|feature_typeにNUL文字が含まれています。
The feature_type is longer than {n} bytes.|feature_typeが{n}バイトを超えています。
The feature's property {value} is longer than {size}.|要素のプロパティ{value}が{size}を超えています。
The feature's member {value} is longer than {size}.|要素の項目{value}が{size}を超えています。
The feature's member of the geometry {value} is longer than {size}.|要素のジオメトリの項目{value}が{size}を超えています。
References to features whose ids were replaced are longer by {size}, which is the limit; the features need UUIDs of their own.|idの置き換えにより、参照が上限の{size}まで長くなりました。要素のidを一意のUUIDにしてください。
The feature has no id.|要素にidがありません。
The feature's id is empty or not a string.|要素のidが空か、文字列ではありません。
The feature's id {value} is not a UUID.|要素のid {value}はUUIDではありません。
The file begins with a byte order mark, which was skipped.|ファイルの先頭のバイト順マークは無視されました。
The file is a single feature instead of a FeatureCollection.|ファイルがFeatureCollectionではなく、一つの要素です。
The file is not a FeatureCollection, so no feature was read from it.|FeatureCollectionではないため、このファイルからは何も読み取られませんでした。
The FeatureCollection has no type.|FeatureCollectionにtypeがありません。
{n} feature{s} no type; {value} was inserted.|{n}件の要素にtypeがないため、{value}が補われました。
{n} feature{s} no feature_type; {value} was inserted, from the name of the file.|{n}件の要素にfeature_typeがないため、ファイル名から{value}が補われました。
{n} feature{s} a feature_type that is empty or not a string; it was replaced by {value}, from the name of the file.|{n}件の要素のfeature_typeが空か文字列ではないため、ファイル名から{value}に置き換えられました。
{n} feature{s} no geometry; null was inserted.|{n}件の要素にgeometryがないため、nullが補われました。
{n} feature{s} no properties; an empty object was inserted.|{n}件の要素にpropertiesがないため、空のオブジェクトが補われました。
{n} feature{s} properties that are not an object.|{n}件の要素のpropertiesがオブジェクトではありません。
{n} feature{s} no id; the id in the properties was used.|{n}件の要素にidがないため、propertiesのidが使われました。
{n} feature{s} lists that are written as text, such as {value}; they were read as lists.|{n}件の要素のリスト（{value}など）が文字列として書かれているため、リストとして読み取られました。
{n} feature{s} an id with white space around it, which was removed.|{n}件の要素のidの前後にあった空白が取り除かれました。
1 feature has the id {value}, which is not a UUID; it was read as {id}, in references too.|1件の要素のid{value}がUUIDではないため、参照も含めて{id}として読み込まれました。
{n} features have ids that are not UUIDs; each got one, in references too, such as {id} for {value}.|{n}件の要素のidがUUIDではないため、参照も含めてUUIDに置き換えられました（{value}は{id}など）。
1 feature has the id of a feature of another type, {id}; it was read as {id2}, in references too.|1件の要素のidが別の種別の要素のid {id} と同じため、参照も含めて{id2}として読み込まれました。
{n} features have the ids of features of other types; each got its own, in references too, such as {id} for {id2}.|{n}件の要素のidが別の種別の要素のidと同じため、参照も含めて別のidに置き換えられました（{id2}は{id}など）。
The feature's id is longer than {n} bytes.|要素のidが{n}バイトを超えています。
{n} feature{s} an id that is a UUID of another version than 4.|{n}件の要素のidが、バージョン4ではないUUIDです。
An object has a duplicate member; the last one was used.|オブジェクトの項目が重複しているため、最後のものが使われました。
Objects have {n} duplicate members; the last one of each was used.|オブジェクトの項目が{n}件重複しているため、それぞれ最後のものが使われました。
The FeatureCollection has a crs, which RFC 7946 removed: coordinates are always WGS 84.|FeatureCollectionにcrsがありますが、RFC 7946で廃止されました。座標は常にWGS 84です。
A number has more digits than a double can represent; the nearest double was used.|倍精度で表せない桁数の数があり、最も近い値が使われました。
{n} numbers have more digits than a double can represent; the nearest doubles were used.|倍精度で表せない桁数の数が{n}件あり、最も近い値が使われました。
1 feature repeats another one with the same id and the same content; it was read once.|idと内容が同じ要素がもう1件あったため、1件として読み込まれました。
{n} features repeat others with the same ids and the same contents; each was read once.|idと内容が同じ要素がほかに{n}件あったため、それぞれ1件として読み込まれました。
Another feature has the same id: {path}.|同じidの要素がほかにあります：{path}。
The archive has {n} venue features; it must have exactly one.|アーカイブに施設（venue）が{n}件あります。ちょうど一つである必要があります。
Some files lie in folders, which were ignored.|フォルダーの中のファイルがあり、フォルダーは無視されました。
The files lie in the folder {value} and not at the root.|ファイルが最上位ではなく、フォルダー{value}の中にあります。
{value} is neither GeoJSON nor JSON and is not read.|{value}はGeoJSONでもJSONでもないため、読み取られません。
{value} and another file are neither GeoJSON nor JSON and are not read.|{value}ともう一つのファイルは、GeoJSONでもJSONでもないため、読み取られません。
{value} and {n} other files are neither GeoJSON nor JSON and are not read.|{value}とほかの{n}件のファイルは、GeoJSONでもJSONでもないため、読み取られません。
The manifest has no version.|マニフェストにバージョンがありません。
The version {value} is not 1.0.0.|バージョン{value}は1.0.0ではありません。
The manifest has no time of creation.|マニフェストに作成日時がありません。
{value} is not a date and time such as {example}.|{value}は{example}のような日時ではありません。
The time of creation has no offset from UTC.|作成日時にUTCとの時差がありません。
The manifest has no language.|マニフェストに言語がありません。
{value} is not a BCP 47 language tag.|{value}はBCP 47の言語タグではありません。
The extensions are not an array.|拡張が配列ではありません。
{value} is not of the form imdf:extension:provider:name#version.|{value}はimdf:extension:provider:name#versionの形式ではありません。
The time of creation is in the future.|作成日時が未来です。
The archive was created before the published one.|公開中のアーカイブより前に作成されています。
The origin is {value}; that of the published archive is {value2}.|作成元は{value}で、公開中のアーカイブの作成元は{value2}です。
The origin differs from that of the published archive.|作成元が公開中のアーカイブと異なります。
{property} has no text in the archive's language {value}.|{property}にアーカイブの言語{value}の文字列がありません。
The exterior ring runs clockwise.|外周が時計回りです。
The hole runs counter-clockwise.|穴が反時計回りです。
The line is {size} long.|線の長さが{size}です。
The area is {size} wide on average.|領域の幅が平均{size}です。
The area is {size}.|面積が{size}です。
Longitude and latitude are swapped.|経度と緯度が入れ替わっています。
The geometry lies at longitude 0, latitude 0.|経度0、緯度0にあります。
The geometry lies more than 10 km from most of the others.|ほかのほとんどから10 km以上離れています。
The coordinates are empty or not nested as the geometry's type requires.|座標が空か、形状の種類に合った入れ子ではありません。
The geometry must be a {kind} or {kind2} and is a {kind3}.|形状は{kind}または{kind2}である必要がありますが、{kind3}です。
The geometry must be a {kind} and is a {kind2}.|形状は{kind}である必要がありますが、{kind2}です。
The geometry must be a {kind} or {kind2}.|形状は{kind}または{kind2}である必要があります。
The geometry must be a {kind}.|形状は{kind}である必要があります。
The geometry is missing; it must be a {kind} or {kind2}.|形状がありません。{kind}または{kind2}が必要です。
The geometry is missing; it must be a {kind}.|形状がありません。{kind}が必要です。
The {type} has a geometry, which must be null.|{type}に形状がありますが、nullである必要があります。
The last position of the ring is not the first one; maps do not draw the feature.|輪の最後の位置が最初の位置と異なるため、地図に描かれません。
A ring must have at least four positions, and a line two.|輪には四つ以上、線には二つ以上の位置が必要です。
The ring encloses no area, or the line has no length: too many of its positions are equal.|同じ位置が多すぎるため、輪に面積がないか、線に長さがありません。
A position must be two numbers, longitude and latitude.|位置は経度と緯度の二つの数である必要があります。
1 geometry crosses the antimeridian and is not cut there; maps draw it around the world.|1件の形状が日付変更線（経度180度）をまたいでいますが、そこで分割されていません。地図では地球を一周して描かれます。
{n} geometries cross the antimeridian and are not cut there; maps draw them around the world.|{n}件の形状が日付変更線（経度180度）をまたいでいますが、そこで分割されていません。地図では地球を一周して描かれます。
The longitude is outside of ±180 or the latitude outside of ±90.|経度が±180、または緯度が±90の範囲を超えています。
1 geometry crosses the antimeridian and is not cut there; maps draw it around the world.|1件の形状が日付変更線（経度180度）をまたいでいますが、そこで分割されていません。地図では地球を一周して描かれます。
{n} geometries cross the antimeridian and are not cut there; maps draw them around the world.|{n}件の形状が日付変更線（経度180度）をまたいでいますが、そこで分割されていません。地図では地球を一周して描かれます。
The longitude is outside of ±180 or the latitude outside of ±90. So {is} {n} more position{s} of this geometry.|経度が±180、または緯度が±90の範囲を超えています。この形状にはほかにも{n}件あります。
{n} position has more than two numbers; IMDF has no altitudes.|{n}件の位置に三つ以上の数があります。IMDFに高さはありません。
{n} positions have more than two numbers; IMDF has no altitudes.|{n}件の位置に三つ以上の数があります。IMDFに高さはありません。
{n} position has more than seven decimals.|{n}件の位置の小数が七桁を超えています。
{n} positions have more than seven decimals.|{n}件の位置の小数が七桁を超えています。
The {type} has a hole.|{type}に穴があります。
The {type} has {n} holes.|{type}に穴が{n}個あります。
The relationship has a geometry.|接続に形状があります。
The {kind} has only one part.|{kind}の部分が一つだけです。
The geometry is too complex: millions of its edges cross each other.|形状が複雑すぎます。何百万もの辺が交差しています。
The geometry cannot be processed: {reason}.|形状を処理できません：{reason}。
The line meets itself.|線が自分自身に接しています。
The outline crosses itself, a hole or another part.|外形が自分自身、穴、またはほかの部分と交差しています。
The outline touches itself.|外形が自分自身に接しています。
A hole lies outside the outline.|穴が外形の外にあります。
A hole lies in another hole.|穴が別の穴の中にあります。
Holes cut the area in two.|穴が領域を二つに分けています。
A part lies in another part.|ある部分が別の部分の中にあります。
Two rings are the same.|二つの輪が同じです。
The geometry is not valid ({reason}).|形状が正しくありません（{reason}）。
{type} lies {size} outside the venue.|{type}が施設から{size}はみ出しています。
{type} lies {size} outside its level.|{type}がフロアから{size}はみ出しています。
{type} lies {size} outside its unit.|{type}が区画から{size}はみ出しています。
{type} lies {size} outside all of its units.|{type}がすべての区画から{size}はみ出しています。
{type} lies {size} outside the unit that covers most of it.|{type}が、最も重なる区画から{size}はみ出しています。
{type} lies {size} outside a level that it refers to.|{type}が、示しているフロアから{size}はみ出しています。
{type} lies {size} outside the footprints of its building.|{type}が建物外形から{size}はみ出しています。
{type} lies {size} outside the aerial footprint of its building.|{type}が建物の上空外形から{size}はみ出しています。
{type} lies {size} outside the aerial footprints of its building.|{type}が建物の上空外形から{size}はみ出しています。
{type} lies in no unit.|{type}がどの区画にも入っていません。
Units leave {size} of the level uncovered.|区画に覆われていない部分がフロアに{size}あります。
{type} does not contain its anchor, which is {size} away.|{type}の中にアンカーがなく、{size}離れています。
The display point lies {size} from its opening.|表示位置が出入口から{size}離れています。
The display point lies {size} outside the building's footprints.|表示位置が建物外形の{size}外にあります。
The display point lies {size} outside its {type}.|表示位置が{type}の{size}外にあります。
{type} covers the same area as {type2} {id}.|{type}が{type2} {id} と同じ範囲を覆っています。
{type} overlaps {type2} {id} by {size}.|{type}が{type2} {id} と{size}重なっています。
{type} has the same position as {type2} {id}.|{type}が{type2} {id} と同じ位置にあります。
{size} of the building's levels lie outside its {category} {footprint}.|建物のフロアのうち{size}が{category}の建物外形からはみ出しています。
No level of the building covers {size} of the {category} {footprint}.|{category}の建物外形のうち{size}が、建物のどのフロアにも覆われていません。
The footprint covers the same area as footprint {id}.|建物外形が建物外形 {id} と同じ範囲を覆っています。
The footprint contains footprint {id}.|建物外形が建物外形 {id} を含んでいます。
Footprint lies {size} away from the ground footprint of its building.|建物外形が、その建物の地上外形から{size}離れています。
Level overlaps footprint {id} of another building by {size}.|フロアがほかの建物の建物外形 {id} と{size}重なっています。
The outdoor level overlaps ground footprint {id} by {size}.|屋外のフロアが地上外形 {id} と{size}重なっています。
Opening does not lie on the outline of a unit.|出入口が区画の外形の上にありません。
Opening lies {size} from the outlines of units.|出入口が区画の外形から{size}離れています。
Opening crosses or overlaps opening {id}.|出入口が出入口 {id} と交差するか重なっています。
Opening is {size} wide.|出入口の幅が{size}です。
Detail intersects opening {id}.|詳細線が出入口 {id} と交差しています。
Address {id} is equal.|住所 {id} と同じです。
The address has no postal_code.|住所に郵便番号がありません。
The province is {value}; that of the venue is {value2}.|州（都道府県）が{value}ですが、施設では{value2}です。
The province is {value}; that of most addresses is {value2}.|州（都道府県）が{value}ですが、ほとんどの住所では{value2}です。
No address has a unit.|区画のある住所がありません。
The anchor's address differs from that of its building.|アンカーの住所が建物の住所と異なります。
The building has no {category} footprint.|建物に{category}の建物外形がありません。
Building {id} has the same {property}.|建物 {id} の{property}と同じです。
The building has the same name as this occupant.|建物の名前がこの店舗と同じです。
The building's address has a unit.|建物の住所に区画があります。
The building has the same address as the venue.|建物の住所が施設と同じです。
All levels of the building have the category parking; the building does not.|建物のすべてのフロアのカテゴリがparkingですが、建物はそうではありません。
Building {id} has the category parking; this level of it does not.|建物 {id} のカテゴリはparkingですが、このフロアはそうではありません。
The level has the category parking and no parking unit.|カテゴリがparkingのフロアですが、駐車場の区画がありません。
The level has the category parking and no opening of category automobile.|カテゴリがparkingのフロアですが、カテゴリautomobileの出入口がありません。
All units of the level have the category parking; the level does not.|フロアのすべての区画のカテゴリがparkingですが、フロアはそうではありません。
The unit has the category parking; its level does not.|区画のカテゴリはparkingですが、フロアはそうではありません。
No other {type} has this correlation_id.|このcorrelation_idをもつ{type}がほかにありません。
The {type} {id} has the same correlation_id on the same level.|{type} {id} が同じフロアで同じcorrelation_idをもっています。
The {type} {id} with the same correlation_id has another category.|同じcorrelation_idの{type} {id} のカテゴリが異なります。
The correlation_id is the id of {type}.|correlation_idが{type}のidと同じです。
None of the building's levels has the ordinal 0.|建物に序数0のフロアがありません。
The building has no level between the ordinals {lower} and {upper}.|建物に序数{lower}と{upper}の間のフロアがありません。
No known building has a level of ordinal {n}.|序数{n}のフロアは、知られているどの建物にもありません。
The level is outdoors and has the ordinal {n}.|屋外のフロアの序数が{n}です。
Level {id} of the same building has the same {property}.|同じ建物のフロア {id} の{property}と同じです。
{property} has the languages {languages}; other levels of the building have {usual}.|{property}の言語は{languages}ですが、建物のほかのフロアでは{usual}です。
{property} has the languages {languages}; most levels of the building have {usual}.|{property}の言語は{languages}ですが、建物のほとんどのフロアでは{usual}です。
{value} has no name.|{value}に名前がありません。
The baggage carousel lacks a name or a display point.|手荷物受取所に名前または表示位置がありません。
The name is equal to the category.|名前がカテゴリと同じです。
Amenity {id} has the same name.|設備 {id} の名前と同じです。
The validity has no time of modification.|有効期間に更新日時がありません。
Occupant {id} has a similar name and the same anchor.|店舗 {id} が似た名前で、同じアンカーをもっています。
The {type} has parents.|{type}に親があります。
The geofence refers to no {type}.|ジオフェンスが{type}を示していません。
The feature is one of its own ancestors, or lies between two such features.|自分自身の祖先であるか、そのような要素の間にあります。
The relationship has no {end}.|接続に{end}がありません。
An escalator runs in one direction; the relationship is undirected.|エスカレーターは一方向ですが、接続に向きがありません。
The origin and the destination are equal.|始点と終点が同じです。
{value} connects features on the same level.|{value}が同じフロアのものをつないでいます。
A public unit has no opening to another unit: {list}.|来館者用の区画に別の区画への出入口がありません：{list}。
{count} public units have no opening to another unit: {list}.|来館者用の区画{count}件に別の区画への出入口がありません：{list}。
An opening leads into no unit: {list}.|どの区画にも通じない出入口があります：{list}。
{count} openings lead into no unit: {list}.|どの区画にも通じない出入口が{count}件あります：{list}。
A lift, stairs, an escalator or a ramp leads to no other level: {list}.|エレベーター、階段、エスカレーターまたはスロープが別のフロアへ通じていません：{list}。
{count} lifts, stairs, escalators or ramps lead to no other level: {list}.|エレベーター、階段、エスカレーター、スロープ{count}件が別のフロアへ通じていません：{list}。
An opening joins several pairs of units: {list}.|出入口が複数組の区画をつないでいます：{list}。
{count} openings join several pairs of units: {list}.|出入口{count}件が複数組の区画をつないでいます：{list}。
No opening is an exit, so what can be reached from outside is not known.|外への出口となる出入口がないため、外から行ける場所が分かりません。
An opening is narrower than 0.8 m, so that step-free routes do not pass it: {list}.|出入口の幅が0.8 m未満のため、段差のない経路はここを通りません：{list}。
{count} openings are narrower than 0.8 m, so that step-free routes do not pass them: {list}.|出入口{count}件の幅が0.8 m未満のため、段差のない経路はそこを通りません：{list}。
A public unit cannot be reached from any exit: {list}.|来館者用の区画に、どの出口からも行けません：{list}。
{count} public units cannot be reached from any exit: {list}.|来館者用の区画{count}件に、どの出口からも行けません：{list}。
The {type} is in unit {id}, whose category is {value}.|{type}が、カテゴリ{value}の区画 {id} の中にあります。
{value} does not belong in a unit of category {value2}.|{value}はカテゴリ{value2}の区画に置くものではありません。
{value} does not belong in kiosk {id}.|{value}はキオスク {id} に置くものではありません。
The restroom for {value} is in a unit for {value2}.|{value}用のトイレが{value2}用の区画の中にあります。
The restroom for {value} is in a unit of the general category restroom.|{value}用のトイレが、一般のカテゴリrestroomの区画の中にあります。
The kiosk has no anchor and contains no amenity.|キオスクにアンカーも設備もありません。
{value} is not an ISO 3166-1 code such as JP.|{value}はJPのようなISO 3166-1のコードではありません。
{value} is not an ISO 3166-2 code such as JP-13.|{value}はJP-13のようなISO 3166-2のコードではありません。
{value} is no ISO 3166-2 code any more; it is {code} now.|{value}は現在のISO 3166-2のコードではありません。現在のコードは{code}です。
{value} is no ISO 3166-2 code any more, and was not replaced by one code.|{value}は現在のISO 3166-2のコードではなく、これに代わる単一のコードもありません。
{value} is not a province of {country}.|{value}は{country}の州（都道府県）ではありません。
{property} is not a string.|{property}が文字列ではありません。
{property} is blank.|{property}が空白です。
The hours are not a string.|営業時間が文字列ではありません。
The hours are blank.|営業時間が空白です。
{value} does not have the syntax of opening_hours; it is read as {value2}.|{value}はopening_hoursの書式ではありません。{value2}と解釈されます。
{value} does not have the syntax of opening_hours.|{value}はopening_hoursの書式ではありません。
{value} is not a number of the form +81312345678.|{value}は+81312345678のような電話番号ではありません。
{value} is not an http or https URI.|{value}はhttpまたはhttpsのURIではありません。
{value} is not a UUID of version 4.|{value}はバージョン4のUUIDではありません。
{property} is not an array.|{property}が配列ではありません。
{property} contains {id} more than once.|{property}に{id}が重複しています。
The end of the relationship lacks an id or a feature_type.|接続の端にidまたはfeature_typeがありません。
The feature_type is {value}; the feature is {type}.|feature_typeは{value}ですが、実際は{type}です。
{property} is not an object of texts by language.|{property}が言語ごとの文字列のオブジェクトではありません。
The {value} text of {property} is not a string.|{property}の{value}の値が文字列ではありません。
The {value} text of {property} is blank.|{property}の{value}の文字列が空白です。
The feature has an alt_name and no name.|alt_nameがありますが、nameがありません。
alt_name has a {value} text and name has none.|alt_nameに{value}の文字列がありますが、nameにはありません。
The display_point is not a Point with a longitude and a latitude.|display_pointが経度と緯度のPointではありません。
{value} is neither employeesonly nor restricted.|{value}はemployeesonlyでもrestrictedでもありません。
The door is not an object.|doorがオブジェクトではありません。
{value} is not a door {property} that IMDF lists.|{value}はIMDFにあるドアの{property}ではありません。
automatic is neither true nor false.|automaticが真偽値ではありません。
{value} is not a value that IMDF lists for {property}.|{value}はIMDFにある{property}の値ではありません。
The ordinal is not an integer.|序数が整数ではありません。
outdoor is neither true nor false.|outdoorが真偽値ではありません。
The direction is neither directed nor undirected.|directionがdirectedでもundirectedでもありません。
The validity is not an object.|有効期間がオブジェクトではありません。
{property} has no offset from UTC.|{property}にUTCとの時差がありません。
The validity ends before it starts.|有効期間の終了が開始より前です。
The validity has ended.|有効期間が終わっています。
The time of modification is in the future.|更新日時が未来です。
The {type} has no {property}.|{type}に{property}がありません。
{value} has no {property}.|{value}に{property}がありません。
`;
