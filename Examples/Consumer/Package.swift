// swift-tools-version: 6.2
import PackageDescription

// The smallest program that keeps a floor up to date. Scripts/test-examples builds it, and checks which packages it resolves.

let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // An app names the repository's URL and a version instead of the path.
        .package(name: "VenueSync", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [.product(name: "VenueSync", package: "VenueSync")])
    ]
)
