extension FeatureID {
    /// A random UUID of version 4, as IMDF requires.
    public static func random(using generator: inout some RandomNumberGenerator) -> FeatureID {
        FeatureID(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// A random UUID of version 4 from the system's generator.
    public static func random() -> FeatureID {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }

    /// Whether this is a UUID of version 4 (RFC 4122 §4.4).
    package var isRandom: Bool { self.high >> 12 & 15 == 4 && self.low >> 62 == 2 }
}
