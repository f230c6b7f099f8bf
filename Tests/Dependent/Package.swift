// swift-tools-version: 6.2
import PackageDescription

// An app that depends on Daybook. Its modules have names that apps often give theirs, so the build fails if a
// target of Daybook that a dependent can see has such a name.
let package = Package(
  name: "Dependent",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Daybook", path: "../..")],
  targets: [
    .target(name: "Budgets"),
    .target(name: "Entities"),
    .target(name: "Journal", dependencies: [.product(name: "Daybook", package: "Daybook")]),
    .target(name: "Search", dependencies: [.product(name: "Daybook", package: "Daybook")]),
    .target(name: "Terminal"),
    .executableTarget(
      name: "App",
      dependencies: [
        "Budgets", "Entities", "Journal", "Search", "Terminal",
        .product(name: "Daybook", package: "Daybook"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
