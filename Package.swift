// swift-tools-version: 6.2
import PackageDescription

/// One list, every target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Debug builds optimize what tests run, too: those that compute take half of the time.
let optimized: [SwiftSetting] = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A target of ours. Its arrows are its dependencies: CI builds with `--explicit-target-dependency-import-check error`.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: optimized)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// A product of another package that only the program `venue`, its tests and its benchmarks need. Without the trait `Server`,
/// SwiftPM neither fetches nor builds that package.
func server(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

/// Files of the package that are compiled into a target.
func files(_ name: String) -> Target {
    .target(name: name, path: "Sources/EmbeddedFiles/\(name)")
}

let argumentParser = server("ArgumentParser", "swift-argument-parser")
let configuration = server("Configuration", "swift-configuration")
let httpTypes = server("HTTPTypes", "swift-http-types")
let hummingbird = server("Hummingbird", "hummingbird")
let hummingbirdCore = server("HummingbirdCore", "hummingbird")
let lifecycle = server("ServiceLifecycle", "swift-service-lifecycle")
let logging = server("Logging", "swift-log")
let nioCore = server("NIOCore", "swift-nio")
let nioEmbedded = server("NIOEmbedded", "swift-nio")
let nioHTTP1 = server("NIOHTTP1", "swift-nio")
let nioPosix = server("NIOPosix", "swift-nio")
let nioHTTPTypes = server("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = server("NIOHTTPTypesHTTP1", "swift-nio-extras")
let subprocess = server("Subprocess", "swift-subprocess")
let systemPackage = server("SystemPackage", "swift-system")
let unixSignals = server("UnixSignals", "swift-service-lifecycle")
let yams = server("Yams", "Yams")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

/// The lists of values of IMDF, one file each.
let categories = [
    "access-control", "accessibility", "amenity", "building", "door-material", "door-type", "fixture", "footprint",
    "geofence", "level", "occupant", "opening", "relationship-direction", "relationship", "restriction", "section",
    "unit", "venue",
]

// Debian has simdjson and Pango where compiler and linker search anyway, and SwiftPM warns everybody who depends on this package about
// a flag in their files of pkg-config.
#if os(Linux)
    let simdjsonPkgConfig: String? = nil
    let pangoPkgConfig: String? = nil
#else
    let simdjsonPkgConfig: String? = "simdjson"
    let pangoPkgConfig: String? = "pangocairo"
#endif

let package = Package(
    name: "VenueSync",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "VenueSync", targets: ["VenueSync"]),
        .library(name: "IMDF", targets: ["IMDF"]),
        .library(name: "OpeningHours", targets: ["OpeningHours"]),
        .library(name: "SyncModel", targets: ["SyncModel"]),
        .library(name: "VenueMap", targets: ["VenueMap"]),
        .library(name: "Wayfinding", targets: ["Wayfinding"]),
        .library(name: "VenueRouting", targets: ["VenueRouting"]),
        .library(name: "SyncClient", targets: ["SyncClient"]),
        .executable(name: "venue", targets: ["venue"]),
    ],
    // Apps say `traits: []`: then GRDB is the only other package.
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(
            name: "Server",
            description: "The program venue: server, worker and command line, with tests and benchmarks"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),  // for tests only
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        // The format.
        module("IMDF", ["SystemCrypto"]),
        module("SystemCrypto", [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))]),
        module("OpeningHours", []),
        module("IMDFArchive", ["IMDF", "CLibdeflate", "CLibzip", "CSimdjson"]),
        .target(
            name: "IMDFValidation", dependencies: ["IMDF", "OpeningHours", "Wayfinding", "CCodeLists", "CGEOS"],
            exclude: ["Values/Data"] + categories.map { "Categories/\($0).txt" }, swiftSettings: optimized),
        module("IMDFDiff", ["IMDF"]),
        module("SampleVenue", ["IMDF", "IMDFArchive"]),

        // The wire.
        module("SyncModel", ["IMDF", "SystemCrypto"]),
        module("DeltaForm", ["IMDF", "SyncModel", "CZlib"]),
        module("Compression", ["CLibdeflate", "CZlib", "CBrotli", "CZstd"]),

        // The map.
        module("Caching", []),
        .target(
            name: "VenueMap", dependencies: ["IMDF", "OpeningHours", "CMapFiles"],
            exclude: ["Cartography/cartography.json", "Search/synonyms.txt"], swiftSettings: optimized),
        module("Wayfinding", ["IMDF"]),
        module("VenueRouting", ["IMDF", "OpeningHours", "SyncModel", "Wayfinding"]),
        .target(
            name: "FloorTiles",
            dependencies: [
                "Caching", "Compression", "IMDF", "IMDFArchive", "VenueMap", "CFreeType", "CGEOS", "CLibdeflate",
                "CPango", "CPictograms",
            ],
            exclude: ["Cartography/pictograms.svg"], swiftSettings: optimized),
        module("OGCFeatures", ["IMDF", "IMDFArchive", "SyncModel"]),
        // The client.
        module("HTTPTransport", []),
        module(
            "SyncClient",
            [
                "HTTPTransport", "IMDF", "SyncModel", "DeltaForm", "VenueMap", "VenueRouting", "Wayfinding", grdb,
                grdbSQLite,
            ]),
        module(
            "VenueSync",
            ["IMDF", "OpeningHours", "SyncClient", "SyncModel", "VenueMap", "VenueRouting", "Wayfinding"]),

        // The database.
        module("Postgres", ["CLibpq"]),
        module("EmbeddedPostgres", [subprocess, systemPackage]),
        .target(
            name: "Migrations", dependencies: ["CMigrations"], path: "Migrations",
            exclude: [
                "V001__schema.sql", "V002__archive_objects.sql", "V003__match_compression.sql", "V004__wayfinding.sql",
                "V005__key_expiry.sql", "V006__key_use.sql", "V007__audit.sql", "V008__upload_file_name.sql",
            ],
            swiftSettings: optimized),
        module("ArchiveStore", ["HTTPTransport", "SystemCrypto"]),
        module(
            "RevisionStore",
            ["ArchiveStore", "Caching", "IMDF", "IMDFDiff", "SyncModel", "SystemCrypto", "Postgres", "Migrations"]),

        // The service.
        module(
            "RevisionPlanning",
            [
                "Caching", "IMDF", "IMDFArchive", "IMDFDiff", "IMDFValidation", "SyncModel", "RevisionStore",
                "Wayfinding",
            ]),
        module(
            "Ingestion",
            [
                "ArchiveStore", "IMDF", "IMDFArchive", "IMDFDiff", "IMDFValidation", "SyncModel", "RevisionStore",
                "RevisionPlanning",
                .target(name: "CMalloc", condition: .when(platforms: [.linux])), lifecycle, logging,
            ]),
        .target(
            name: "WebConsole", dependencies: ["IMDF", "Compression", hummingbird, httpTypes, nioCore],
            exclude: ["package.json"], resources: [.copy("Web")], swiftSettings: optimized),
        .target(
            name: "SyncServer",
            dependencies: [
                "ArchiveStore", "RevisionStore", "RevisionPlanning", "SyncModel", "DeltaForm", "Caching", "Compression",
                "IMDF", "IMDFArchive", "IMDFDiff", "WebConsole", "FloorTiles", "OGCFeatures", "VenueMap",
                "OpeningHours", "VenueRouting", "Wayfinding",
                hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTP1, nioHTTPTypes,
                nioHTTPTypesHTTP1, nioPosix, lifecycle, logging, "SystemCrypto", "COpenAPI", "CThreadTime",
            ],
            exclude: ["openapi.yaml"], swiftSettings: optimized),
        .executableTarget(
            name: "venue",
            dependencies: [
                "IMDF", "IMDFArchive", "IMDFDiff", "IMDFValidation", "SampleVenue", "SyncModel", "Postgres",
                "EmbeddedPostgres", "ArchiveStore", "RevisionStore", "RevisionPlanning", "Ingestion", "SyncServer",
                "HTTPTransport", "SyncClient", "VenueMap", "OpeningHours", "Wayfinding", argumentParser, configuration,
                hummingbird, lifecycle, unixSignals, logging, nioCore, nioHTTP1, subprocess,
                systemPackage,
            ],
            swiftSettings: optimized),

        // Tests.
        .target(
            name: "LoopbackHTTP", dependencies: [nioCore, nioHTTP1, nioPosix], path: "Tests/LoopbackHTTP",
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "ArchiveStore", "IMDF", "IMDFArchive", "SampleVenue", "SyncModel", "Postgres", "EmbeddedPostgres",
                "RevisionStore", "Ingestion", "SyncServer", "Compression", "CZlib", "CBrotli", "CZstd", "LoopbackHTTP",
                "VenueMap", hummingbird, httpTypes, lifecycle, logging, nioCore, nioEmbedded, nioHTTP1, subprocess,
                systemPackage,
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        tests("IMDFTests", ["IMDF", "SampleVenue"]),
        tests("SystemCryptoTests", ["SampleVenue", "SystemCrypto"]),
        .testTarget(
            name: "OpeningHoursTests", dependencies: ["OpeningHours", "SampleVenue", subprocess, systemPackage],
            exclude: ["Oracle/answers.py", "Oracle/answers.txt"], swiftSettings: settings),
        .testTarget(
            name: "VenueMapTests", dependencies: ["IMDF", "OpeningHours", "SampleVenue", "VenueMap"],
            exclude: ["WebMercator/vectors.py", "WebMercator/vectors.json"], swiftSettings: settings),
        tests("WayfindingTests", ["IMDF", "SampleVenue", "SyncModel", "VenueRouting", "Wayfinding"]),
        tests(
            "FloorTilesTests",
            ["FloorTiles", "IMDF", "IMDFArchive", "SampleVenue", "VenueMap", "CGEOS", subprocess, systemPackage]),
        tests("OGCFeaturesTests", ["IMDF", "OGCFeatures", "SampleVenue"]),
        tests("IMDFArchiveTests", ["IMDF", "IMDFArchive", "SampleVenue", "CLibzip", "CSimdjson"]),
        tests(
            "IMDFValidationTests",
            ["IMDF", "IMDFArchive", "IMDFValidation", "Ingestion", "SampleVenue", "TestSupport"]),
        tests("IMDFDiffTests", ["IMDF", "IMDFDiff", "SampleVenue"]),
        tests("SampleVenueTests", ["IMDF", "IMDFArchive", "SampleVenue"]),
        tests("SyncModelTests", ["IMDF", "SyncModel", "SampleVenue"]),
        tests("DeltaFormTests", ["DeltaForm", "IMDF", "SyncModel", "SampleVenue", "CZlib"]),
        tests(
            "CompressionTests",
            ["Compression", "IMDF", "SampleVenue", "TestSupport", subprocess, systemPackage]),
        tests("PostgresTests", ["Postgres", "SampleVenue", "TestSupport"]),
        tests("EmbeddedPostgresTests", ["EmbeddedPostgres", "TestSupport", subprocess, systemPackage]),
        tests(
            "RevisionStoreTests",
            [
                "ArchiveStore", "IMDF", "IMDFDiff", "SyncModel", "Postgres", "Migrations", "RevisionStore",
                "SampleVenue", "TestSupport",
            ]),
        tests(
            "ArchiveStoreTests", ["ArchiveStore", "SystemCrypto", "TestSupport"],
            exclude: ["Server/s3_server.py", "Server/requirements.txt"]),
        tests(
            "RevisionPlanningTests",
            [
                "IMDF", "IMDFArchive", "IMDFDiff", "SyncModel", "RevisionStore", "RevisionPlanning", "SampleVenue",
                "TestSupport",
            ]),
        tests(
            "IngestionTests",
            [
                "IMDF", "IMDFArchive", "SyncModel", "Postgres", "Migrations", "RevisionStore", "RevisionPlanning",
                "Ingestion", "SampleVenue", "TestSupport", logging, httpTypes,
            ]),
        tests(
            "SyncServerTests",
            [
                "ArchiveStore", "IMDF", "IMDFArchive", "IMDFDiff", "SyncModel", "Postgres", "RevisionStore",
                "Ingestion", "SyncServer", "Compression", "DeltaForm", "SampleVenue", "TestSupport", "VenueMap",
                hummingbird, httpTypes, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes, logging, yams,
            ], exclude: ["Edits/Oracle/three_way.py"]),
        tests(
            "SyncClientTests",
            [
                "IMDF", "IMDFArchive", "SyncModel", "HTTPTransport", "SyncClient", "RevisionStore", "Ingestion",
                "SyncServer", "SampleVenue", "TestSupport", "Compression", "VenueMap", "VenueRouting", "Wayfinding",
                grdb, hummingbird, httpTypes, nioCore, subprocess, systemPackage,
            ]),
        tests(
            "DocumentationTests",
            [
                "venue", "IMDF", "IMDFArchive", "IMDFValidation", "OpeningHours", "SampleVenue", "SyncModel",
                "SyncClient", "VenueMap", "VenueSync", "Postgres", "TestSupport", yams, subprocess, systemPackage,
            ]),
        tests(
            "VenueTests",
            [
                "venue", "IMDF", "SyncModel", "SyncClient", "Postgres", "RevisionStore", "SampleVenue", "TestSupport",
                httpTypes,
            ]),
        tests(
            "DeploymentTests",
            [
                "venue", "IMDF", "IMDFArchive", "SyncModel", "Postgres", "RevisionStore", "Ingestion", "SampleVenue",
                "TestSupport", "VenueMap", httpTypes, logging, subprocess, systemPackage,
            ]),

        // Benchmarks.
        .target(
            name: "BenchmarkSupport", dependencies: ["IMDF", "LoopbackHTTP", "SyncModel", nioHTTP1],
            path: "Benchmarks/Support", swiftSettings: settings),
        .executableTarget(
            name: "NeighbourBenchmark",
            dependencies: [
                "BenchmarkSupport", "IMDF", "SampleVenue", "SyncModel", "VenueMap", argumentParser, nioCore, nioHTTP1,
            ],
            path: "Benchmarks/NeighbourBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "ImportBenchmark",
            dependencies: [
                "BenchmarkSupport", "IMDF", "IMDFArchive", "SampleVenue", "SyncModel", "Postgres", "EmbeddedPostgres",
                "RevisionStore", argumentParser,
            ],
            path: "Benchmarks/ImportBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "EditBenchmark",
            dependencies: [
                "BenchmarkSupport", "IMDF", "SampleVenue", "SyncModel", "Postgres", "EmbeddedPostgres", argumentParser,
            ],
            path: "Benchmarks/EditBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "ValidationBenchmark",
            dependencies: [
                "BenchmarkSupport", "IMDF", "IMDFArchive", "IMDFValidation", "Ingestion", "SampleVenue", argumentParser,
            ],
            path: "Benchmarks/ValidationBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "TileBenchmark",
            dependencies: [
                "BenchmarkSupport", "FloorTiles", "IMDF", "IMDFArchive", "SampleVenue", argumentParser,
            ],
            path: "Benchmarks/TileBenchmark",
            exclude: ["mapnik_tiles.py", "postgis_tiles.py", "serve_features.py", "serve_tiles.py"],
            swiftSettings: settings),
        .executableTarget(
            name: "WayfindingBenchmark",
            dependencies: ["BenchmarkSupport", "IMDF", "SampleVenue", "SyncModel", "Wayfinding", argumentParser],
            path: "Benchmarks/WayfindingBenchmark", exclude: ["extremity_paths.py"], swiftSettings: settings),
        .executableTarget(
            name: "SyncBenchmark",
            dependencies: [
                "BenchmarkSupport", "DeltaForm", "IMDF", "SampleVenue", "SyncModel", "EmbeddedPostgres", "CLibpq",
                "LoopbackHTTP", argumentParser, hummingbird, logging, nioCore, nioHTTP1,
            ],
            path: "Benchmarks/SyncBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "SyncClientBenchmark",
            dependencies: [
                "BenchmarkSupport", "IMDF", "SampleVenue", "SyncModel", "SyncClient", "VenueMap", argumentParser,
            ],
            path: "Benchmarks/SyncClientBenchmark", swiftSettings: settings),

        // Files that are compiled in.
        files("CMapFiles"), files("CPictograms"), files("CCodeLists"), files("CMigrations"), files("COpenAPI"),

        // C libraries.
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CThreadTime"),
        .systemLibrary(
            name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CLibzip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(
            name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
        .systemLibrary(
            name: "CPango", pkgConfig: pangoPkgConfig,
            providers: [.apt(["libpango1.0-dev", "libcairo2-dev"]), .brew(["pango"])]),
        .systemLibrary(
            name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"]), .brew(["freetype"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CLibdeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "Simdjson", path: "Sources/CSimdjson/System", pkgConfig: simdjsonPkgConfig,
            providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
        .target(
            name: "CSimdjson", dependencies: ["Simdjson"], exclude: ["System"],
            cxxSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))],
            linkerSettings: [.linkedLibrary("simdjson")]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
