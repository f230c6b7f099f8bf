import DaybookMerging
import DaybookRandom

/// One seed: replicas that record, a network that loses, repeats and delays, and a relay between them.
///
/// After whatever happens to a replica, its fold is compared with the naive model of the log it has and
/// of what it has pending.
struct Simulation {
  /// What went wrong, and the log that shows it.
  struct Failure: Error {
    var description: String
    var example: Counterexample?
  }

  /// A message under way.
  private enum Message {
    case push([ReplicaCommit])
    case pulled([LogEntry], by: Int)
  }

  let seed: UInt64
  let rules: MergeRules
  /// Whether the fold under test is compared with the model, or only its books are looked at.
  var comparesWithModel = true
  private let subject: @Sendable (MergeRules) -> any FoldSubject
  private let model: NaiveModel
  private let isCalm: Bool
  private var numbers: SeededGenerator
  private var relay = SimulatedRelay()
  private var replicas: [SimulatedReplica] = []
  private var network: [Message] = []
  private var now: Int64 = 2_000_000_000_000_000
  private var names: UInt64 = 0
  private var known: [Int: NaiveState] = [:]

  /// How often something came about, by name: to see that a seed does what it is meant to.
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64, subject: @escaping @Sendable (MergeRules) -> any FoldSubject) {
    self.seed = seed
    self.subject = subject
    numbers = SeededGenerator(seed: seed)
    let policies: [PolicySource] = [
      .always(.last), .always(.last), .always(.first), .always(.firstAndTell),
      .property(Domain.settings, tag: 1, read: Domain.policy),
    ]
    rules = Domain.rules(numbers.pick(policies))
    model = NaiveModel(rules: rules)
    isCalm = numbers.happens(0.5)
    for _ in 0..<Int.random(in: 2...5, using: &numbers) { join() }
  }

  /// Lets things happen, then lets the network heal, and checks all along.
  mutating func run(steps: Int = 90) throws(Failure) {
    for _ in 0..<steps { try step() }
    try settle()
    try checkRest()
  }

  private mutating func join() {
    let decade: Int64 = 315_576_000_000_000
    let error = numbers.pick([
      0, 0, Int64.random(in: -50...50, using: &numbers), decade, -decade,
      Int64.random(in: -decade...decade, using: &numbers),
    ])
    replicas.append(SimulatedReplica(name: freshName(), clockError: error, subject: subject(rules)))
  }

  private mutating func freshName() -> ReplicaID {
    names += 1
    // Not in the order of their making, so that the order of names has no meaning.
    return ReplicaID(rawValue: names &* 0x9E37_79B9_7F4A_7C15 >> 48)
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  private mutating func step() throws(Failure) {
    now += numbers.pick([0, 0, 1, 40])
    let index = Int.random(in: 0..<replicas.count, using: &numbers)
    switch Int.random(in: 0..<100, using: &numbers) {
    case 0..<27: try record(index)
    case 27..<42:
      push(index)
      try calm()
    case 42..<60:
      pull(index)
      try calm()
    case 60..<85: try deliver()
    case 85..<89: replicas[index].disk = replicas[index].memory
    case 89..<91:
      count("crash")
      replicas[index].memory = replicas[index].disk
    case 91..<94: replicas[index].backups.append(replicas[index].disk)
    case 94..<97: try restore(index)
    default: try moveFloor()
    }
  }

  private mutating func record(_ index: Int) throws(Failure) {
    let sees = model.state(of: replicas[index].memory.log, pending: replicas[index].memory.pending)
    var changes: [EntityChange] = []
    if numbers.happens(0.15) { changes += Domain.absorption(sees, &numbers) ?? [] }
    for _ in 0..<numbers.pick([1, 1, 1, 2, 3]) {
      guard let change = Domain.change(sees, &numbers),
        !changes.contains(where: { $0.key == change.key })
      else { continue }
      changes.append(change)
    }
    if changes.isEmpty { return }
    if numbers.happens(0.05) { replicas[index].clockError = 0 }
    replicas[index].memory.record(
      changes, hasIndependentChanges: numbers.happens(0.2), clock: now + replicas[index].clockError)
    if numbers.happens(0.8) { replicas[index].disk = replicas[index].memory }
    count("record")
    if changes.contains(where: \.isErasure) { count("erasure") }
    try check(index)
  }

  private mutating func push(_ index: Int) {
    let pending = replicas[index].disk.pending
    if pending.isEmpty { return }
    send(.push(Array(pending.prefix(Int.random(in: 1...pending.count, using: &numbers)))))
  }

  private mutating func pull(_ index: Int) {
    let page = Int.random(in: 1...6, using: &numbers)
    let entries = relay.pull(after: replicas[index].memory.head, count: page)
    if !entries.isEmpty { send(.pulled(entries, by: index)) }
  }

  private mutating func send(_ message: Message) {
    for _ in 0..<numbers.pick([0, 1, 1, 1, 1, 2]) { network.append(message) }
  }

  /// In a calm seed most messages arrive before anything else happens.
  private mutating func calm() throws(Failure) {
    if isCalm && numbers.happens(0.8) { try deliver() }
  }

  private mutating func deliver() throws(Failure) {
    guard !network.isEmpty else { return }
    switch network.remove(at: Int.random(in: 0..<network.count, using: &numbers)) {
    case .push(let commits): relay.push(commits, at: now)
    case .pulled(let entries, let index): try take(entries, index)
    }
  }

  private mutating func take(_ entries: [LogEntry], _ index: Int) throws(Failure) {
    let name = replicas[index].memory.name
    let fresh = freshName()
    replicas[index].memory.take(entries) { fresh }
    if replicas[index].memory.name != name { count("rename") }
    if numbers.happens(0.6) { replicas[index].disk = replicas[index].memory }
    try check(index)
  }

  /// An old copy comes back: in the place of its replica, or beside it.
  private mutating func restore(_ index: Int) throws(Failure) {
    guard let backup = replicas[index].backups.popLast() else { return }
    count("restore")
    if numbers.happens(0.5), replicas.count < 7 {
      var copy = replicas[index]
      copy.memory = backup
      copy.disk = backup
      copy.backups = []
      replicas.append(copy)
      try check(replicas.count - 1)
    } else {
      replicas[index].memory = backup
      replicas[index].disk = backup
      try check(index)
    }
  }

  /// Moves the floor as far as every replica has acknowledged, or less.
  private mutating func moveFloor() throws(Failure) {
    if isCalm {
      // All were there today.
      for index in replicas.indices where numbers.happens(0.9) { try exchange(index) }
      for index in replicas.indices { replicas[index].disk = replicas[index].memory }
    }
    if numbers.happens(0.7) { for index in replicas.indices { replicas[index].backups = [] } }
    let least = replicas.flatMap(\.states).map(\.leastBase).min() ?? 0
    if least > relay.floor { count("floor") }
    relay.move(floor: numbers.happens(0.7) ? least : least / 2, at: now)
  }

  // MARK: Rest

  /// The network heals: three exchanges of each replica with the relay are to be enough.
  private mutating func settle() throws(Failure) {
    while !network.isEmpty { try deliver() }
    for _ in 0..<3 {
      for index in replicas.indices { try exchange(index) }
    }
    for index in replicas.indices {
      try take(relay.pull(after: replicas[index].memory.head, count: .max), index)
    }
  }

  private mutating func exchange(_ index: Int) throws(Failure) {
    relay.push(replicas[index].memory.pending, at: now)
    try take(relay.pull(after: replicas[index].memory.head, count: .max), index)
  }

  private mutating func checkRest() throws(Failure) {
    let states = replicas.map { $0.memory.subject.local($0.memory.pending) }
    for (replica, state) in zip(replicas, states) {
      guard replica.memory.pending.isEmpty, replica.memory.head == relay.head else {
        throw Failure(
          description: "seed \(seed): \(replica.memory.name.rawValue) is not at rest, having "
            + "\(replica.memory.head) of \(relay.head) and \(replica.memory.pending.count) pending")
      }
      guard state == states[0] else {
        throw Failure(description: "seed \(seed): two replicas at rest differ")
      }
    }
    guard comparesWithModel else { return }
    let lost = unaccounted(relay.log, states[0], rules)
    guard lost.isEmpty else {
      throw Failure(
        description: "seed \(seed): lost without a word: \(lost)",
        example: Counterexample(log: relay.log, pending: []))
    }
    count("commit", by: relay.log.count)
    for id in states[0].findings.keys { count("\(id.rule)") }
    for change in states[0].held.values.joined() {
      count("held")
      if change.last.number > change.id.number { count("joined") }
    }
  }

  private mutating func count(_ what: String, by more: Int) { counts[what, default: 0] += more }

  // MARK: Comparing

  private mutating func check(_ index: Int) throws(Failure) {
    let state = replicas[index].memory
    let expected = known[state.log.count] ?? model.state(of: state.log)
    known[state.log.count] = expected
    let local =
      state.pending.isEmpty ? expected : model.state(of: state.log, pending: state.pending)
    let found = state.subject.local(state.pending)
    try checkBooks(found)
    if !comparesWithModel || state.subject.confirmed() == expected && found == local { return }
    throw Failure(
      description: "seed \(seed): the fold differs from the model",
      example: Counterexample(log: state.log, pending: state.pending))
  }

  private func checkBooks(_ state: NaiveState) throws(Failure) {
    let unbalanced = Domain.unbalanced(state).map { brief($0) }
    guard unbalanced.isEmpty else {
      throw Failure(description: "seed \(seed): not balanced: \(unbalanced)")
    }
    let cyclic = Domain.cyclic(state).map { brief($0) }
    guard cyclic.isEmpty else {
      throw Failure(description: "seed \(seed): folders above themselves: \(cyclic)")
    }
  }
}
