import Foundation
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What a request may do, as the ``Authorizer`` has decided.
enum Access: Sendable {
    case keyHolder(Principal)
    case reader(ReadAccess)
    case uploader(UploaderAccess)
    case publisher(WriteAccess)
    case venueAdmin(WriteAccess)
    case admin(Authorization)
    case upload(UploadAccess)
    case preview(PreviewAccess)
}

/// Permission to read a venue, which has a revision.
struct ReadAccess: Sendable {
    let venue: VenueRecord
    /// Anonymous for a public venue, whatever key was sent.
    let principal: Principal
    /// The generation of the read model before the venue was read from it.
    let generation: Int
    /// The confirmed version of the read model before that; nil when it was not up to date.
    let version: ReadModel.Version?
}

/// Permission to change a venue.
struct WriteAccess: Sendable {
    let venue: VenueRecord
    let authorization: Authorization
}

/// Permission to upload to a venue, which the upload may create.
struct UploaderAccess: Sendable {
    let key: VenueKey
    let venue: VenueRecord?
    let authorization: Authorization
}

/// Permission to see and to change an upload.
struct UploadAccess: Sendable {
    let id: UploadID
    let upload: Upload
    let authorization: Authorization
}

/// Permission to see the preview of an upload.
struct PreviewAccess: Sendable {
    let id: UploadID
    let upload: Upload
    /// When the permission ends; nil for that of a key.
    let expiry: Date?
}

/// The context of a handler behind an ``AuthorizationMiddleware``. A handler takes the context of the permission that it needs, so a
/// route without the check does not compile.
protocol AuthorizedContext: ChildRequestContext where ParentContext == AppRequestContext {
    associatedtype Permission: Sendable

    var parent: AppRequestContext { get set }
    init(parent: AppRequestContext, permission: Permission)
    static func permission(in access: Access) -> Permission?
}

extension AuthorizedContext {
    init(context: AppRequestContext) throws {
        guard let permission = context.access.flatMap(Self.permission(in:)) else { throw MissingAuthorization() }
        self.init(parent: context, permission: permission)
    }

    var coreContext: CoreRequestContextStorage {
        get { self.parent.coreContext }
        set { self.parent.coreContext = newValue }
    }
}

/// A group of routes has the wrong authorization: an error of ours.
private struct MissingAuthorization: Error {}

/// The request has a valid key.
struct KeyHolderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: Principal

    static func permission(in access: Access) -> Principal? {
        if case .keyHolder(let principal) = access { principal } else { nil }
    }
}

/// The request may read the venue of the path.
struct ReaderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: ReadAccess

    static func permission(in access: Access) -> ReadAccess? {
        if case .reader(let permission) = access { permission } else { nil }
    }

    var venue: VenueRecord { self.permission.venue }
}

/// The request may upload to the venue of the path.
struct UploaderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: UploaderAccess

    static func permission(in access: Access) -> UploaderAccess? {
        if case .uploader(let permission) = access { permission } else { nil }
    }
}

/// The request may publish to the venue of the path, which exists.
struct PublisherContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: WriteAccess

    static func permission(in access: Access) -> WriteAccess? {
        if case .publisher(let permission) = access { permission } else { nil }
    }

    var venue: VenueRecord { self.permission.venue }
}

/// The request may change the settings of the venue of the path, and delete it.
struct VenueAdminContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: WriteAccess

    static func permission(in access: Access) -> WriteAccess? {
        if case .venueAdmin(let permission) = access { permission } else { nil }
    }

    var venue: VenueRecord { self.permission.venue }
    var authorization: Authorization { self.permission.authorization }
}

/// The request may do everything.
struct AdminContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: Authorization

    static func permission(in access: Access) -> Authorization? {
        if case .admin(let authorization) = access { authorization } else { nil }
    }

    var authorization: Authorization { self.permission }
}

/// The request may see and change the upload of the path.
struct UploadContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: UploadAccess

    static func permission(in access: Access) -> UploadAccess? {
        if case .upload(let permission) = access { permission } else { nil }
    }

    var id: UploadID { self.permission.id }
    var upload: Upload { self.permission.upload }
    var authorization: Authorization { self.permission.authorization }
}

/// The request may see the preview of the upload of the path.
struct PreviewContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: PreviewAccess

    static func permission(in access: Access) -> PreviewAccess? {
        if case .preview(let permission) = access { permission } else { nil }
    }

    var id: UploadID { self.permission.id }
    var upload: Upload { self.permission.upload }
}
