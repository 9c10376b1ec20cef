// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The fuzzers, apart from the package so that nothing of it is built with instruments. The modules under test are the
// package's own sources, by way of links, because what is `package` in them is seen within one package only.
// Scripts/fuzz builds and runs this; it also names the runtime library to link with.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

func module(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// The lists that a module embeds: the text files in some of its folders.
func lists(_ module: String, _ folders: [String]) -> [Resource] {
    folders.flatMap { folder -> [Resource] in
        let path = Context.packageDirectory + "/Sources/\(module)/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().map { Resource.embedInCode("\(folder)/\($0)") }
    }
}

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    targets: [
        module("IMDF", []),
        module("IMDFArchive", ["IMDF", "CLibdeflate", "CLibzip", "CSimdjson"]),
        module("OpeningHours", []),
        module(
            "IMDFValidation", ["IMDF", "OpeningHours", "CGEOS"],
            resources: lists("IMDFValidation", ["Categories", "Values/Data"])),
        module("SampleVenue", ["IMDF", "IMDFArchive"]),
        module("SyncModel", ["IMDF"]),
        module("DeltaForm", ["IMDF", "SyncModel", "CZlib"]),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "IMDF", "IMDFArchive", "IMDFValidation", "SampleVenue", "SyncModel", "DeltaForm",
            ],
            swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
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
