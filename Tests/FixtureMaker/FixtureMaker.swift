// Writes the fixture of the current format: a small ledger with one of everything, as text.
//
// Once a format has been released its fixture is never made anew; a new format gets one of its own:
//
//   swift run FixtureMaker Tests/FixtureTests/Fixtures/format-2.txt
import Foundation
import LedgerFixture

@main
struct FixtureMaker {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: FixtureMaker FILE")
      exit(64)
    }
    let target = URL(fileURLWithPath: CommandLine.arguments[1])
    guard !FileManager.default.fileExists(atPath: target.path) else {
      print("\(target.path) is there already: a fixture that was released is not made anew.")
      exit(73)
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fixture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await FixtureLedger.make(at: folder.path)
    let text = try FolderText(of: folder).text
    try Data(text.utf8).write(to: target)
    print("\(target.path): \(text.utf8.count) bytes")
  }
}
