// 来館者向けのリンク、日本語。

export default {
    "desk.tab.links": "リンク",
    "desk.links.title": "来館者向けのリンク",
    "desk.links.floor": "最初に表示するフロア",
    "desk.links.anyFloor": "地図の初期表示のまま",
    "desk.links.position": "ポスターまたはキオスクの位置",
    "desk.links.positionHelp": "経度と緯度です。地図ではピンで示し、キオスクでは「現在地」と表示します。",
    "desk.links.idle": "キオスクを最初の画面に戻すまでの秒数",
    "desk.links.poster": "ポスター",
    "desk.links.print": "ポスターを印刷",
    "desk.links.embed": "ウェブサイト用",
    "desk.links.embedHelp": "地図を表示できるサイトは、施設の設定で指定します。",
    "desk.links.embedPrivate": "施設を一般公開し、設定でサイトを指定すると、そのサイトで地図を表示できます。",
    "desk.links.kiosk": "キオスク用",
};
