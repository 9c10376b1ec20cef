public import ArgumentParser
public import IMDF
public import SyncModel

extension VenueKey: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Role: ExpressibleByArgument {}

extension ArchiveIDs: ExpressibleByArgument {}

extension FeatureID: ExpressibleByArgument {}

extension PublicKey: ExpressibleByArgument {}
