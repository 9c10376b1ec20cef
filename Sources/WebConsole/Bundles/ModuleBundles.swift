/// The modules of the console in a few files. A browser would otherwise request each of more than a hundred modules by itself.
///
/// A bundle has the name of the module that it begins with. That of `app.js` has what every page and the map need; each module that is
/// imported with `import(…)` has a bundle with what it needs besides. A module may be in several bundles; the first one that is loaded
/// counts, so that every module is evaluated once.
struct ModuleBundles {
    /// Stands in bundles for the version, which is a hash of them.
    static let versionMark = "@version@"
    private static let start = "app.js"
    /// In the first bundle too, although it is imported lazily: the page that visitors open.
    private static let firstPage = "map/map-page.js"
    private static let loader = "build/loader.js"

    private let modules: [String: ModuleSource]
    private let loaderText: String?

    /// - Parameter texts: The text of every `.js` file of the console by its name.
    init(texts: [String: String]) {
        self.modules = Dictionary(uniqueKeysWithValues: texts.map { ($0, ModuleSource(name: $0, text: $1)) })
        self.loaderText = texts[Self.loader]
    }

    /// The bundles by name; empty if the folder is not that of a console.
    func make() -> [String: String] {
        guard let loaderText, self.modules[Self.start] != nil else { return [:] }
        let first = self.closure(of: [Self.start, Self.firstPage])
        let version = "\"\(Self.versionMark)\""
        var bundles = [
            Self.start: "const version = \(version);\n" + loaderText + self.text(of: first)
                + "need(\"\(Self.start)\");\n"
        ]
        let isInFirst = Set(first)
        for name in Set(self.modules.values.flatMap(\.lazyImports)) where !isInFirst.contains(name) {
            let more = self.closure(of: [name]).filter { !isInFirst.contains($0) }
            bundles[name] = "const { define } = await venueModules(\(version));\n" + self.text(of: more)
        }
        return bundles
    }

    private func text(of names: [String]) -> String {
        names.compactMap { self.modules[$0]?.definition }.joined()
    }

    /// These modules and all that they import, in an order in which each one stands behind its imports.
    private func closure(of names: [String]) -> [String] {
        var order: [String] = []
        var seen: Set<String> = []
        func visit(_ name: String) {
            guard seen.insert(name).inserted, let module = self.modules[name] else { return }
            for each in module.imports { visit(each) }
            order.append(name)
        }
        for name in names { visit(name) }
        return order
    }
}
