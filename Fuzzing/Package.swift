// swift-tools-version: 6.2
import PackageDescription

// The fuzzers, apart from the package so that nothing of it is built with instruments. The modules under test are the
// package's own sources, by way of links, because what is `package` in them is seen within one package only.
// Scripts/fuzz builds and runs this; it also names the runtime library to link with.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    targets: [
        module("SystemCrypto", ["COpenSSL"]),
        module("IMDF", ["SystemCrypto"]),
        module("IMDFArchive", ["IMDF", "CLibdeflate", "CLibzip", "CSimdjson"]),
        module("OpeningHours", []),
        module("Wayfinding", ["IMDF"]),
        module("IMDFValidation", ["IMDF", "OpeningHours", "Wayfinding", "CCodeLists", "CGEOS"]),
        module("SampleVenue", ["IMDF", "IMDFArchive"]),
        module("SyncModel", ["IMDF", "SystemCrypto"]),
        module("DeltaForm", ["IMDF", "SyncModel", "CZlib"]),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "IMDF", "IMDFArchive", "IMDFValidation", "SampleVenue", "SyncModel", "DeltaForm",
            ],
            swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
        .target(name: "CCodeLists", path: "Sources/EmbeddedFiles/CCodeLists"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CGEOS", pkgConfig: "geos"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CLibdeflate", pkgConfig: "libdeflate"),
        .systemLibrary(name: "CLibzip", pkgConfig: "libzip"),
        .systemLibrary(name: "Simdjson", path: "Sources/CSimdjson/System", pkgConfig: "simdjson"),
        .target(
            name: "CSimdjson", dependencies: ["Simdjson"], exclude: ["System"],
            cxxSettings: [.unsafeFlags(["-fsanitize=address,fuzzer-no-link"])]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
