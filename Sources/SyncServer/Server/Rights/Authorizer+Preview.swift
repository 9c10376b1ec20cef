import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

extension Authorizer {
    /// An upload whose preview the principal may see: one that the key may change, or the one that a preview token in the query is for.
    /// A request with a key is authorized by the key.
    ///
    /// - Throws: 401 for a token that this server did not make for the upload; 410 when the preview has ended. The database is asked only
    ///   about the upload of a valid token.
    func preview(_ request: Request, _ context: AppRequestContext) async throws -> PreviewAccess {
        guard request.headers[.authorization] == nil, let text = try QueryValues(request).text("token") else {
            let access = try await self.upload(request, context)
            return PreviewAccess(id: access.id, upload: access.upload, expiry: nil)
        }
        try await self.readModel.ensureFresh()
        try self.readModel.requireConfirmation(forPublic: false)
        guard let id = context.parameters.get("id").flatMap(UploadID.init),
            let token = ReadToken(
                text, for: .preview(id), adminKey: self.adminKey, sealedBy: self.readModel.cursorSeal)
        else { throw Problem.previewTokenInvalid }
        guard token.isValid(at: Date()) else { throw Problem.previewEnded }
        if !self.mayStillPublish(token, to: nil), context.mayLookUpKeys {
            // Another node may just have created the key.
            try await self.readModel.refresh()
        }
        guard self.mayStillPublish(token, to: nil) else { throw Problem.previewEnded }
        let upload: Upload
        do {
            upload = try await self.readModel.store.upload(id)
        } catch StoreError.unknownUpload {
            throw Problem.previewEnded
        }
        let venue = upload.venue
        guard upload.hasPreview, self.mayStillPublish(token, to: venue) else { throw Problem.previewEnded }
        context.accessDecisions.add(dependsOnTime: true) {
            try await self.readModel.ensureFresh()
            try self.readModel.requireConfirmation(forPublic: false)
            guard token.isValid(at: Date()), self.mayStillPublish(token, to: venue) else {
                throw Problem.previewEnded
            }
        }
        if let key = token.key { self.readModel.noteUse(of: key) }
        return PreviewAccess(id: id, upload: upload, expiry: Date(timeIntervalSince1970: Double(token.expiry)))
    }

    /// Whether the key that a token was made with may still publish to a venue, or to any venue for nil. The administrator's always may: a
    /// token of another one has another code.
    private func mayStillPublish(_ token: ReadToken, to venue: VenueKey?) -> Bool {
        guard let id = token.key else { return true }
        guard let key = self.readModel.key(id), key.role >= .publish else { return false }
        guard let venue, let venues = key.venues else { return true }
        return venues.contains(venue)
    }
}

extension Upload {
    /// Whether the upload has a preview: it is staged, and would be the first revision of its venue. Then its changes are the whole map.
    var hasPreview: Bool { self.state == .staged && self.base == 0 }
}
