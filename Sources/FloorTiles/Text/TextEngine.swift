import CPango
import Caching
import IMDF
import Synchronization

/// Measures and draws text with Pango, with the given fonts alone: fonts of the system and their configuration have no effect.
///
/// Glyphs are drawn as outlines, without hinting and with grey antialiasing, so that a text has the same shape at every position.
package final class TextEngine: Sendable {
    /// A line of a label at the size ``referenceSize``.
    package struct Line: Hashable, Sendable {
        package let text: String
        /// In pixels at the reference size.
        package let width: Double

        package static func == (left: Line, right: Line) -> Bool {
            left.width == right.width && ExactText(left.text) == ExactText(right.text)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(self.text))
            hasher.combine(self.width)
        }
    }

    /// The size in pixels at which text is measured. Widths are proportional to the size.
    package static let referenceSize = 16.0
    private static let unitsPerPixel = 1_024.0

    /// Pango's objects must not be used by two threads at the same time.
    private struct Fonts: @unchecked Sendable {
        let config: OpaquePointer
        let map: OpaquePointer
        let context: OpaquePointer
        /// Descriptions of fonts by families and size, which are slow to read.
        var descriptions: [String: OpaquePointer] = [:]

        mutating func description(of families: String, size: Double) -> OpaquePointer {
            let key = "\(families) \(size)"
            if let known = self.descriptions[key] { return known }
            let description = pango_font_description_from_string(families)!
            pango_font_description_set_absolute_size(description, size * TextEngine.unitsPerPixel)
            self.descriptions[key] = description
            return description
        }
    }

    private struct TextKey: Hashable {
        let text: ExactText
        let language: String
    }

    private let fonts: Mutex<Fonts>
    /// Setting a text takes more time than placing it.
    private let layouts = LRUCache<TextKey, [LabelLayout]>(cost: 16 << 20)
    private let outlines = LRUCache<TextKey, TextOutline>(cost: 16 << 20)
    /// Many names have words and lines in common, and the ways to set a name have.
    private let widths = LRUCache<TextKey, Double>(cost: 4 << 20)
    /// False if no font could be read: then there are no labels.
    let hasFonts: Bool

    /// - Parameter files: The paths of font files; those that cannot be read are ignored.
    init(files: [String]) {
        let config = FcConfigCreate()!
        var read = 0
        for file in files where FcConfigAppFontAddFile(config, file) != 0 { read += 1 }
        self.hasFonts = read > 0
        // CAIRO_FONT_TYPE_FT
        let map = pango_cairo_font_map_new_for_font_type(1)!
        pango_fc_font_map_set_config(map, config)
        pango_cairo_font_map_set_resolution(map, 72)
        let context = pango_font_map_create_context(map)!
        let options = cairo_font_options_create()
        // CAIRO_ANTIALIAS_GRAY, CAIRO_HINT_STYLE_NONE, CAIRO_HINT_METRICS_OFF
        cairo_font_options_set_antialias(options, 2)
        cairo_font_options_set_hint_style(options, 1)
        cairo_font_options_set_hint_metrics(options, 1)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        self.fonts = Mutex(Fonts(config: config, map: map, context: context))
    }

    deinit {
        self.fonts.withLock { fonts in
            for description in fonts.descriptions.values { pango_font_description_free(description) }
            g_object_unref(UnsafeMutableRawPointer(fonts.context))
            g_object_unref(UnsafeMutableRawPointer(fonts.map))
            FcConfigDestroy(fonts.config)
        }
    }

    /// Ways to set a name, each with another number of lines.
    package func layouts(of name: String, language: String?) -> [LabelLayout] {
        let text = LabelLayout.excerpt(of: name)
        let language = LanguageParameter.forText(language)
        let key = TextKey(text: ExactText(text), language: language)
        return self.layouts.value(for: key, cost: { 400 + 2 * text.utf8.count + 200 * $0.count }) {
            LabelLayout.alternatives(for: text, language: language, by: self)
        }
    }

    /// A text without the spaces around it as one line; nil if nothing is left.
    func line(_ text: some StringProtocol, language: String?) -> Line? {
        let trimmed = text.trimmingSpaces
        guard self.hasFonts, !trimmed.isEmpty else { return nil }
        return Line(text: trimmed, width: self.width(of: trimmed, language))
    }

    /// For each Unicode scalar of a text, whether the rules of Unicode and of the language permit a line to end before it.
    func lineBreaks(in text: String, language: String?) -> [Bool] {
        self.fonts.withLock { fonts in
            let layout = Self.layout(of: text, size: Self.referenceSize, language, &fonts)
            defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
            var count: Int32 = 0
            guard let positions = pango_layout_get_log_attrs_readonly(layout, &count) else { return [] }
            // The last position is the end of the text.
            return UnsafeBufferPointer(start: positions, count: Int(count)).dropLast().map { $0 & 1 != 0 }
        }
    }

    /// The width of a line, in pixels at the reference size.
    func width(of text: String, _ language: String?) -> Double {
        let key = TextKey(text: ExactText(text), language: LanguageParameter.forText(language))
        return self.widths.value(for: key, cost: { _ in 200 + 2 * text.utf8.count }) {
            self.fonts.withLock { fonts in
                let layout = Self.layout(of: text, size: Self.referenceSize, language, &fonts)
                defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
                var (ink, logical) = (PangoRectangle(), PangoRectangle())
                pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, 0), &ink, &logical)
                return Double(max(logical.width, ink.x + ink.width)) / Self.unitsPerPixel
            }
        }
    }

    /// The outlines of a line.
    package func outline(of text: String, language: String?) -> TextOutline {
        guard self.hasFonts else { return TextOutline() }
        let key = TextKey(text: ExactText(text), language: LanguageParameter.forText(language))
        return self.outlines.value(for: key, cost: \.cost) {
            self.fonts.withLock { fonts in
                let layout = Self.layout(of: text, size: TextOutline.size, language, &fonts)
                defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
                // CAIRO_CONTENT_ALPHA. Nothing is drawn, but cairo leaves out glyphs that are far away from an image.
                let surface = cairo_recording_surface_create(0x2000, nil)
                let drawing = cairo_create(surface)!
                defer {
                    cairo_destroy(drawing)
                    cairo_surface_destroy(surface)
                }
                cairo_set_tolerance(drawing, TextOutline.tolerance)
                cairo_move_to(drawing, 0, 0)
                pango_cairo_layout_line_path(drawing, pango_layout_get_line_readonly(layout, 0))
                return TextOutline(pathOf: drawing)
            }
        }
    }

    private static func layout(
        of text: String, size: Double, _ language: String?, _ fonts: inout Fonts
    ) -> OpaquePointer {
        let language = LanguageParameter.forText(language)
        pango_context_set_language(fonts.context, pango_language_from_string(language))
        let layout = pango_layout_new(fonts.context)!
        pango_layout_set_font_description(layout, fonts.description(of: Self.families(for: language), size: size))
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        return layout
    }

    /// Chinese characters have other forms in each language.
    private static func families(for tag: String) -> String {
        let cjk =
            if tag == "zh-hant" {
                "TC"
            } else if tag.hasPrefix("zh") {
                "SC"
            } else if tag.hasPrefix("ko") {
                "KR"
            } else {
                "JP"
            }
        return "Noto Sans CJK \(cjk),Noto Sans,DejaVu Sans"
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        let start = self.firstIndex { !$0.isWhitespace } ?? self.endIndex
        let end = self.lastIndex { !$0.isWhitespace }.map { self.index(after: $0) } ?? start
        return String(self[start..<Swift.max(start, end)])
    }
}
