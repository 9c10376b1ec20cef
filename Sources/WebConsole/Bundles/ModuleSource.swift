/// A JavaScript module of the console, rewritten as a function, so that many modules can stand in one file.
///
/// The rewriting works on lines, not on syntax: an `import` or `export` stands on one line of its own, as it does in all modules of the
/// console. `export default` and the declarations of functions, classes and constants may continue on the following lines.
struct ModuleSource {
    /// The path in the console's folder, such as `map/map-page.js`.
    let name: String
    /// The names of the modules that it imports.
    private(set) var imports: [String] = []
    /// The names of the modules that it imports when they are needed, with `import(…)`.
    private(set) var lazyImports: [String] = []
    /// The call of `define` in `build/loader.js` that contains the module.
    private(set) var definition = ""

    init(name: String, text: String) {
        self.name = name
        var exported: [(name: String, value: String)] = []
        var body = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            body += self.rewritten(line, exported: &exported) + "\n"
        }
        let list = exported.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        let head = "define(\"\(name)\", (need, load, exports, base) => {\n"
        self.definition = head + body + "Object.assign(exports, { \(list) });\n});\n"
    }

    private mutating func rewritten(_ line: Substring, exported: inout [(name: String, value: String)]) -> String {
        if line.hasPrefix("import ") { return self.rewrittenImport(line) }
        if line.hasPrefix("export default ") { return "exports.default = " + line.dropFirst("export default ".count) }
        if line.hasPrefix("export {") {
            let (names, module) = Self.parts(line.dropFirst("export ".count))
            let source = module.map { self.needed($0) }
            for (name, alias) in names { exported.append((alias, source.map { "\($0).\(name)" } ?? name)) }
            return ""
        }
        if line.hasPrefix("export ") {
            let declaration = line.dropFirst("export ".count)
            exported += Self.declaredNames(declaration).map { ($0, $0) }
            return self.withoutLazyImports(declaration)
        }
        return self.withoutLazyImports(line)
    }

    private mutating func rewrittenImport(_ line: Substring) -> String {
        let (names, module) = Self.parts(line.dropFirst("import ".count))
        guard let module else { return String(line) }
        let source = self.needed(module)
        if names.isEmpty { return "\(source);" }
        let pattern = names.map { $0 == $1 ? $0 : "\($0): \($1)" }.joined(separator: ", ")
        return "const { \(pattern) } = \(source);"
    }

    private mutating func needed(_ path: String) -> String {
        let module = self.resolved(path)
        self.imports.append(module)
        return "need(\"\(module)\")"
    }

    /// Replaces `import("./x.js")` and `import.meta.url`.
    private mutating func withoutLazyImports(_ line: Substring) -> String {
        guard line.contains("import") else { return String(line) }
        var parts = line.split(separator: "import(\"", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            guard let end = parts[index].firstIndex(of: "\"") else { continue }
            let module = self.resolved(String(parts[index][..<end]))
            self.lazyImports.append(module)
            parts[index] = "load(\"\(module)\(parts[index][end...])"
        }
        return parts.joined().split(separator: "import.meta.url", omittingEmptySubsequences: false)
            .joined(separator: "new URL(\"\(self.name)\", base).href")
    }

    /// The name of a module whose path is relative to this one.
    private func resolved(_ path: String) -> String {
        var components = self.name.split(separator: "/").dropLast()
        for component in path.split(separator: "/") where component != "." {
            if component == ".." { components = components.dropLast() } else { components.append(component) }
        }
        return components.joined(separator: "/")
    }

    /// The names and the path of `{ a, b as c } from "./x.js";`, of `a from "./x.js";` and of `"./x.js";`.
    private static func parts(_ text: Substring) -> (names: [(name: String, alias: String)], module: String?) {
        let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
        let module = quoted.count == 3 ? String(quoted[1]) : nil
        if let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") {
            let names = text[text.index(after: open)..<close].split(separator: ",").map { each in
                let words = each.split(separator: " ")
                return (String(words[0]), String(words[words.count - 1]))
            }
            return (names, module)
        }
        let words = quoted[0].split(separator: " ")
        return (words.first.map { [("default", String($0))] } ?? [], module)
    }

    /// The names that a declaration declares: one, or several in `const [a, b] = …`.
    private static func declaredNames(_ declaration: Substring) -> [String] {
        let keywords: Set<Substring> = ["async", "function", "function*", "class", "const"]
        let isNamePart = { (character: Character) in
            character.isLetter || character.isNumber || "_$".contains(character)
        }
        if declaration.hasPrefix("const ["), let close = declaration.firstIndex(of: "]") {
            return declaration[..<close].dropFirst("const [".count).split { !isNamePart($0) }.map(String.init)
        }
        let words = declaration.split(separator: " ").drop { keywords.contains($0) }
        return words.first.map { [String($0.prefix(while: isNamePart))] } ?? []
    }
}
