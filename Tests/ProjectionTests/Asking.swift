// Goal: the other files ask random questions of random ledgers. Method: seeded changes go through a real
// event store in batches; a question is put to the projections as a selection.

import Daybook
import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookProjections
import DaybookRandom

/// Random changes in batches, and a look after each batch, and after a rebuild.
func withStore(
  seed: UInt64, batches: Int, size: Int, _ check: (World, borrowing View) throws -> Void
) async throws {
  let store = try await EventStore.ephemeral(
    schema: Ledger.schema, projections: Ledger.projections)
  let world = World(seed: seed)
  var changes = world.founding()
  for _ in 0..<batches {
    for _ in 0..<size { changes.append(world.step()) }
    let batch = changes
    _ = try await store.append { context in for change in batch { try context.apply(change) } }
    changes = []
    try store.read { view in try check(world, view) }
  }
  try await store.rebuild()
  try store.read { view in try check(world, view) }
  try await store.close()
}

extension World {
  func range() -> Range<Day> {
    let one = day()
    let other = day()
    return min(one, other)..<max(one, other).adding(days: random.chance(50) ? 1 : 0)
  }

  func question() -> Question {
    var question = Question()
    let conditions = [1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &random)]
    for _ in 0..<conditions {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: question.account = accounts[Int.random(in: 0..<6, using: &random)].id
      case 2: question.categories = [categories[Int.random(in: 0..<7, using: &random)].id]
      case 3: question.categories = categories[0..<4].map(\.id) + [.uncategorizedExpense]
      case 4: question.type = TransactionType.allCases[Int.random(in: 0..<3, using: &random)]
      case 5: question.currency = Currency.all[Int.random(in: 0..<3, using: &random)]
      case 6: question.text = "\(Int.random(in: 0..<10, using: &random))"
      default: break
      }
    }
    if random.chance(40) { question.days = range() }
    return question
  }
}

extension Question {
  func selection(_ view: borrowing View) throws -> Selection {
    let text = text
    let matches: ((RawSpan) throws -> Bool)? = text.map { text in
      { record in
        let id = EntityID(high: 0, low: 0)
        return try Transaction(record, id: id, number: 0).description.contains(text)
      }
    }
    return try Selection(
      accounts: account.map { [$0] }, categories: categories, type: type, currency: currency,
      days: days, in: view, matches: matches)
  }
}
