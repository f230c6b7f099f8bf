// Goal: `info` and `verify` name missing commits and exit with the status for damage, recording is refused, and
// `recover` lists the changes, records them again, and says so in history.
// Method: the journal's file is replaced with an older copy between two commands, or before several that run at once.
import ChildPrograms
import Foundation
import Testing

@Suite struct RecoverTests {
  /// A ledger whose journal lacks the last two commits.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash --opening 100")
    try desk.done("categories create Food")
    try desk.done("add expense 5 --category Food --account Cash --on 2026-02-01")
    let journal = desk.ledger + "/journal-0001/data.mdb"
    let kept = desk.folder + "/kept"
    try FileManager.default.copyItem(atPath: journal, toPath: kept)
    try desk.done("add expense 7 --category Food --account Cash --on 2026-02-02")
    try desk.done("accounts create Savings")
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: kept, toPath: journal)
    return desk
  }

  @Test func missingCommitsAreNamedAndNothingIsRecorded() throws {
    let desk = try desk()
    let balance = try desk.done("balance --json --today 2026-03-01").json()
    for _ in 0..<2 {
      let info = try desk.run("info")
      #expect(info.status == 2)
      #expect(info.output.contains("run `daybook recover`"), "\(info.output)")
      let verify = try desk.run("verify")
      #expect(verify.status == 2)
      #expect(verify.output.contains("The journal lacks commits "), "\(verify.output)")
      let refused = try desk.run(
        "add expense 9 --category Food --account Cash --on 2026-02-03 --json")
      #expect(refused.status == 2)
      #expect(try refused.error()["code"].string == "missingCommits")
      #expect(
        try refused.error()["remedy"].string?.contains("daybook recover") == true,
        "\(refused.errors)")
    }
    #expect(try desk.run("recover").status == 2)
    let after = try desk.done("balance --json --today 2026-03-01").json()
    #expect(after.text == balance.text, "reads answer")
    let told = try desk.run("balance --today 2026-03-01")
    #expect(
      told.status == 0 && told.errors.contains("The journal lacks commits "), "\(told.errors)")
  }

  @Test func theChangesAreListedAndRecordedAgain() throws {
    let desk = try desk()
    let listed = try desk.run("recover --from-views")
    #expect(listed.status == 2)
    #expect(listed.output.contains("recorded 2026-02-02#2: Cash, -7.00 EUR, Food"), "\(listed)")
    #expect(listed.output.contains("created account Savings"), "\(listed)")
    let done = try desk.done("recover --from-views --accept-loss")
    #expect(done.output.contains("Accepted the loss of commits "), "\(done.output)")
    #expect(done.output.contains("Recorded 2 changes again."), "\(done.output)")
    let history = try desk.done("history --limit 1")
    #expect(history.output.contains("accepted the loss of commits "), "\(history.output)")
    #expect(try desk.done("list").output.contains("-7.00"))
    #expect(try desk.done("verify").status == 0)
    #expect(try desk.done("info").status == 0)
    try desk.done("add expense 9 --category Food --account Savings --on 2026-02-03")
    #expect(try desk.done("recover").output == "No commits are missing.\n")
  }

  /// Several processes notice the loss at once, and several accept it, while others read and record.
  @Test(arguments: 0..<3) func severalProcessesRecoverAtOnce(_ round: Int) async throws {
    let desk = try desk()
    // The first round also finds the loss at once.
    if round > 0 { #expect(try desk.run("info").status == 2) }
    let binary = try #require(Desk.binary)
    let (folder, ledger) = (desk.folder, desk.ledger)
    let recover = ["recover", "--from-views", "--accept-loss"]
    let add = ["add", "expense", "1", "--category", "Food", "--account", "Cash"]
    let commands =
      [recover, recover, recover] + (1...3).map { add + ["--on", "2026-03-0\($0)"] }
      + [["balance"], ["history"]]
    let runs = try await withThrowingTaskGroup(of: (Int, Int32, String).self) { tasks in
      for (index, words) in commands.enumerated() {
        let output = "\(folder)/output-\(index)"
        tasks.addTask {
          let status = ChildProgram.run(
            binary, words + ["--ledger", ledger], output: output)
          return (index, status, try String(contentsOfFile: output, encoding: .utf8))
        }
      }
      return try await tasks.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
    let recovered = runs.prefix(3)
    #expect(recovered.allSatisfy { $0.1 == 0 }, "\(runs)")
    #expect(recovered.count { $0.2.contains("Accepted the loss of commits ") } == 1, "\(runs)")
    #expect(
      recovered.count { $0.2.contains("No commits are missing.") } == 2, "\(runs)")
    // Each expense was recorded or refused.
    let added = runs[3..<6]
    #expect(
      added.allSatisfy { $0.1 == 0 || $0.1 == 2 && $0.2.contains("The journal lacks") }, "\(runs)")
    #expect(runs[6...].allSatisfy { $0.1 == 0 }, "\(runs)")
    #expect(
      try desk.done("list --from 2026-03-01 --count").output == "\(added.count { $0.1 == 0 })\n")
    #expect(try desk.done("list --from 2026-02-02 --through 2026-02-02 --count").output == "1\n")
    #expect(try desk.done("accounts").output.split(separator: "Savings").count == 2)
    let history = try desk.done("history --limit 100").output
    #expect(history.split(separator: "accepted the loss").count == 2, "\(history)")
    #expect(try desk.done("verify").output.contains("No problems found"))
  }

  @Test func theLossIsAccepted() throws {
    let desk = try desk()
    #expect(try desk.done("recover --accept-loss --json").json()["isAccepted"].bool == true)
    #expect(try !desk.done("list").output.contains("7.00"))
    #expect(try desk.done("verify").status == 0)
    try desk.done("add expense 9 --category Food --account Cash --on 2026-02-03")
  }
}
