public import Foundation

extension SyncError: LocalizedError {
    /// ``message(in:)`` in the user's language.
    public var errorDescription: String? { self.message(in: Locale.preferredLanguages.first ?? "en") }

    /// A sentence for the user of an app. Details for a log are in `description`.
    ///
    /// - Parameter language: A BCP 47 tag. `ja` and its regional forms are Japanese; everything else is English.
    public func message(in language: String) -> String {
        isJapanese(language) ? self.japanese : self.english
    }

    private var english: String {
        switch self {
        case .unreachable(_, let obstacle): obstacle.english
        case .unavailable: "The map server is busy or under maintenance. Try again later."
        case .redirected:
            "The network leads to another address than the map server. Sign in to the network, or check the server's address."
        case .configuration: "This app is set up with a server address or a key that cannot be used."
        case .unauthorized: "This app is not permitted to read the map. Its key is missing or no longer valid."
        case .unknownVenue: "This venue does not exist, or this app is not permitted to read it."
        case .venueGone: "This venue was removed from the map server."
        case .refused(let status, let message):
            "The map server refused the request (\(status))." + (message.isEmpty ? "" : " \(message)")
        case .malformed: "The map server sent a response that this app cannot read."
        case .contradiction: "The map server sent a response that does not fit the downloaded map."
        case .wrongDigest: "The downloaded map is damaged: its checksum is wrong. It was not stored."
        case .untrusted:
            "The received map is not confirmed by its operator, or this device's clock is wrong. It was not stored."
        case .diskFull: "There is not enough free space on this device to store the map. Free some space."
        case .busy: "The downloaded map is being updated by another process. Try again later."
        case .file: "The downloaded map cannot be read or written on this device."
        }
    }

    private var japanese: String {
        switch self {
        case .unreachable(_, let obstacle): obstacle.japanese
        case .unavailable: "地図サーバーが混雑しているか、メンテナンス中です。しばらくしてからもう一度お試しください。"
        case .redirected: "地図サーバーではない別のアドレスに転送されました。ネットワークへのログインが必要か、サーバーのアドレスを確認してください。"
        case .configuration: "このアプリに設定されたサーバーのアドレスまたはキーは使用できません。"
        case .unauthorized: "このアプリには地図を読み込む権限がありません。キーが設定されていないか、無効になっています。"
        case .unknownVenue: "この施設は存在しないか、このアプリには読み込む権限がありません。"
        case .venueGone: "この施設は地図サーバーから削除されました。"
        case .refused(let status, let message):
            "地図サーバーが要求を拒否しました（\(status)）。" + message
        case .malformed: "地図サーバーからの応答を読み取れませんでした。"
        case .contradiction: "地図サーバーからの応答が、ダウンロード済みの地図と一致しません。"
        case .wrongDigest: "ダウンロードした地図が破損しています（チェックサムが一致しません）。地図は保存されませんでした。"
        case .untrusted: "受信した地図が運営者によるものと確認できないか、この端末の時計が正しくありません。地図は保存されませんでした。"
        case .diskFull: "この端末には地図を保存するための空き容量がありません。空き容量を増やしてください。"
        case .busy: "ダウンロード済みの地図を別のプロセスが更新しています。しばらくしてからもう一度お試しください。"
        case .file: "この端末でダウンロード済みの地図を読み書きできません。"
        }
    }
}

extension SyncError.Obstacle {
    fileprivate var english: String {
        switch self {
        case .offline: "The map server cannot be reached. Check the network connection."
        case .unknownHost: "The map server was not found. Check the network connection, or the server's address."
        case .refused: "The map server does not accept connections. It may not be running. Try again later."
        case .timedOut: "The map server did not respond in time. Try again later."
        case .other: "The connection to the map server failed. Try again later."
        }
    }

    fileprivate var japanese: String {
        switch self {
        case .offline: "地図サーバーに接続できません。ネットワーク接続を確認してください。"
        case .unknownHost: "地図サーバーが見つかりません。ネットワーク接続またはサーバーのアドレスを確認してください。"
        case .refused: "地図サーバーが接続を受け付けていません。停止している可能性があります。しばらくしてからもう一度お試しください。"
        case .timedOut: "地図サーバーが時間内に応答しませんでした。しばらくしてからもう一度お試しください。"
        case .other: "地図サーバーとの接続に失敗しました。しばらくしてからもう一度お試しください。"
        }
    }
}

extension ReplicaFileError: LocalizedError {
    /// ``message(in:)`` in the user's language.
    public var errorDescription: String? { self.message(in: Locale.preferredLanguages.first ?? "en") }

    /// A sentence for the user of an app. Details for a log are in `description`.
    ///
    /// - Parameter language: A BCP 47 tag. `ja` and its regional forms are Japanese; everything else is English.
    public func message(in language: String) -> String {
        isJapanese(language) ? self.japanese : self.english
    }

    private var english: String {
        switch self {
        case .missing: "No map has been downloaded yet."
        case .notAReplica(let file):
            "The file \(file) is not a downloaded map, and was not changed. Choose another place for the map, or delete the file."
        case .olderSchema: "The downloaded map has to be updated. Open the app once."
        case .damaged: "The downloaded map is damaged. Open the app once to repair it."
        case .newerSchema: "The map was downloaded by a newer version of this app. Update the app."
        case .otherVenue(let venue): "The downloaded map is of another venue (\(venue))."
        case .diskFull: "There is no free space on this device to open the map. Free some space, and try again."
        case .unusable: "The file of the downloaded map cannot be opened."
        }
    }

    private var japanese: String {
        switch self {
        case .missing: "地図はまだダウンロードされていません。"
        case .notAReplica(let file):
            "ファイル\(file)は地図のファイルではないため、変更しませんでした。地図を別の場所に保存するか、このファイルを削除してください。"
        case .olderSchema: "ダウンロード済みの地図を更新する必要があります。アプリを一度開いてください。"
        case .damaged: "ダウンロード済みの地図が破損しています。アプリを一度開くと修復されます。"
        case .newerSchema: "地図はこのアプリの新しいバージョンでダウンロードされました。アプリをアップデートしてください。"
        case .otherVenue(let venue): "ダウンロード済みの地図は別の施設（\(venue)）のものです。"
        case .diskFull: "この端末には地図を開くための空き容量がありません。空き容量を増やしてから、もう一度お試しください。"
        case .unusable: "ダウンロード済みの地図のファイルを開けません。"
        }
    }
}

func isJapanese(_ language: String) -> Bool {
    language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first == "ja"
}
