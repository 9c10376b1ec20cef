import IMDF

/// What the server makes of the console's files when it loads them: bundles of modules, one style sheet, and addresses that contain a
/// version, so that browsers keep the files and never ask whether they have changed.
struct ConsoleBuild {
    /// The first digits of the SHA-256 of all files and of the bundles.
    let version: String
    /// The files below the version that differ from those of the folder, by name.
    private(set) var files: [String: [UInt8]] = [:]
    /// The page, with the version in its addresses.
    let page: [UInt8]
    /// The service worker, with its version and the list of the files that it stores.
    let serviceWorker: [UInt8]?

    static let pageName = "index.html"
    static let serviceWorkerName = "service-worker.js"
    private static let styleSheet = "console.css"
    /// What the service worker stores besides the style sheet and the bundles for visitors.
    private static let storedFiles = [
        "preload.js", "icon.svg", "manifest.webmanifest", "library/maplibre-gl.js", "library/maplibre-gl.css",
    ]
    /// Digits of a version.
    private static let versionLength = 20

    /// - Parameters:
    ///   - sources: The files of the folder by name.
    ///   - library: The hashes of the map library, which is served below the version too.
    init(sources: [String: [UInt8]], library: [String]) {
        let text = { (name: String) in sources[name].map { String(decoding: $0, as: UTF8.self) } }
        let modules = sources.keys.filter { $0.hasSuffix(".js") && $0 != Self.serviceWorkerName }
        let bundles = ModuleBundles(texts: Dictionary(uniqueKeysWithValues: modules.map { ($0, text($0) ?? "") }))
            .make()
        let styles = text(Self.styleSheet).map { _ in Self.inlined(Self.styleSheet, text: text) }

        var hashed = library.joined()
        for (name, bytes) in sources.sorted(by: { $0.key < $1.key }) { hashed += "\(name) \(Digest(of: bytes).hex)\n" }
        for (name, bundle) in bundles.sorted(by: { $0.key < $1.key }) { hashed += "\(name)\n\(bundle)" }
        let version = String(Digest(of: Array(hashed.utf8)).hex.prefix(Self.versionLength))
        self.version = version

        for (name, bundle) in bundles {
            let parts = bundle.split(separator: ModuleBundles.versionMark, omittingEmptySubsequences: false)
            self.files[name] = Array(parts.joined(separator: version).utf8)
        }
        if let styles { self.files[Self.styleSheet] = Array(styles.utf8) }
        let page = (text(Self.pageName) ?? "").split(separator: "\"/console/", omittingEmptySubsequences: false)
        self.page = Array(
            page.joined(separator: "\"/console/\(version)/")
                .replacing("<html ", with: "<html data-version=\"\(version)\" ", maxReplacements: 1).utf8)
        let visitorBundles = bundles.keys.filter { !$0.hasPrefix("desk/") }.sorted()
        let list = (visitorBundles + [Self.styleSheet] + Self.storedFiles).map { "\"\($0)\"" }.joined(separator: ", ")
        self.serviceWorker = text(Self.serviceWorkerName).map {
            Array("const build = { version: \"\(version)\", files: [\(list)] };\n\($0)".utf8)
        }
    }

    /// Whether a component of a path is a version, of this program or of another one.
    static func isVersion(_ component: some StringProtocol) -> Bool {
        component.utf8.count == Self.versionLength
            && component.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A style sheet with the sheets that its `@import` lines name in their place.
    private static func inlined(_ name: String, text: (String) -> String?) -> String {
        let folder = name.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        return (text(name) ?? "").split(separator: "\n").map { line in
            guard line.hasPrefix("@import "), let path = line.split(separator: "\"").dropFirst().first else {
                return String(line)
            }
            return Self.inlined(folder + path, text: text)
        }.joined(separator: "\n") + "\n"
    }
}
