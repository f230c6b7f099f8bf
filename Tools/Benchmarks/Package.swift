// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS("26.0")],
  products: [
    .executable(name: "benchmarks", targets: ["Benchmarks"]),
    .executable(name: "sync-benchmarks", targets: ["SyncBenchmarks"]),
  ],
  dependencies: [
    .package(name: "Daybook", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "CYardstick", path: "Sources/CYardstick",
      linkerSettings: [.linkedLibrary("lmdb")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CSQLite", "CYardstick",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookInterchange", package: "Daybook"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Benchmarks", swiftSettings: settings),
    .executableTarget(
      name: "SyncBenchmarks",
      dependencies: [
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "DaybookSync", package: "Daybook"),
        .product(name: "DaybookSyncWire", package: "Daybook"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/SyncBenchmarks", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
