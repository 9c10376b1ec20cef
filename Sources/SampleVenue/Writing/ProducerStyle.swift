/// How a producer spells an archive. None of it means anything.
package struct ProducerStyle: Hashable, Sendable {
    package enum MemberOrder: Hashable, Sendable {
        /// `id`, `type`, `feature_type`, `geometry`, `properties`, as most producers write them.
        case usual
        /// RFC 8785.
        case canonical
        /// Another order in every object.
        case shuffled(seed: UInt64)
    }

    package enum Layout: Hashable, Sendable {
        case compact
        case featurePerLine
        case indented
    }

    package var memberOrder: MemberOrder = .usual
    package var layout: Layout = .featurePerLine
    /// Lines end with CR LF instead of LF.
    package var carriageReturns = false
    /// Digits after the point that every number in a geometry has at least; `1.5` becomes `1.50000`.
    package var leastDecimals = 0
    /// `\u00e9` instead of `é`.
    package var escapesNonASCII = false
    /// Every FeatureCollection gets a `name`.
    package var namesCollections = true
    /// The order of the files in the archive; nil for that of the standard.
    package var fileOrder: UInt64?

    package init() {}
}
