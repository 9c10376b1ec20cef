import Hummingbird
import IMDF
import RevisionStore
import SyncModel

extension Gate {
    /// The upload that the path names, if the caller may publish to its venue; else exactly what is told of one that does not
    /// exist.
    func upload(_ request: Request, _ context: VenueContext) async throws -> Upload {
        let caller = try await self.known(request)
        let upload = try await self.store.upload(context.uploadID())
        guard caller.sees(upload.venue) else { throw StoreError.unknownUpload }
        guard let role = caller.role, role >= .publish else { throw Problem.forbidden }
        return upload
    }
}

extension VenueContext {
    func uploadID() throws -> FeatureID {
        guard let id = self.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownUpload }
        return id
    }
}
