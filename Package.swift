// swift-tools-version: 6.2
import PackageDescription

/// Settings every target of ours is built with: see "Style" in Docs/Architecture.md.
let settings: [SwiftSetting] =
  [
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
  // Xcode suppresses the warnings of dependencies and refuses both together, so only make and CI ask for this.
  + (Context.environment["DAYBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// For the command, which parses options and prints what the library computes.
///
/// Optimizing it takes 80 s of processor time. It would save 2 ms of each run, and 0.2 s of a list of 20,000 rows.
let unoptimised = [SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))]

func room(_ name: String, _ path: String, on below: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: below, path: path, swiftSettings: settings)
}

func tests(_ name: String, on below: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: below, path: "Tests/\(name)", swiftSettings: settings)
}

// What the documentation shows of SwiftUI and Charts, and what an app's files import, is compiled everywhere:
// where Apple's are not to be had, against stand-ins.
#if canImport(SwiftUI)
  let standIns: [Target] = []
#else
  let standIns = [
    room("SwiftUI", "Tests/StandIns/SwiftUI", on: []),
    room("Charts", "Tests/StandIns/Charts", on: ["SwiftUI"]),
    room("SwiftData", "Tests/StandIns/SwiftData", on: []),
  ]
#endif

// A sanitizer's build needs few of the tests, and nothing but what these stand on: .ci/run names them, with commas
// between.
let only = Context.environment["DAYBOOK_TARGETS"].map { $0.split(separator: ",").map(String.init) }

// Apple's systems have CryptoKit instead.
let libCrypto = Target.Dependency.byName(
  name: "CLibCrypto", condition: .when(platforms: [.linux]))

let projections: [Target.Dependency] = [
  "Transactions", "Balances", "MonthlyTotals", "CategoryTotals", "Rates", "Recurring", "Search",
  "PayeesAndTags", "Budgets",
]

