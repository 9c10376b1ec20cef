package import IMDF

/// A synthetic IMDF venue, or one read from an archive, that can be edited into its next revision.
///
/// The same options, which include the seed, give the same bytes on every machine.
package struct SampleVenue: Sendable {
    /// In the order in which they are written to the files of their types.
    package var features: [SampleFeature]
    /// All members of `manifest.json`.
    package var manifest: JSONObject
    /// The file names of types whose file is not `<feature_type>.geojson`.
    package var fileNames: [FeatureType: String]
    /// The formatting of the files.
    package var style: ProducerStyle

    package init(
        features: [SampleFeature], manifest: JSONObject, fileNames: [FeatureType: String] = [:],
        style: ProducerStyle = ProducerStyle()
    ) {
        self.features = features
        self.manifest = manifest
        self.fileNames = fileNames
        self.style = style
    }

    /// - Complexity: O(*n*) in the number of features.
    package init(_ options: Options = Options()) {
        var generator = VenueGenerator(options)
        generator.generate()
        self.init(features: generator.features, manifest: generator.manifest, fileNames: generator.fileNames)
    }
}
