// 来館者向けのリンク、日本語。

export default {
    "desk.tab.links": "リンク",
    "desk.links.title": "来館者向けのリンク",
    "desk.links.floor": "最初に表示するフロア",
    "desk.links.anyFloor": "地図の初期表示のまま",
    "desk.links.position": "ポスターまたはキオスクの位置",
    "desk.links.positionHelp": "経度と緯度です。地図ではピンで示し、キオスクでは「現在地」と表示します。",
    "desk.links.positionInvalid": "経度と緯度を、139.767,35.681 のようにコンマで区切って度で入力してください。",
    "desk.links.idle": "操作がないとき、キオスクが最初の画面に戻るまでの秒数",
    "desk.links.idleInvalid": "{least}～{most}の整数を入力してください。",
    "desk.links.poster": "ポスター",
    "desk.links.private": "施設を一般公開するまで、来館者はこのリンクを開けません。公開は施設の設定で行います。",
    "desk.links.print": "ポスターを印刷",
    "desk.links.embed": "ウェブサイト用",
    "desk.links.embedHelp": "地図を表示できるサイトは、施設の設定で指定します。",
    "desk.links.embedPrivate": "施設を一般公開し、設定でサイトを指定すると、そのサイトで地図を表示できます。",
    "desk.links.kiosk": "キオスク用",
};
