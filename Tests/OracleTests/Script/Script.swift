/// Goal: sequences of everything that can happen to a ledger, reproducible from a seed. Method: the
/// oracle alone says what there is to be changed while a script is made; some commands are wrong on
/// purpose.
import Daybook
import DaybookLedgerScripts
import DaybookSampleData

@testable import DaybookTesting

/// One step of a script.
enum ScriptStep: Hashable {
  /// Commands as one commit.
  case append([Command])
  /// The same with an idempotency key, and once more.
  case appendTwice([Command], key: String)
  /// Several appends at once, in any order.
  case appendTogether([[Command]])
  /// Commands that expect the commit before the newest to be the newest.
  case appendStale([Command])
  /// Closes and opens the ledger again.
  case reopen
  /// The same, with the views of an earlier time, as if a process had died between its two commits.
  case reopenWithOldViews
  /// The same, with the views deleted between.
  case reopenWithoutViews
  /// Makes the views anew.
  case rebuild
  /// Asks everything as of an earlier commit: of those there were, this one, counted round.
  case timeTravel(Int)
  /// Takes back the newest commit.
  case undoNewest
  /// Takes back an earlier commit, and then that again.
  case undoTwice(Int)
  /// Lets go of all but so many commits.
  case purge(keeping: Int)
  /// Does something with a consumer of history.
  case consumer(ConsumerStep)
  /// Makes the journal anew without free pages.
  case compact
  /// Takes the personal text of something out of everything.
  case erase(Int)
  /// Deletes some transaction and brings it back.
  case deleteAndRestore(Int)
}

/// What is done to a ledger, step by step.
struct Script {
  var seed: UInt64
  var steps: [ScriptStep]

  /// A script that depends on the seed alone.
  ///
  /// - Parameter onDisk: whether the ledger can be reopened.
  init(seed: UInt64, stepCount: Int, onDisk: Bool) {
    self.seed = seed
    var writer = ScriptWriter(seed: seed)
    steps = [.append(writer.beginnings())]
    writer.take(steps[0])
    for index in 0..<stepCount {
      var step = writer.step(index)
      if onDisk, writer.random.chance(25) {
        step = writer.random.pick([
          .reopen, .reopen, .reopenWithOldViews, .reopenWithOldViews, .reopenWithoutViews, .rebuild,
        ])
      } else if writer.random.chance(2) {
        step = .rebuild
      } else if writer.random.chance(20) {
        step = writer.random.pick([
          .timeTravel(index &* 7_919), .undoNewest, .undoNewest, .undoTwice(index &* 104_729),
          .purge(keeping: writer.random.number(0...6)),
          .purge(keeping: writer.random.number(0...2)), .compact, .erase(index &* 31_337),
          .deleteAndRestore(index &* 17), .deleteAndRestore(index &* 23),
        ])
      } else if writer.random.chance(20) {
        step = .consumer(.random(&writer.random))
      }
      writer.take(step)
      steps.append(step)
    }
  }

  init(seed: UInt64, steps: [ScriptStep]) {
    self.seed = seed
    self.steps = steps
  }
}

extension Script: CustomStringConvertible {
  var description: String {
    "seed \(seed)\n"
      + steps.enumerated().map { index, step in "  \(index): \(terse("\(step)"))" }
      .joined(separator: "\n")
  }
}

/// The description of commands without what says nothing.
func terse(_ text: String) -> String {
  text.replacing("Bookkeeping.", with: "")
    .replacing("00000000-0000-0007-0000-0000000", with: "#")
    .replacing(/x{99,}/, with: "x…")
    .replacing(/, \w+: (nil|""|\[\])/, with: "")
}

extension ScriptWriter {
  mutating func take(_ step: ScriptStep) {
    switch step {
    case .append(let commands), .appendTwice(let commands, _): try? oracle.append(commands)
    case .appendTogether(let groups): for group in groups { try? oracle.append(group) }
    default: break
    }
    past += oracle.transactions.suffix(3)
  }

  mutating func step(_ index: Int) -> ScriptStep {
    if random.chance(12) {
      return .appendTogether((0..<random.number(2...5)).map { _ in group() })
    }
    let commands = group()
    switch random.number(0...99) {
    case 0..<7: return .appendTwice(commands, key: "key \(index)")
    case 7..<10: return .appendStale(commands)
    default: return .append(commands)
    }
  }
}
