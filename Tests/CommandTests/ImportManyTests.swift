// Goal: several files, folders and standard input are imported as each file would be by itself, and
// Ctrl-C tells the truth about what was recorded. Method: files written here are imported by the built
// command; it is interrupted while it waits for its input and at many moments of a long import.
import DaybookPlatform
import Foundation
import Testing

@Suite struct ImportManyTests {
  private static let flags = [
    "--date-column", "Day", "--amount-column", "Sum", "--currency", "EUR", "--account", "Checking",
  ]

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private func count(_ desk: Desk) throws -> Int? {
    try desk.done("list --count --json").json()["count"].int
  }

  @Test func standardInputIsAFile() throws {
    let desk = try desk()
    let text = "Day,Sum\n2026-02-01,-5\n2026-02-02,7\n"
    let run = try desk.run(["import", "-"] + Self.flags, input: text)
    #expect(run.status == 0 && run.output.contains("Imported 2 transactions."), "\(run.errors)")
    let bad = try desk.run(["import", "-"] + Self.flags, input: "Day,Sum\n2026-02-31,1\n")
    #expect(bad.status == 65 && bad.errors.contains("standard input: line 2"), "\(bad.errors)")
    let preview = try desk.run(["import", "-", "--preview"], input: text)
    #expect(preview.status == 0 && preview.output.contains("2026-02-02"), "\(preview.errors)")
    // A whole ledger can come through a pipe, too.
    let lines = try desk.done("export --format jsonl").output
    let other = try self.desk()
    let restored = try other.run(["import", "-", "--ledger", "Other.daybook"], input: lines)
    #expect(restored.status == 66)
    try other.done("init --ledger Other.daybook")
    try other.run(["import", "-", "--ledger", "Other.daybook"], input: lines)
    #expect(try other.done("export --format jsonl --ledger Other.daybook").output == lines)
  }

  @Test func aRefusedFileLeavesTheOthersIn() throws {
    let desk = try desk()
    _ = try desk.write("a.csv", "Day,Sum\n2026-02-01,-5\n")
    _ = try desk.write("b.csv", "Day,Sum\n2026-02-02,1\n2026-02-31,1\n")
    _ = try desk.write("c.csv", "Day,Sum\n2026-02-03,-5\n2026-02-04,-6\n")
    let run = try desk.run(["import", "a.csv", "b.csv", "none.csv", "c.csv"] + Self.flags)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.output.contains("Imported 1 transaction from a.csv."))
    #expect(run.output.contains("Imported 2 transactions from c.csv."))
    #expect(
      run.lines.dropLast().last
        == "Imported 3 transactions from 2 of 4 files. b.csv, none.csv were refused.",
      "\(run.output)")
    #expect(run.errors.contains("b.csv: line 3: ") && run.errors.contains("the file none.csv"))
    #expect(try count(desk) == 3)
    let json = try desk.run(["import", "a.csv", "b.csv", "c.csv", "--json"] + Self.flags)
    let files = try json.json()["files"].array
    #expect(files.map { $0["duplicates"].int } == [1, nil, 2])
    #expect(files[1]["error"].string?.contains("can't be imported") == true)
    #expect(try json.json()["duplicates"].int == 3 && json.status == 65)
  }

  @Test func aFolderStandsForItsFiles() throws {
    let desk = try desk()
    try FileManager.default.createDirectory(
      atPath: "\(desk.folder)/bank/old", withIntermediateDirectories: true)
    _ = try desk.write("bank/b.CSV", "Day,Sum\n2026-02-02,1\n")
    _ = try desk.write("bank/a.txt", "Day,Sum\n2026-02-01,-5\n")
    _ = try desk.write("bank/letter.pdf", "%PDF")
    _ = try desk.write("bank/.hidden.csv", "Day,Sum\n2026-02-09,1\n")
    _ = try desk.write("bank/old/c.csv", "Day,Sum\n2026-02-09,1\n")
    let run = try desk.run(["import", "bank"] + Self.flags)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.dropLast().last == "Imported 2 transactions from 2 files.")
    #expect(run.output.contains("Ignored 2 other files (--verbose lists them)."))
    #expect(run.output.contains("Imported 1 transaction from bank/a.txt."))
    try FileManager.default.createDirectory(
      atPath: "\(desk.folder)/empty", withIntermediateDirectories: true)
    let empty = try desk.run(["import", "empty"] + Self.flags)
    #expect(
      empty.status == 66 && empty.errors.contains("Couldn't find a file to import"),
      "\(empty.errors)")
    let twice = try desk.run(["import", "bank", "bank/a.txt"] + Self.flags)
    #expect(twice.status == 64)
    let preview = try desk.run(["import", "bank", "--preview"])
    #expect(preview.status == 64 && preview.errors.contains("one file"))
  }

  @Test func aMappingFileIsReplacedWhenAskedFor() throws {
    let desk = try desk()
    _ = try desk.write("a.csv", "Day,Sum\n2026-02-01,-5\n")
    _ = try desk.write("bank.json", "precious")
    let kept = try desk.run("import a.csv --preview --account Cash --save-mapping bank.json")
    #expect(kept.status == 73 && kept.errors.contains("--force"), "\(kept.errors)")
    #expect(
      try String(contentsOfFile: "\(desk.folder)/bank.json", encoding: .utf8) == "precious")
    try desk.done("import a.csv --preview --account Cash --save-mapping bank.json --force")
    #expect(
      try desk.done("import a.csv --mapping bank.json").output.contains("Imported 1 transaction."))
    #expect(try desk.run("import a.csv --mapping bank.json --force").status == 64)
  }

  // MARK: Ctrl-C

  /// Starts an import, interrupts it after a while, and says how it ended.
  private func interrupted(
    _ desk: Desk, _ arguments: [String], input: Pipe? = nil, after: Duration
  ) async throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Desk.binary))
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: desk.folder)
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    try await Task.sleep(for: after)
    kill(process.processIdentifier, SIGINT)
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return (
      isSignal ? -process.terminationStatus : process.terminationStatus,
      String(decoding: text, as: UTF8.self)
    )
  }

  @Test func waitingForInputEndsAtOnce() async throws {
    let desk = try desk()
    let pipe = Pipe()
    let end = try await interrupted(
      desk, ["import", "-"] + Self.flags, input: pipe, after: .milliseconds(800))
    #expect(end.status == 130, "\(end.errors)")
    #expect(end.errors.contains("Interrupted. Nothing was recorded."))
    #expect(try count(desk) == 0)
  }

  @Test func whateverIsSaidIsTrue() async throws {
    let desk = try desk()
    var text = "Day,Sum,Text\n"
    for row in 0..<40_000 { text += "2026-0\(row % 9 + 1)-1\(row % 10),-\(row),Row \(row)\n" }
    _ = try desk.write("big.csv", text)
    var known = 0
    for wait in [60, 200, 350, 500, 700, 900, 1_200, 1_600] {
      let end = try await interrupted(
        desk, ["import", "big.csv"] + Self.flags, after: .milliseconds(wait))
      let now = try #require(try count(desk))
      if end.errors.contains("Nothing was recorded") {
        #expect(end.status == 130 && now == known)
      } else if end.errors.contains("after the last file was imported") {
        #expect(end.status == 130 && now == 40_000)
      } else if end.errors.contains("was imported before") {
        #expect(end.status == 130 && now == 40_000 && known == now)
      } else if end.status == -SIGINT {
        // It had not begun to watch.
        #expect(now == known)
      } else {
        #expect(end.status == 0 && now == 40_000, "\(end)")
      }
      known = now
    }
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
  }
}
