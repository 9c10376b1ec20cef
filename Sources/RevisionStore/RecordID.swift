package import IMDF
package import Postgres
package import SyncModel

/// The id of a record that is not a feature: a UUID, whose type says what it identifies.
package struct RecordID<Record>: Hashable, Sendable {
    package let uuid: FeatureID

    package init(_ uuid: FeatureID) {
        self.uuid = uuid
    }

    package static func random() -> Self { Self(.random()) }
}

package typealias UploadID = RecordID<Upload>
package typealias KeyID = RecordID<KeyRecord>
package typealias LeaseID = RecordID<Lease>

/// The permission of one worker to do a job, for as long as nobody else has it.
package enum Lease {}

extension RecordID: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.uuid < right.uuid }
}

extension RecordID: LosslessStringConvertible {
    package init?(_ text: String) {
        guard let uuid = FeatureID(text) else { return nil }
        self.init(uuid)
    }

    package var description: String { self.uuid.description }
}

extension RecordID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { FeatureID.postgresType }

    package func encode(into bytes: inout [UInt8]) { self.uuid.encode(into: &bytes) }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Self {
        Self(try FeatureID.decode(bytes, type: type))
    }
}
