// Goal: no command of a ledger is missing from scripts and simulations. Method: what a few thousand commands are of; each kind has
// to be among them, and accepted now and then.

import Daybook
import DaybookLedgerScripts
import Testing

@testable import DaybookTesting

@Suite struct EveryCommandIsWrittenTests {
  @Test func everyCommandIsWritten() {
    var (written, accepted): (Set<CommandKind>, Set<CommandKind>) = ([], [])
    for seed in 0..<60 as Range<UInt64> {
      var writer = ScriptWriter(seed: seed)
      for command in writer.beginnings() { try? writer.oracle.append([command]) }
      for _ in 0..<60 {
        for command in writer.group() {
          written.insert(CommandKind(command))
          if (try? writer.oracle.append([command])) != nil { accepted.insert(CommandKind(command)) }
        }
        writer.past += writer.oracle.transactions.suffix(3)
      }
    }
    let every = Set(CommandKind.allCases)
    #expect(every.subtracting(written) == [])
    #expect(every.subtracting(accepted) == [])
  }
}
