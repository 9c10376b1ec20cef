// swift-tools-version: 6.2
import PackageDescription

// The app of the tutorial, as a package that uses VenueSync the way an app does. Scripts/test-examples builds and tests it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Stand-ins for the map frameworks, so that the app is compiled and tested where the frameworks do not exist.
#if os(macOS)
    let standIns = ["MapLibre"]
#else
    let standIns = ["MapLibre", "MapKit"]
#endif
let maps = standIns.map { Target.Dependency(stringLiteral: $0) }

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "VenueSync") }

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // An app names the repository's URL and a version instead of the path.
        .package(name: "VenueSync", path: "..", traits: [])
    ],
    targets: [
        .target(
            name: "TutorialApp",
            dependencies: ["IMDF", "OpeningHours", "SyncClient", "SyncModel", "VenueMap"].map(library) + maps,
            swiftSettings: settings),
        .testTarget(
            name: "TutorialAppTests",
            dependencies: ["TutorialApp"] + ["IMDF", "SyncClient", "SyncModel", "VenueMap"].map(library) + maps,
            swiftSettings: settings),
    ]
        + standIns.map { name in .target(name: name, path: "StandIns/\(name)", swiftSettings: settings) },
    swiftLanguageModes: [.v6]
)
