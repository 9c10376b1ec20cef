package import IMDF

/// How a producer formats an archive. None of it affects the content.
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
    /// The minimum number of decimals of numbers in geometries; `1.5` becomes `1.50000`.
    package var minimumDecimals = 0
    /// `\u00e9` instead of `é`.
    package var escapesNonASCII = false
    /// Every FeatureCollection gets a `name`.
    package var namesCollections = true
    /// The seed for the order of the files in the archive; nil for the order of the standard.
    package var fileOrder: UInt64?
    /// Features whose ids are written with a fault.
    package var idFaults: [FeatureID: IDFault] = [:]

    package init() {}
}
