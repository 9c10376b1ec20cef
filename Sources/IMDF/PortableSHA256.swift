/// SHA-256 (FIPS 180-4) in Swift alone, for apps that do without swift-crypto on a platform that has no CryptoKit.
///
/// It is used for digests of public data only; it makes no promise about timing.
package struct PortableSHA256: Sendable {
    private static let blockLength = 64

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]

    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    /// The bytes after the last whole block; fewer than a block.
    private var rest: [UInt8] = []
    /// Bytes hashed so far, with those in ``rest``.
    private var byteCount: UInt64 = 0

    package init() {}

    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        self.byteCount += UInt64(bytes.count)
        var offset = 0
        if !self.rest.isEmpty {
            offset = min(Self.blockLength - self.rest.count, bytes.count)
            self.rest.append(contentsOf: bytes[..<offset])
            guard self.rest.count == Self.blockLength else { return }
            let block = self.rest
            block.withUnsafeBytes { self.hash($0) }
            self.rest.removeAll(keepingCapacity: true)
        }
        let whole = (bytes.count - offset) / Self.blockLength * Self.blockLength
        if whole > 0 { self.hash(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + whole])) }
        self.rest.append(contentsOf: bytes[(offset + whole)...])
    }

    /// The 32 bytes of the digest of what was added so far; more may be added after it.
    package func finalize() -> [UInt8] {
        var padded = self
        var end: [UInt8] = [0x80]
        let zeros = (2 * Self.blockLength - 9 - self.rest.count) % Self.blockLength
        end.append(contentsOf: repeatElement(0, count: zeros))
        Swift.withUnsafeBytes(of: (self.byteCount * 8).bigEndian) { end.append(contentsOf: $0) }
        end.withUnsafeBytes { padded.update(bufferPointer: $0) }
        return padded.state.flatMap { word in Swift.withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// Hashes whole blocks.
    private mutating func hash(_ blocks: UnsafeRawBufferPointer) {
        Self.constants.withUnsafeBufferPointer { constants in
            self.state.withUnsafeMutableBufferPointer { state in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                    for start in stride(from: 0, to: blocks.count, by: Self.blockLength) {
                        let block = UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockLength])
                        Self.compress(block, into: state, schedule, constants)
                    }
                }
            }
        }
    }

    private static func compress(
        _ block: UnsafeRawBufferPointer, into state: UnsafeMutableBufferPointer<UInt32>,
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index &- 15], schedule[index &- 2])
            let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early >> 3)
            let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late >> 10)
            schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let step1 = h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
            let sum0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ step1)
            (d, c, b, a) = (c, b, a, step1 &+ sum0 &+ majority)
        }
        (state[0], state[1], state[2], state[3]) = (state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d)
        (state[4], state[5], state[6], state[7]) = (state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        (word >> bits) | (word << (32 &- bits))
    }
}
