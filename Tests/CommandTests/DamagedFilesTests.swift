// Goal: `daybook verify` tells of damaged files, and is never ended by them itself.
// Method: files of a small ledger are cut off or changed; the process that does the check is ended from
// outside, as the operating system ends one that reads beyond the end of a file.
import Daybook
import Foundation
import Testing

@Suite struct DamagedFilesTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("sample sample --count 200 --years 1 --through 2026-02-15")
    try desk.done("accounts create Checking --opening 5000")
    try desk.run(["accounts", "create", "Credit card", "--kind", "liability"])
    try desk.done("rate import sample/rates.csv")
    try desk.done("import sample/household.csv --mapping sample/mapping.json")
    return desk
  }

  private func change(_ path: String, _ body: (inout Data) -> Void) throws {
    let file = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: file)
    body(&bytes)
    try bytes.write(to: file)
  }

  @Test func aSoundLedgerAgrees() throws {
    let desk = try desk()
    #expect(try desk.done("verify").output.contains("No problems found"))
    let report = try desk.done("verify --json").json()
    let decoded: VerifyReport = try report.decoded()
    #expect(decoded.isSound && decoded.commitCount > 4)
  }

  @Test func maintenanceVerifies() throws {
    let desk = try desk()
    let report: VerifyReport = try desk.done("verify --json").json().decoded()
    let maintained = try desk.done("maintain --json").json()
    #expect(try maintained["verified"].decoded(as: VerifyReport.self) == report)
    #expect(try desk.done("maintain").output.contains("No problems found"))
    #expect(try desk.done("maintain --skip-verify --json").json()["verified"].string == nil)
  }

  @Test func maintenanceFindsDamageAndIsNotEndedByIt() throws {
    let desk = try desk()
    // The content of pages, past their heads: nothing that LMDB would follow.
    try change("\(desk.ledger)/journal-0001/data.mdb") { bytes in
      for page in stride(from: 8_192, to: bytes.count, by: 4_096) { bytes[page + 4_000] ^= 0x11 }
    }
    let run = try desk.run("maintain")
    #expect(run.status == 2, "\(run.output)")
  }

  @Test func damagedPagesAreNamed() throws {
    for file in ["journal-0001/data.mdb", "views-0001/data.mdb"] {
      let desk = try desk()
      // The bounds of every page but the first two, which no program would survive that believes them.
      try change("\(desk.ledger)/\(file)") { bytes in
        for page in stride(from: 8_192, to: bytes.count, by: 4_096) { bytes[page + 13] ^= 0x70 }
      }
      let run = try desk.run("verify")
      #expect(run.status == 2)
      #expect(run.output.contains("DIFFERS") && run.output.contains(file), "\(run.output)")
      let report = try desk.run("verify --json")
      #expect(report.status == 2)
      #expect(try report.json()["findings"].array.count == 1)
    }
  }

  @Test func aFileThatWasCutOffIsRefused() throws {
    let desk = try desk()
    try change("\(desk.ledger)/journal-0001/data.mdb") { $0.removeLast($0.count / 2) }
    #expect(try desk.run("verify").status == 2)
    let list = try desk.run("list")
    #expect(list.status == 2 && list.errors.contains("Restore the ledger from a backup"))
    #expect(!list.errors.contains("delete") && !list.errors.contains("rebuilt"), "\(list.errors)")
    try change("\(desk.ledger)/journal-0001/data.mdb") { $0.removeAll() }
    #expect(try desk.run("verify").status == 2)
  }

  @Test func whatIsWrongBeforeTheCheckIsToldAsEver() throws {
    let desk = try Desk()
    let run = try desk.run("verify --json")
    #expect(run.status == 66)
    #expect(try run.error()["code"].string == "missing")
  }

  /// The child is ended by SIGSEGV as soon as there is one.
  @Test func anEndedCheckIsTold() throws {
    let desk = try desk()
    let binary = try #require(Desk.binary)
    let script = """
      "$1" verify --ledger "$2" $4 2>"$3" & parent=$!
      while kill -0 $parent 2>/dev/null; do
        child=$(cat /proc/$parent/task/*/children 2>/dev/null)
        if [ -n "$child" ]; then kill -SEGV $child; break; fi
      done
      wait $parent
      """
    for flag in ["", "--json"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      let errors = desk.folder + "/errors"
      process.arguments = ["-c", script, "bash", binary, desk.ledger, errors, flag]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 2)
      let text = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(text.contains("are damaged: the check was ended by signal 11 while"), "\(text)")
    }
  }

  /// Ended for another reason, nothing is said of the files.
  @Test func anInterruptedCheckAccusesNobody() throws {
    let desk = try desk()
    let binary = try #require(Desk.binary)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // A payee is another one in the views: to find where they differ, views are built beside them that are
    // larger than a file may be.
    try change("\(desk.ledger)/views-0001/data.mdb") { bytes in
      let payee = Data("旅館 山水".utf8)
      var from = bytes.startIndex
      while let found = bytes.range(of: payee, in: from..<bytes.endIndex) {
        bytes[found.upperBound - 1] ^= 1
        from = found.upperBound
      }
    }
    process.arguments = [
      "-c", "ulimit -f 16; exec \"$1\" verify --ledger \"$2\"", "bash", binary, desk.ledger,
    ]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 75 || process.terminationStatus == 74, "\(text)")
    #expect(!text.contains("damaged"), "\(text)")
  }
}
