import Foundation
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

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

/// The context of a handler of ``AuthorizedRoutes``. A handler takes the context of the permission that it needs, so a route without the
/// check does not compile.
protocol AuthorizedContext: RequestContext where Source == Never {
    associatedtype Permission: Sendable

    var parent: AppRequestContext { get set }
    var permission: Permission { get }
    init(parent: AppRequestContext, permission: Permission)
}

extension AuthorizedContext {
    init(source: Never) {
        switch source {}
    }

    var coreContext: CoreRequestContextStorage {
        get { self.parent.coreContext }
        set { self.parent.coreContext = newValue }
    }
}

/// The request has a valid key.
struct KeyHolderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: Principal
}

/// The request may read the venue of the path.
struct ReaderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: ReadAccess

    var venue: VenueRecord { self.permission.venue }
}

/// The request may upload to the venue of the path.
struct UploaderContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: UploaderAccess
}

/// The request may publish to the venue of the path, which exists.
struct PublisherContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: WriteAccess

    var venue: VenueRecord { self.permission.venue }
}

/// The request may change the settings of the venue of the path, and delete it.
struct VenueAdminContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: WriteAccess

    var venue: VenueRecord { self.permission.venue }
    var authorization: Authorization { self.permission.authorization }
}

/// The request may do everything.
struct AdminContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: Authorization

    var authorization: Authorization { self.permission }
}

/// The request may see and change the upload of the path.
struct UploadContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: UploadAccess

    var id: UploadID { self.permission.id }
    var upload: Upload { self.permission.upload }
    var authorization: Authorization { self.permission.authorization }
}

/// The request may see the preview of the upload of the path.
struct PreviewContext: AuthorizedContext {
    var parent: AppRequestContext
    let permission: PreviewAccess

    var id: UploadID { self.permission.id }
    var upload: Upload { self.permission.upload }
}
