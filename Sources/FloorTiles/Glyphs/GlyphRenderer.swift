import CFreeType
import Synchronization

/// Makes glyphs as signed distance fields, as MapLibre draws text.
///
/// A distance field has 24 pixels per em and 3 pixels around the glyph. Its values fall by 255 within 8 pixels, and are 191 on the
/// outline, which is what MapLibre expects of `fontnik`.
final class GlyphRenderer: Sendable {
    private static let size: UInt32 = 24
    private static let border = 3
    /// The distance in pixels that a field covers on each side of an outline.
    private static let spread = 8
    /// MapLibre sets lines for fonts with this ascent, in pixels: then letters and ideographs are in the middle of their line.
    private static let ascent = 26

    /// FreeType's objects must not be used by two threads at the same time.
    private struct Faces: @unchecked Sendable {
        let library: FT_Library?
        let faces: [FT_Face]
    }

    private let faces: Mutex<Faces>

    /// - Parameters:
    ///   - files: The paths of font files; the first that has a character is used.
    ///   - family: The last word of the name of the family in files with several, such as `JP`.
    init(files: [String], family: String) {
        var library: FT_Library?
        FT_Init_FreeType(&library)
        var spread = FT_Int(Self.spread)
        // Outlines of TrueType and of PostScript fonts.
        for module in ["sdf", "bsdf"] { FT_Property_Set(library, module, "spread", &spread) }
        let faces = files.compactMap { Self.face(in: $0, family, library) }
        for face in faces { FT_Set_Pixel_Sizes(face, 0, Self.size) }
        self.faces = Mutex(Faces(library: library, faces: faces))
    }

    deinit {
        self.faces.withLock { faces in
            for face in faces.faces { FT_Done_Face(face) }
            FT_Done_FreeType(faces.library)
        }
    }

    private static func face(in file: String, _ family: String, _ library: FT_Library?) -> FT_Face? {
        var first: FT_Face?
        guard FT_New_Face(library, file, 0, &first) == 0, let first else { return nil }
        for index in 1..<max(first.pointee.num_faces, 1) {
            if Self.family(of: first).hasSuffix(" \(family)") { return first }
            var other: FT_Face?
            guard FT_New_Face(library, file, index, &other) == 0, let other else { continue }
            if Self.family(of: other).hasSuffix(" \(family)") {
                FT_Done_Face(first)
                return other
            }
            FT_Done_Face(other)
        }
        return first
    }

    private static func family(of face: FT_Face) -> String {
        face.pointee.family_name.map { String(cString: $0) } ?? ""
    }

    /// The message `glyphs` of MapLibre for a range of characters.
    ///
    /// - Parameter shouldStop: Called before each character; the rest is left out then.
    func glyphs(_ fontStack: String, _ range: ClosedRange<UInt32>, shouldStop: () -> Bool) -> [UInt8] {
        var stack = ProtobufWriter()
        stack.write(fontStack.utf8, field: 1)
        stack.write("\(range.lowerBound)-\(range.upperBound)".utf8, field: 2)
        // No lock is held for longer than a character, which takes milliseconds.
        for character in range where !shouldStop() {
            let glyph = self.faces.withLock { Self.glyph(character, in: $0.faces) }
            if let glyph { stack.write(glyph, field: 3) }
        }
        var message = ProtobufWriter()
        message.write(stack.bytes, field: 1)
        return message.bytes
    }

    private static func glyph(_ character: UInt32, in faces: [FT_Face]) -> [UInt8]? {
        for face in faces {
            let index = FT_Get_Char_Index(face, FT_ULong(character))
            // FT_LOAD_NO_HINTING, as a distance field is drawn in many sizes.
            guard index != 0, FT_Load_Glyph(face, index, 1 << 1) == 0 else { continue }
            guard let slot = face.pointee.glyph else { continue }
            let advance = (Int(slot.pointee.linearHoriAdvance) + 0x8000) >> 16
            var glyph = ProtobufWriter()
            glyph.write(UInt64(character), field: 1)
            let isDrawn = slot.pointee.outline.n_points > 0 && FT_Render_Glyph(slot, FT_RENDER_MODE_SDF) == 0
            let bitmap = slot.pointee.bitmap
            let (width, height) = (Int(bitmap.width) - 2 * Self.spread, Int(bitmap.rows) - 2 * Self.spread)
            if isDrawn, width > 0, height > 0 {
                glyph.write(Self.field(bitmap), field: 2)
                glyph.write(UInt64(width), field: 3)
                glyph.write(UInt64(height), field: 4)
                glyph.write(zigzag: Int(slot.pointee.bitmap_left) + Self.spread, field: 5)
                glyph.write(zigzag: Int(slot.pointee.bitmap_top) - Self.spread - Self.ascent, field: 6)
            } else {
                for field in 3...6 { glyph.write(0, field: field) }
            }
            glyph.write(UInt64(max(advance, 0)), field: 7)
            return glyph.bytes
        }
        return nil
    }

    /// The part of FreeType's field that MapLibre uses, with its values.
    private static func field(_ bitmap: FT_Bitmap) -> [UInt8] {
        let inset = Self.spread - Self.border
        var values: [UInt8] = []
        for row in inset..<Int(bitmap.rows) - inset {
            let start = bitmap.buffer + row * Int(bitmap.pitch)
            for column in inset..<Int(bitmap.width) - inset {
                // FreeType: 128 on the outline, more inside. Both cover 8 pixels: 255 values here, 128 there.
                let distance = (Int(start[column]) - 128) * 255
                let value = 191 + (distance >= 0 ? distance + 64 : distance - 64) / 128
                values.append(UInt8(min(max(value, 0), 255)))
            }
        }
        return values
    }
}
