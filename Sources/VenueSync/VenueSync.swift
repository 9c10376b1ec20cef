// One import for apps: the replica with edits and uploads, maps, routes, opening hours, and the types that they take and return.
@_exported import IMDF
@_exported import OpeningHours
@_exported import SyncClient
@_exported import SyncModel
@_exported import VenueMap
@_exported import VenueRouting
@_exported import Wayfinding
