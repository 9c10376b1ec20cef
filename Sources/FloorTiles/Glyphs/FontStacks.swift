import Synchronization

/// The font stacks that the service has for styles: one for each form of Chinese characters.
package final class FontStacks: Sendable {
    private let files: [String]
    private let renderers = Mutex<[String: GlyphRenderer]>([:])

    /// The names, and the family in font files with several.
    private static let families = ["Sans JP": "JP", "Sans KR": "KR", "Sans SC": "SC", "Sans TC": "TC"]

    package init(fonts: [String]) {
        self.files = fonts
    }

    package static func exists(_ name: String) -> Bool { self.families[name] != nil }

    /// The font stack for texts in a language.
    package static func name(for language: String?) -> String {
        switch LanguageParameter.forText(language) {
        case "zh-hant": "Sans TC"
        case "zh-hans": "Sans SC"
        case "ko": "Sans KR"
        default: "Sans JP"
        }
    }

    /// The glyphs of 256 characters; nil for a font stack that does not exist.
    ///
    /// - Parameter shouldStop: Called before each character; the rest is left out then.
    package func glyphs(_ name: String, block: Int, shouldStop: () -> Bool = { false }) -> [UInt8]? {
        guard let family = Self.families[name] else { return nil }
        let renderer = self.renderers.withLock { renderers in
            if let renderer = renderers[name] { return renderer }
            let renderer = GlyphRenderer(files: self.files, family: family)
            renderers[name] = renderer
            return renderer
        }
        let first = UInt32(block) << 8
        return renderer.glyphs(name, first...first + 255, shouldStop: shouldStop)
    }
}
