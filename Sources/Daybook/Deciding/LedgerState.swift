internal import DaybookEngine

/// The state that Bookkeeping's decisions read and change.
///
/// It combines the engine's context with cached entities, and the projections' tables with the
/// pending changes.
///
/// Not `Sendable`: it exists for one decision, on the writer's thread.
struct LedgerState: BookkeepingState {
  let context: DecisionContext
  let memory: LedgerMemory

  init(_ context: DecisionContext) throws {
    self.context = context
    memory = try LedgerMemory.current(context)
    if memory.pending?.isCurrent(context) != true { memory.pending = PendingIndex(context) }
  }

  func record(_ kind: EntityKind, _ id: EntityID) throws -> (record: Record, number: UInt64)? {
    try context.entity(kind, id).map { ($0.record, $0.number) }
  }

  func records(_ kind: EntityKind) throws -> [(id: EntityID, number: UInt64, record: Record)] {
    if kind == .rule, let known = memory.rules { return known }
    var found: [(id: EntityID, number: UInt64, record: Record)] = []
    try context.forEachEntity(kind) { found.append(($0.id, $0.number, $0.record)) }
    found.sort { $0.number < $1.number }
    if kind == .rule { memory.rules = found }
    return found
  }

  func accounts() -> [Account] { memory.allAccounts() }
  func categories() -> [Category] { memory.allCategories() }
  func account(_ id: AccountID) -> Account? { memory.accounts[id] }
  func category(_ id: CategoryID) -> Category? { memory.category(id) }
  func settings() -> LedgerSettings { memory.settings }
  func accounts(numbered key: String) -> [Account] { memory.accounts(numbered: key) }
  func account(named name: String) -> Account? { memory.account(named: name) }

  func category(named name: String, kind: CategoryKind, parent: CategoryID?) -> Category? {
    memory.category(named: name, kind: kind, parent: parent)
  }

  func nextNumber(_ kind: EntityKind) throws -> UInt64 { try context.nextNumber(kind) }

  func number(
    ofInserted kind: EntityKind, _ id: EntityID, former: UInt64?
  ) throws -> UInt64 {
    try context.number(ofInserted: kind, id, former: former)
  }

  func newID() -> EntityID { context.newID() }

  func apply(_ change: Change) throws {
    try context.apply(change)
    try memory.take(change)
  }

  func expect(changeCount: Int) { context.expect(changeCount: changeCount) }
}
