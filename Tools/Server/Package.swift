// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
  // Xcode suppresses the warnings of dependencies, which can't be combined with this setting, so only make and CI set it.
  + (Context.environment["DAYBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

// A separate package, so that neither apps nor the command resolve the server's dependencies.
let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "DaybookServer", targets: ["DaybookServer"]),
    .executable(name: "daybook-serve", targets: ["DaybookServe"]),
    .executable(name: "daybook-relay", targets: ["DaybookRelay"]),
    .executable(name: "relay-measure", targets: ["RelayMeasure"]),
  ],
  dependencies: [
    .package(name: "Daybook", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .target(name: "Charts", path: "Sources/Charts", swiftSettings: settings),
    .target(name: "RateLimits", path: "Sources/RateLimits", swiftSettings: settings),
    .target(
      name: "Moments", dependencies: [.product(name: "Daybook", package: "Daybook")],
      path: "Sources/Moments", swiftSettings: settings),
    .target(
      name: "Pages",
      dependencies: [
        "Charts", "Moments",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookFoundation", package: "Daybook"),
        .product(name: "DaybookFindings", package: "Daybook"),
        .product(name: "DaybookInterchange", package: "Daybook"),
        .product(name: "DaybookPackedFormats", package: "Daybook"),
      ],
      path: "Sources/Pages",
      resources: [
        .embedInCode("Assets/page.css"), .embedInCode("Assets/icon.svg"),
        .embedInCode("Assets/page.js"), .embedInCode("Assets/basics.js"),
        .embedInCode("Assets/complete.js"), .embedInCode("Assets/counting.js"),
        .embedInCode("Assets/entry.js"), .embedInCode("Assets/envelopes.js"),
        .embedInCode("Assets/inbox.js"),
        .embedInCode("Assets/list.js"),
        .embedInCode("Assets/news.js"), .embedInCode("Assets/palette.js"),
        .embedInCode("Assets/rows.js"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookServer",
      dependencies: [
        "Moments", "Pages", "RateLimits",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookFoundation", package: "Daybook"),
        .product(name: "DaybookFindings", package: "Daybook"),
        .product(name: "DaybookInterchange", package: "Daybook"),
        .product(name: "DaybookPackedFormats", package: "Daybook"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources/DaybookServer", resources: [.embedInCode("openapi.json")],
      swiftSettings: settings),
    .executableTarget(
      name: "DaybookServe",
      dependencies: [
        "DaybookServer", "Moments", "Pages",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/daybook-serve", swiftSettings: settings),
    .systemLibrary(name: "CFileBirth", path: "Sources/CFileBirth"),
    .target(
      name: "Relay",
      dependencies: [
        "CFileBirth",
        .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "DaybookEngine", package: "Daybook"),
      ],
      path: "Sources/Relay", swiftSettings: settings),
    .systemLibrary(
      name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "RelayPostgres",
      dependencies: [
        "CLibPQ", "Relay", .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "DaybookEngine", package: "Daybook"),
      ],
      path: "Sources/RelayPostgres",
      resources: [.embedInCode("Schema/schema.sql")], swiftSettings: settings),
    .target(
      name: "RelayServer",
      dependencies: [
        "RateLimits", "Relay",
        .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "DaybookEngine", package: "Daybook"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources/RelayServer", swiftSettings: settings),
    .executableTarget(
      name: "DaybookRelay",
      dependencies: [
        "Relay", "RelayPostgres", "RelayServer",
        .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/daybook-relay", swiftSettings: settings),
    .executableTarget(
      name: "RelayMeasure",
      dependencies: [
        "Relay", "RelayPostgres", .product(name: "DaybookSyncWire", package: "Daybook"),
      ],
      path: "Measuring/relay-measure", swiftSettings: settings),
    .testTarget(
      name: "RelayTests",
      dependencies: [
        // Some tests run the executable.
        "DaybookRelay", "Relay", "RelayPostgres", "RelayServer", "SharedLedgers",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookTesting", package: "Daybook"),
        .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "DaybookSyncSimulation", package: "Daybook"),
        .product(name: "DaybookSync", package: "Daybook"),
        .product(name: "DaybookEngine", package: "Daybook"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Tests/RelayTests", swiftSettings: settings),
    .testTarget(
      name: "ChartsTests", dependencies: ["Charts"], path: "Tests/ChartsTests",
      swiftSettings: settings),
    .target(
      name: "SharedLedgers",
      dependencies: [
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookTesting", package: "Daybook"),
        .product(name: "DaybookSync", package: "Daybook"),
        .product(name: "DaybookSyncWire", package: "Daybook"),
      ],
      path: "Tests/SharedLedgers", swiftSettings: settings),
    .testTarget(
      name: "PagesTests",
      dependencies: [
        "Moments", "Pages",
        .product(name: "Daybook", package: "Daybook"),
        "SharedLedgers",
        .product(name: "DaybookFindings", package: "Daybook"),
        .product(name: "DaybookInterchange", package: "Daybook"),
        .product(name: "DaybookTesting", package: "Daybook"),
      ],
      path: "Tests/PagesTests", swiftSettings: settings),
    .testTarget(
      name: "DaybookServerTests",
      dependencies: [
        // Some tests run the executable.
        "DaybookServe", "DaybookServer", "Moments", "Pages",
        .product(name: "Daybook", package: "Daybook"),
        "SharedLedgers",
        .product(name: "DaybookFindings", package: "Daybook"),
        .product(name: "DaybookTesting", package: "Daybook"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      path: "Tests/DaybookServerTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
