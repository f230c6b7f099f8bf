// Goal: a transaction, or anything read in place, cannot leave its closure: the compiler rejects
// the program. Method: small programs are compiled against the built module (up to the passes that
// check lifetimes, without making code); each must be rejected, and for the expected reason. A
// control program that only does what is allowed must compile without a word.

import ChildPrograms
import Foundation
import Testing

@Suite(.enabled(if: Compiler.here != nil, "swiftc or the built modules were not found"))
struct RejectedProgramsTests {
  @Test func controlProgramCompiles() throws {
    let result = try #require(Compiler.here).compile(
      """
      func control(_ environment: Environment, _ table: Database, _ key: [UInt8]) throws -> Int {
        try environment.write { (transaction: inout WriteTransaction) in
          try transaction.put(key, key, in: table)
          var cursor = try transaction.writeCursor(in: table)
          while true {
            let isStale: Bool
            if let entry = try cursor.next() { isStale = entry.value.byteCount == 0 } else { break }
            if isStale { try cursor.deleteCurrent() }
          }
        }
        return try environment.read { transaction in
          guard let value = try transaction.get(key.span.bytes, in: table) else { return 0 }
          var cursor = try transaction.cursor(in: table)
          let first = try cursor.first()
          let second = try cursor.next()
          var sum = value.byteCount
          if let first, let second { sum += first.key.byteCount + second.value.byteCount }
          let view = transaction.view
          sum += try view.count(of: table)
          return sum
        }
      }
      """)
    #expect(result == "")
  }

  @Test(arguments: rejectedPrograms) func isRejected(program: RejectedProgram) throws {
    let result = try #require(Compiler.here).compile(program.source)
    #expect(result.contains("error: \(program.reason)"), "\(program.name): \(result)")
  }
}

/// The compiler of this machine, and where the module LMDB was built.
struct Compiler {
  let executable: String
  let modules: String
  let moduleMap: String

  /// Nil where either is missing.
  static let here: Compiler? = {
    let files = FileManager.default
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    guard let binary = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      return nil
    }
    let modules = URL(fileURLWithPath: binary).deletingLastPathComponent()
      .appendingPathComponent("Modules").path
    let map = root.appendingPathComponent("Sources/DaybookCLMDB/module.modulemap").path
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    let compiler = folders.map { "\($0)/swiftc" }.first { files.isExecutableFile(atPath: $0) }
    guard let compiler, files.fileExists(atPath: modules + "/DaybookLMDB.swiftmodule"),
      files.fileExists(atPath: map)
    else { return nil }
    return Compiler(executable: compiler, modules: modules, moduleMap: map)
  }()

  /// Compiles a program as another package would; returns what the compiler had to say.
  func compile(_ source: String) throws -> String {
    try withFolder { folder in
      let file = folder + "/program.swift"
      try "import DaybookLMDB\n\(source)\n".write(toFile: file, atomically: true, encoding: .utf8)
      let output = folder + "/output"
      let status = ChildProgram.run(
        executable,
        [
          "-swift-version", "6", "-emit-sil", "-o", folder + "/program.sil", "-I",
          modules, "-Xcc", "-fmodule-map-file=\(moduleMap)", file,
        ], output: output)
      try #require(status != -1, "\(executable) cannot be started")
      let said = try Data(contentsOf: URL(fileURLWithPath: output))
      return String(decoding: said, as: UTF8.self)
    }
  }
}