let package = Package(
  name: "Daybook",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Daybook", targets: ["Daybook"]),
    .library(name: "DaybookFoundation", targets: ["DaybookFoundation"]),
    .library(name: "Interchange", targets: ["Interchange", "InterchangeFormats"]),
    .library(name: "PackedFormats", targets: ["PackedFormats"]),
    .library(name: "DaybookTesting", targets: ["DaybookTesting"]),
    .library(name: "SyncWire", targets: ["SyncWire", "Entities"]),
    .library(name: "Findings", targets: ["Findings"]),
    .library(name: "Syncing", targets: ["Syncing"]),
    .library(name: "SyncSimulation", targets: ["SyncSimulation"]),
    .library(name: "Projecting", targets: ["Projecting", "Journal", "Entities", "LMDB"]),
    .executable(name: "daybook", targets: ["DaybookCommand"]),
    .executable(name: "outside", targets: ["OutsideChecks"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", path: "Sources/CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    room("Spans", "Sources/Spans", on: []),
    room("LMDB", "Sources/LMDB", on: ["Spans", "CLMDB"]),
    .systemLibrary(
      name: "CLibCrypto", path: "Sources/CLibCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"])]),
    room("DaybookCrypto", "Sources/DaybookCrypto", on: ["Spans", libCrypto]),
    room("Entities", "Sources/Entities", on: ["DaybookCrypto", "Spans"]),
    room("Merging", "Sources/Merging", on: ["Entities"]),
    room("SyncWire", "Sources/SyncWire", on: ["Entities", "DaybookCrypto", "Spans"]),
    room("Journal", "Sources/Journal", on: ["LMDB", "Entities", "DaybookCrypto"]),
    room("Bookkeeping", "Sources/Bookkeeping", on: ["Entities"]),
    room("LedgerMerging", "Sources/LedgerMerging", on: ["Merging", "Bookkeeping", "Entities"]),
    room("Projecting", "Sources/Projecting", on: ["Journal", "LMDB", "Entities"]),
    room("Replicas", "Sources/Replicas", on: ["Merging", "Projecting", "Journal", "Entities"]),
    room(
      "ProjectionSupport", "Projections/Support",
      on: ["Projecting", "Bookkeeping", "Entities"]),
    room(
      "Transactions", "Projections/Transactions",
      on: [
        "Balances", "CategoryTotals", "ProjectionSupport", "Projecting", "Bookkeeping", "Entities",
      ]),
    room(
      "Balances", "Projections/Balances",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "MonthlyTotals", "Projections/MonthlyTotals",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "CategoryTotals", "Projections/CategoryTotals",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "Budgets", "Projections/Budgets",
      on: ["CategoryTotals", "ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "Rates", "Projections/Rates",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room("Recurring", "Projections/Recurring", on: ["Projecting", "Bookkeeping", "Entities"]),
    room(
      "Search", "Projections/Search",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "PayeesAndTags", "Projections/PayeesAndTags",
      on: ["ProjectionSupport", "Projecting", "Bookkeeping", "Entities"]),
    room(
      "Daybook", "Sources/Daybook",
      on: [
        "Replicas", "ProjectionSupport", "Projecting", "Journal", "LMDB", "Bookkeeping", "Entities",
      ] + projections),
    room("DaybookFoundation", "Sources/DaybookFoundation", on: ["Daybook", "Bookkeeping"]),
    room(
      "InterchangeFormats", "Sources/InterchangeFormats", on: ["LMDB", "Bookkeeping", "Entities"]),
    room(
      "Interchange", "Sources/Interchange",
      on: ["InterchangeFormats", "Daybook", "LMDB", "Bookkeeping", "Entities"]),
    room(
      "Findings", "Sources/Findings",
      on: [
        "Daybook", "Replicas", "LedgerMerging", "Merging", "SyncWire", "Projecting", "Bookkeeping",
        "Entities",
      ]),
    room(
      "Syncing", "Sources/Syncing",
      on: [
        "Findings", "Daybook", "Replicas", "LedgerMerging", "Merging", "SyncWire", "Projecting",
        "Journal",
        "Bookkeeping", "Entities",
      ]),
    .systemLibrary(name: "SystemZlib", path: "Sources/SystemZlib"),
    .systemLibrary(name: "SystemSQLite", path: "Sources/SystemSQLite"),
    room(
      "PackedFormats", "Sources/PackedFormats",
      on: ["InterchangeFormats", "Bookkeeping", "SystemZlib", "SystemSQLite"]),
    room("Terminal", "Tools/daybook/Terminal", on: []),
    room("SampleData", "Sources/SampleData", on: ["Bookkeeping", "Entities"]),
    room(
      "DaybookTesting", "Sources/DaybookTesting",
      on: ["Daybook", "SampleData", "Transactions", "Projecting", "LMDB"]),
    .executableTarget(
      name: "DaybookCommand",
      dependencies: [
        "Daybook", "Interchange", "PackedFormats", "Syncing", "SyncWire", "Bookkeeping", "Entities",
        "Terminal", "SampleData",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/daybook", exclude: ["Terminal"], swiftSettings: settings + unoptimised),
    .executableTarget(
      name: "OutsideChecks",
      dependencies: ["Daybook", "Bookkeeping", "Entities", "Interchange", "Syncing"],
      path: "Tools/outside",
      swiftSettings: settings),
    room(
      "WorkoutHistory", "Docs/Examples/WorkoutHistory",
      on: ["Projecting", "Journal", "Entities"]),
    room(
      "MeditationLog", "Docs/Examples/MeditationLog",
      on: ["Projecting", "Journal", "Entities"]),
    room("PayeeTotals", "Docs/Examples/PayeeTotals", on: ["Daybook", "Projecting"]),
    room("ChildPrograms", "Tests/ChildPrograms", on: []),
    tests("DaybookCryptoTests", on: ["DaybookCrypto", "Spans", libCrypto]),
    tests("LMDBTests", on: ["LMDB", "ChildPrograms"]),
    tests("MergingTests", on: ["Merging", "Entities"]),
    tests("ReplicaTests", on: ["Replicas", "Merging", "Projecting", "Journal", "Entities"]),
    .testTarget(
      name: "SyncingTests",
      dependencies: [
        "Syncing", "SyncSimulation", "Findings", "SyncWire", "Daybook", "DaybookTesting",
        "LedgerFixture", "SampleData", "Replicas", "LedgerMerging", "Merging", "Projecting",
        "Bookkeeping", "Entities",
      ],
      path: "Tests/SyncingTests", exclude: ["Fixtures"], swiftSettings: settings),
    // Writes commands of every kind.
    room(
      "LedgerScripts", "Tests/LedgerScripts", on: ["Daybook", "DaybookTesting", "SampleData"]),
    // Used by the server's tests as well, over each of its stores.
    room(
      "SyncSimulation", "Tests/SyncSimulation",
      on: [
        "Syncing", "Findings", "SyncWire", "Daybook", "DaybookTesting", "LedgerScripts",
        "SampleData", "Replicas", "LedgerMerging", "Merging", "Bookkeeping", "Entities",
      ]),
    tests("LedgerMergingTests", on: ["LedgerMerging", "Merging", "Bookkeeping", "Entities"]),
    tests("SyncWireTests", on: ["SyncWire", "Entities"]),
    tests("JournalTests", on: ["Journal", "LMDB", "Entities"]),
    tests("BookkeepingTests", on: ["Bookkeeping", "Entities"]),
    tests(
      "ProjectingTests",
      on: [
        "Projecting", "Journal", "Entities", "LMDB", "SampleData", "WorkoutHistory",
        "MeditationLog",
      ]),
    tests(
      "ProjectionTests",
      on: ["ProjectionSupport", "Projecting", "Journal", "Bookkeeping", "Entities"] + projections),
    tests(
      "DaybookTests",
      on: [
        "DaybookTesting", "Daybook", "Transactions", "Balances", "ProjectionSupport", "Projecting",
        "Journal", "LMDB", "Bookkeeping", "PayeeTotals",
      ]),
    tests("DaybookFoundationTests", on: ["DaybookFoundation", "Daybook", "Bookkeeping"]),
    tests(
      "OracleTests",
      on: [
        "DaybookTesting", "Daybook", "LedgerScripts", "SyncSimulation", "Projecting", "Journal",
        "Bookkeeping", "Entities", "Interchange", "LedgerMerging", "Merging", "Replicas",
        "SampleData",
      ] + projections),
    tests(
      "DaybookTestingTests",
      on: ["DaybookTesting", "Daybook", "Projecting", "SampleData", "LMDB"] + projections),
    tests(
      "InterchangeTests",
      on: ["Interchange", "InterchangeFormats", "Daybook", "Bookkeeping", "Entities"]),
    tests("FormatTests", on: ["InterchangeFormats", "Bookkeeping"]),
    tests(
      "PackedFormatTests",
      on: ["PackedFormats", "InterchangeFormats", "Bookkeeping", "SystemZlib", "SystemSQLite"]),
    .executableTarget(
      name: "CrashChild", dependencies: ["Daybook", "Projecting", "Journal", "LedgerFixture"],
      path: "Tests/CrashChild",
      swiftSettings: settings),
    room("LedgerFixture", "Tests/LedgerFixture", on: ["Daybook", "Journal", "Entities", "LMDB"]),
    .executableTarget(
      name: "FixtureMaker", dependencies: ["LedgerFixture"], path: "Tests/FixtureMaker",
      swiftSettings: settings),
    .testTarget(
      name: "FixtureTests", dependencies: ["Daybook", "LedgerFixture"],
      path: "Tests/FixtureTests", exclude: ["Fixtures"], swiftSettings: settings),
    tests(
      "CrashTests",
      on: [
        "Daybook", "Interchange", "Projecting", "Journal", "LedgerFixture", "CrashChild",
        "ChildPrograms",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "DaybookCommand", "Terminal", "SampleData", "Bookkeeping", "Daybook", "Syncing", "SyncWire",
        "SyncSimulation", "Entities", "ChildPrograms",
      ],
      path: "Tests/CommandTests", exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["Daybook"] + standIns.map { .target(name: $0.name) },
      path: "Tests/DocumentationTests", exclude: ["FrameworkNames"], swiftSettings: settings),
  ] + standIns,
  swiftLanguageModes: [.v6]
)

// What reads bytes from outside, with libFuzzer, which is there only where -sanitize=fuzzer is said: Tools/scripts/fuzz.
if let only, only.contains("Fuzzing") {
  package.platforms = [.macOS("26.0")]
  package.targets += [
    .target(name: "CLibFuzzer", path: "Tools/Fuzzing/Sources/CLibFuzzer"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "CLibFuzzer", "Daybook", "Interchange", "PackedFormats", "SyncWire", "Projecting",
        "Journal", "LMDB", "Bookkeeping", "Entities",
      ],
      path: "Tools/Fuzzing/Sources/Fuzzing", swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
  ]
}

if let only {
  var kept: Set<String> = []
  var next = only
  while let name = next.popLast() {
    guard kept.insert(name).inserted else { continue }
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("DAYBOOK_TARGETS: there is no target \(name)")
    }
    for case .byNameItem(let name, _) in target.dependencies { next.append(name) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll {
    let offered = ($0 as? Product.Library)?.targets ?? ($0 as? Product.Executable)?.targets ?? []
    return !kept.isSuperset(of: offered)
  }
}
