internal import CSimdjson
package import IMDF

extension JSONReader {
    /// The references of a stored body, in its order: every id in its properties at a position where a reference is possible.
    ///
    /// Where IMDF declares no reference, an id is a reference only if a feature has it. The caller has to check that.
    package func references(of body: [UInt8], type: FeatureType) throws(JSONReadingError) -> [Reference] {
        guard type != .address else { return [] }
        let tape = try self.tape(of: body)
        var references: [Reference] = []
        if let properties = tape.member("properties") {
            tape.addReferences(at: properties, position: .properties, to: &references)
        }
        return references
    }
}

extension Tape {
    /// The recursion is bounded by the depth limit of the reader.
    fileprivate func addReferences(at index: Int, position: ReferencePosition, to references: inout [Reference]) {
        if case .nowhere = position { return }
        switch self.tag(at: index) {
        case .plain_string, .unescaped_string:
            guard let role = position.role, let target = FeatureID(utf8: self.utf8(of: self.words[index]))
            else { return }
            references.append(Reference(role: role, target: target))
        case .array:
            let end = self.end(of: index)
            var next = index + 1
            while next < end {
                self.addReferences(at: next, position: position.element, to: &references)
                next = self.end(of: next)
            }
        case .object:
            let end = self.end(of: index)
            var next = index + 1
            while next < end {
                let position = position.member(self.utf8(of: self.words[next]))
                self.addReferences(at: next + 1, position: position, to: &references)
                next = self.end(of: next + 1)
            }
        default: return
        }
    }
}
