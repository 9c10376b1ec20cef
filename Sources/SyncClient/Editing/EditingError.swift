public import Foundation
public import IMDF

/// Why ``VenueEditor`` did not do what it was asked for. Nothing was changed.
public enum EditingError: Error, Hashable, Sendable {
    /// The feature is neither in the replica nor added by a queued edit, or it is hidden.
    case unknownFeature(FeatureID)
    /// There is a feature with this id already.
    case featureExists(FeatureID)
    /// This part of a feature, an RFC 6901 pointer, cannot be changed, is required, or has no valid value.
    case notEditable(String)
    /// The edit was sent, or it has an outcome: it cannot be withdrawn.
    case alreadySent
    /// The edit has no outcome yet: it cannot be dismissed.
    case unfinished
}

extension EditingError: LocalizedError {
    /// ``message(in:)`` in the user's language.
    public var errorDescription: String? { self.message(in: Locale.preferredLanguages.first ?? "en") }

    /// A sentence for the user of an app.
    ///
    /// - Parameter language: A BCP 47 tag. `ja` and its regional forms are Japanese; everything else is English.
    public func message(in language: String) -> String {
        isJapanese(language) ? self.japanese : self.english
    }

    private var english: String {
        switch self {
        case .unknownFeature: "This place is not in the downloaded map."
        case .featureExists: "This place is already in the map."
        case .notEditable(let pointer): "This part of a place cannot be changed like this (\(pointer))."
        case .alreadySent: "This edit has already been sent and cannot be withdrawn."
        case .unfinished: "This edit has not been processed yet."
        }
    }

    private var japanese: String {
        switch self {
        case .unknownFeature: "この場所は、ダウンロード済みの地図にありません。"
        case .featureExists: "この場所は、すでに地図にあります。"
        case .notEditable(let pointer): "場所のこの部分は、このように変更できません（\(pointer)）。"
        case .alreadySent: "この編集はすでに送信されたため、取り消せません。"
        case .unfinished: "この編集の処理はまだ終わっていません。"
        }
    }
}

extension VenueEdit.State {
    /// A sentence for the user of an app.
    ///
    /// - Parameter language: A BCP 47 tag. `ja` and its regional forms are Japanese; everything else is English. What the server says
    ///   about a refused edit is added as it is.
    public func message(in language: String) -> String {
        isJapanese(language) ? self.japanese : self.english
    }

    private var english: String {
        switch self {
        case .queued: "This edit is sent as soon as there is a network connection."
        case .sending: "This edit is being sent."
        case .published(let revision): "This edit was published in revision \(revision)."
        case .refused(.damaged): "This edit was damaged on this device, and is not sent. Make it again."
        case .refused(let refusal): "The map server refused this edit. \(refusal.sentences)"
        case .overtaken: "Somebody else has changed this place in the meantime. Check it and edit it again."
        }
    }

    private var japanese: String {
        switch self {
        case .queued: "この編集は、ネットワークに接続すると送信されます。"
        case .sending: "この編集を送信しています。"
        case .published(let revision): "この編集は、リビジョン\(revision)で公開されました。"
        case .refused(.damaged): "この編集はこの端末で破損したため、送信されません。もう一度編集してください。"
        case .refused(let refusal): "地図サーバーがこの編集を拒否しました。\(refusal.sentences)"
        case .overtaken: "その間に、ほかの人がこの場所を変更しました。内容を確認してから、もう一度編集してください。"
        }
    }
}

extension EditRefusal {
    fileprivate var sentences: String {
        [self.title, self.detail].compactMap(\.self).map { $0.hasSuffix(".") || $0.hasSuffix("。") ? $0 : $0 + "." }
            .joined(separator: " ")
    }
}
