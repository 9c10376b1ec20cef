import Foundation

/// What a client needs to request the next page of a change set. The cursor is not parsed, so that another version of the program
/// can be measured as well.
package struct SyncPage: Decodable {
    package let cursor: String
    package let complete: Bool

    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }
}
