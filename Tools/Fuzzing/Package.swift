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

// Built by Tools/scripts/fuzz only: libFuzzer comes with -sanitize=fuzzer, which has to be said for every
// target, and decoders that no product shows are reached with -enable-testing.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "Daybook", path: "../..")],
  targets: [
    .target(name: "CLibFuzzer", path: "Sources/CLibFuzzer"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "CLibFuzzer",
        .product(name: "Daybook", package: "Daybook"),
        .product(name: "Interchange", package: "Daybook"),
        .product(name: "PackedFormats", package: "Daybook"),
        .product(name: "Projecting", package: "Daybook"),
        .product(name: "SyncWire", package: "Daybook"),
      ],
      path: "Sources/Fuzzing", swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
