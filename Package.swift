// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets in this package: see "Style" in Docs/Architecture.md.
let settings: [SwiftSetting] =
  [
    "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault",
    "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) } + [.enableExperimentalFeature("Lifetimes")]
  // Xcode suppresses the warnings of dependencies, which can't be combined with this setting, so only make and CI set it.
  + (Context.environment["DAYBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

// LMDB is a system library on Linux. Elsewhere, a package compiles it from source; DAYBOOK_LMDB names such a package.
#if os(Linux)
  let lmdb = Context.environment["DAYBOOK_LMDB"].map { Package.Dependency.package(path: $0) }
#else
  let lmdb: Package.Dependency? = .package(url: "https://github.com/agisboye/CLMDB", from: "0.9.33")
#endif

func named(_ names: [String]) -> [Target.Dependency] {
  // Apple's systems have CryptoKit instead of libcrypto.
  Set(names).sorted().map { name in
    .byName(name: name, condition: name.hasSuffix("LibCrypto") ? .when(platforms: [.linux]) : nil)
  }
}

func module(_ name: String, _ path: String? = nil, on below: [String] = []) -> Target {
  let others = below.filter { $0 != name }
  return .target(name: name, dependencies: named(others), path: path, swiftSettings: settings)
}

func program(_ name: String, _ path: String, on below: [String]) -> Target {
  .executableTarget(name: name, dependencies: named(below), path: path, swiftSettings: settings)
}

func tests(_ name: String, without: [String] = [], on below: [String]) -> Target {
  .testTarget(
    name: name, dependencies: named(below + base), exclude: without, swiftSettings: settings)
}

// Modules that are often imported together.
let base = ["DaybookSpans", "DaybookPlatform", "DaybookRandom"]
let domain = ["DaybookBookkeeping", "DaybookEntities"]
let engine = ["DaybookEngine", "DaybookJournal", "DaybookLMDB", "DaybookEntities"] + base
let ledger = ["Daybook"] + domain
let merging = ["DaybookMerging", "DaybookLedgerMerging", "DaybookReplicas"]
let files = ["DaybookInterchange", "DaybookFormats", "DaybookPackedFormats"] + ledger
let sync = ["DaybookSync", "DaybookFindings", "DaybookSyncWire"] + engine + merging + ledger
let testing = ["DaybookTesting", "DaybookSampleData", "DaybookProjections"] + engine + ledger
let examples = ["WorkoutHistory", "MeditationLog", "PayeeTotals"]
let shared = ["ChildPrograms", "DaybookLedgerScripts", "DaybookSyncSimulation", "LedgerFixture"]

// Documentation code for SwiftUI, Charts and SwiftData is compiled against stand-ins if Apple's frameworks are missing.
#if canImport(SwiftUI)
  let standIns: [String] = []
#else
  let standIns = ["SwiftUI", "Charts", "SwiftData"]
#endif

let package = Package(
  name: "Daybook", platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    "Daybook", "DaybookFoundation", "DaybookPackedFormats", "DaybookFindings", "DaybookSync",
    "DaybookTesting", "DaybookSyncSimulation",
  ].map { .library(name: $0, targets: [$0]) } + [
    .library(name: "DaybookInterchange", targets: ["DaybookInterchange", "DaybookFormats"]),
    .library(name: "DaybookSyncWire", targets: ["DaybookSyncWire", "DaybookEntities"]),
    .library(name: "DaybookEngine", targets: engine),
    .executable(name: "daybook", targets: ["DaybookCommand"]),
    .executable(name: "daybook-outside", targets: ["DaybookOutsideChecks"]),
  ],
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")]
    + [lmdb].compactMap(\.self),
  targets: [
    lmdb == nil
      ? .systemLibrary(name: "DaybookCLMDB", pkgConfig: "lmdb")
      : .target(
        name: "DaybookCLMDB", dependencies: [.product(name: "LMDB", package: "CLMDB")],
        path: "Sources/DaybookCLMDB/Package"),
    .systemLibrary(name: "DaybookCLibCrypto", pkgConfig: "libcrypto"),
    module("DaybookLMDB", on: ["DaybookCLMDB"] + base),
    module("DaybookCrypto", on: ["DaybookSpans", "DaybookCLibCrypto"]),
    module("DaybookEntities", on: ["DaybookCrypto"] + base),
    module("DaybookJournal", on: ["DaybookLMDB", "DaybookEntities", "DaybookCrypto"] + base),
    module("DaybookEngine", on: ["DaybookJournal", "DaybookLMDB", "DaybookEntities"] + base),
    module("DaybookBookkeeping", on: ["DaybookEntities"]),
    module("DaybookProjections", "Projections", on: ["DaybookEngine"] + domain),
    module("DaybookMerging", on: ["DaybookEntities"]),
    module("DaybookLedgerMerging", on: ["DaybookMerging"] + domain),
    module("DaybookReplicas", on: ["DaybookMerging"] + engine),
    module("Daybook", on: ["DaybookProjections", "DaybookReplicas"] + engine + domain),
    module("DaybookFoundation", on: ["Daybook", "DaybookBookkeeping"]),
    module("DaybookFormats", on: ["DaybookLMDB"] + domain),
    module("DaybookInterchange", on: ["DaybookFormats", "DaybookLMDB"] + base + ledger),
    module(
      "DaybookPackedFormats", on: ["DaybookFormats", "DaybookCZlib", "DaybookCSQLite"] + domain),
    module("DaybookSyncWire", on: ["DaybookEntities", "DaybookCrypto", "DaybookSpans"]),
    module("DaybookFindings", on: ["DaybookSyncWire", "DaybookEngine"] + merging + ledger),
    module("DaybookSync", on: sync),
    module("DaybookSampleData", on: base + domain),
    module("DaybookTesting", on: ["Daybook", "DaybookSampleData", "DaybookProjections"] + engine),
    module("DaybookTerminal", "Tools/daybook/Terminal", on: ["DaybookPlatform"]),
    .executableTarget(
      name: "DaybookCommand",
      dependencies: named(
        ["DaybookTerminal", "DaybookSampleData", "DaybookFoundation"] + files + sync)
        + [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Tools/daybook", exclude: ["Terminal"],
      // Optimization takes 80 s of processor time and saves 2 ms per run.
      swiftSettings: settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
    program("DaybookOutsideChecks", "Tools/outside", on: ["DaybookInterchange"] + base + sync),
    module(
      "HouseholdApp", "Docs/Examples/HouseholdApp",
      on: ["DaybookFoundation", "DaybookTesting"] + sync + standIns),
    // What tests share. The server's tests use the simulation of sync as well.
    module("ChildPrograms", "Tests/ChildPrograms", on: ["DaybookPlatform"]),
    module("LedgerFixture", "Tests/LedgerFixture", on: ["Daybook"] + engine),
    module("DaybookLedgerScripts", "Tests/DaybookLedgerScripts", on: testing),
    module(
      "DaybookSyncSimulation", "Tests/DaybookSyncSimulation",
      on: ["DaybookLedgerScripts"] + testing + sync),
    program("CrashChild", "Tests/CrashChild", on: ["Daybook", "LedgerFixture"] + engine),
    program("FixtureMaker", "Tests/FixtureMaker", on: ["LedgerFixture"]),
    tests("DaybookCryptoTests", on: ["DaybookCrypto", "DaybookSpans", "DaybookCLibCrypto"]),
    tests("LMDBTests", on: ["DaybookLMDB", "ChildPrograms"]),
    tests("JournalTests", on: ["DaybookJournal", "DaybookLMDB", "DaybookEntities"]),
    tests("BookkeepingTests", on: domain),
    tests(
      "ProjectingTests", on: ["DaybookSampleData", "WorkoutHistory", "MeditationLog"] + engine),
    tests("ProjectionTests", on: ["DaybookProjections"] + ledger + engine),
    tests("MergingTests", on: ["DaybookMerging", "DaybookEntities"]),
    tests("LedgerMergingTests", on: ["DaybookLedgerMerging", "DaybookMerging"] + domain),
    tests("ReplicaTests", on: ["DaybookReplicas", "DaybookMerging"] + engine),
    tests("SyncWireTests", on: ["DaybookSyncWire", "DaybookEntities"]),
    tests("SyncingTests", without: ["Fixtures"], on: shared + sync + testing),
    tests("DaybookTests", on: ["PayeeTotals"] + testing),
    tests("DaybookFoundationTests", on: ["DaybookFoundation", "HouseholdApp"] + ledger),
    tests("OracleTests", on: shared + files + sync + testing),
    tests("DaybookTestingTests", on: testing),
    tests("FormatTests", on: ["DaybookFormats", "DaybookBookkeeping"]),
    tests("InterchangeTests", on: files),
    tests("PackedFormatTests", on: ["DaybookCZlib", "DaybookCSQLite"] + files),
    tests("FixtureTests", without: ["Fixtures"], on: ["Daybook", "LedgerFixture"]),
    tests("CrashTests", on: ["LedgerFixture", "CrashChild", "ChildPrograms"] + files + engine),
    tests(
      "CommandTests", without: ["Golden"],
      on: ["DaybookCommand", "DaybookTerminal"] + shared + sync + testing),
    tests("DocumentationTests", without: ["FrameworkNames"], on: ["Daybook"] + standIns),
  ] + ["DaybookCZlib", "DaybookCSQLite"].map { .systemLibrary(name: $0) } + base.map { module($0) }
    + examples.map { module($0, "Docs/Examples/\($0)", on: ["Daybook"] + engine) }
    + standIns.map { module($0, "Tests/StandIns/\($0)", on: $0 == "Charts" ? ["SwiftUI"] : []) }
)

// Sanitizer and fuzzer builds list the targets they need, separated by commas, and build no others; see .ci/run.
if let only = Context.environment["DAYBOOK_TARGETS"]?.split(separator: ",").map(String.init) {
  if only.contains("Fuzzing") {
    let fuzzing = program(
      "Fuzzing", "Tools/Fuzzing/Sources/Fuzzing", on: ["CLibFuzzer"] + files + sync)
    fuzzing.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
    package.targets += [module("CLibFuzzer", "Tools/Fuzzing/Sources/CLibFuzzer"), fuzzing]
  }
  var (kept, next) = (Set<String>(), only)
  while let name = next.popLast() {
    guard kept.insert(name).inserted else { continue }
    guard let target = package.targets.first(where: { $0.name == name }) else { fatalError(name) }
    for case .byNameItem(let name, _) in target.dependencies { next.append(name) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
