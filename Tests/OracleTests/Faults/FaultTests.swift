/// Goal: the comparison would notice. Method: each named fault is put into a projection, and scripts
/// are played until one shows a difference; without the fault the same scripts pass.
import Daybook
import DaybookEngine
import DaybookLedgerScripts
import Testing

@testable import DaybookTesting

/// A fault by its name.
struct NamedFault: Sendable, CustomTestStringConvertible {
  var name: String
  var projection: any StandIn.Type
  /// A script that shows the fault, if random scripts seldom do.
  var script: Script?

  var testDescription: String { name }

  static let all: [NamedFault] = [
    NamedFault(name: "an index entry left behind", projection: Faulty<IndexEntryLeftBehind>.self),
    NamedFault(name: "a sign turned", projection: Faulty<SignTurned>.self),
    NamedFault(name: "a day bucket missed", projection: Faulty<DayBucketMissed>.self),
    NamedFault(name: "a month bucket missed", projection: Faulty<MonthBucketMissed>.self),
    NamedFault(
      name: "a count not decremented on deletion", projection: Faulty<CountNotDecremented>.self),
    NamedFault(
      name: "the caller's value subtracted", projection: Faulty<CallersValueSubtracted>.self),
    NamedFault(
      name: "the target of a transfer not listed", projection: Faulty<TransferTargetNotListed>.self),
    NamedFault(
      name: "a move between categories not followed",
      projection: Faulty<CategoryMoveNotFollowed>.self),
    NamedFault(name: "an opening counted twice", projection: Faulty<OpeningCountedTwice>.self),
    NamedFault(name: "a future row counted", projection: Faulty<FutureRowCounted>.self),
    NamedFault(name: "a change of type not followed", projection: Faulty<TypeNotFollowed>.self),
    NamedFault(name: "a rate not removed", projection: Faulty<RateNotRemoved>.self),
    NamedFault(name: "an occurrence left behind", projection: Faulty<OccurrenceLeftBehind>.self),
    NamedFault(
      name: "a moved category overlooked by budgets",
      projection: FaultyBudgets<MovedCategoryOverlooked>.self,
      script: weekly(.amendCategory(bread, CategoryChange(parent: .some(food))))),
    NamedFault(
      name: "another first weekday overlooked by budgets",
      projection: FaultyBudgets<FirstWeekdayOverlooked>.self,
      script: weekly(.setSettings(SettingsChange(firstWeekday: 7)))),
    NamedFault(
      name: "a deletion overlooked by budgets", projection: FaultyBudgets<DeletionOverlooked>.self),
    NamedFault(
      name: "the periods of a changed budget kept", projection: FaultyBudgets<OldPeriodsKept>.self),
    NamedFault(name: "a payee's old row left behind", projection: Faulty<PayeeLeftBehind>.self),
    NamedFault(name: "an old text left in the index", projection: Faulty<OldTextLeft>.self),
    NamedFault(name: "a move of days not indexed", projection: Faulty<DayNotIndexed>.self),
    NamedFault(name: "the last letters not indexed", projection: Faulty<LastLettersMissed>.self),
    NamedFault(name: "a change of status not indexed", projection: Faulty<StatusNotFollowed>.self),
    NamedFault(
      name: "the greatest amount not indexed", projection: Faulty<GreatestAmountMissed>.self),
  ]

  private static let food = CategoryID(EntityID(high: 50, low: 1))
  private static let bread = CategoryID(EntityID(high: 50, low: 2))

  /// A weekly budget of food, and expenses for food and bread on a Sunday; then another command.
  private static func weekly(_ command: Command) -> Script {
    Script(
      seed: 0,
      steps: [
        .append([
          .createCategory(NewCategory(id: food, name: "Food", kind: .expense)),
          .createCategory(NewCategory(id: bread, name: "Bread", kind: .expense)),
          .putBudget(
            Budget(name: "Food", categories: [food], amount: Money(1, .eur), period: .weekly)),
          .record(.expense(Money(5, .eur), category: food, on: ScriptWriter.today)),
          .record(.expense(Money(7, .eur), category: bread, on: ScriptWriter.today)),
        ]),
        .append([command]),
      ])
  }

  /// The built-in projections with the faulty one in place of the right one.
  var builtins: [any Projection.Type] {
    Ledger.projections.map { $0 == projection.standsFor ? projection : $0 }
  }
}

/// The first scripts that any fault is looked for in.
private let seeds = 0..<UInt64(2000)

@Suite("Oracle: faults") struct FaultTests {
  @Test("A fault is noticed", arguments: NamedFault.all)
  func noticed(_ fault: NamedFault) async {
    #expect(fault.builtins.contains { $0 == fault.projection })
    for seed in seeds where seed % 20 != 0 {
      let script = fault.script ?? Script(seed: seed, stepCount: 20, onDisk: false)
      do {
        try await Player.play(script, onDisk: false, builtins: fault.builtins)
      } catch is Difference {
        await right(script)
        return
      } catch {
        Issue.record("instead of a difference: \(error)")
        return
      }
      if fault.script != nil { break }
    }
    Issue.record("\(fault.name) goes unnoticed in scripts \(seeds)")
  }

  /// Without a fault the script passes.
  private func right(_ script: Script) async {
    do {
      try await Player.play(script, onDisk: false)
    } catch {
      let (shorter, found) = await script.shrunk(onDisk: false, from: error)
      Issue.record("seed \(script.seed) fails without a fault too: \(found)\n\(shorter)")
    }
  }
}
