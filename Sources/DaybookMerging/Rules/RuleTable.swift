import DaybookEntities

/// The rules of a ledger, prepared for the fold's lookups.
struct RuleTable: Sendable {
  let rules: MergeRules
  private let maps: [EntityKind: RegisterMap]
  private let plain = RegisterMap(KindRules())

  init(_ rules: MergeRules) {
    self.rules = rules
    maps = rules.kinds.mapValues { RegisterMap($0) }
  }

  /// The registers of a kind's records.
  func map(of kind: EntityKind) -> RegisterMap { maps[kind] ?? plain }

  /// The recording number of a kind's first entity.
  func firstNumber(of kind: EntityKind) -> UInt64 { map(of: kind).rules.firstNumber }

  /// The current policy, read from the current records.
  func policy(_ record: (EntityKey) -> Record?) -> MergePolicy {
    switch rules.policy {
    case .always(let policy): policy
    case .property(let key, let tag, let read): read(record(key)?[tag])
    }
  }

  /// How far values of a register close the ledger, if it is the closing register.
  func extent(for register: Register, of key: EntityKey) -> (@Sendable ([UInt8]) -> Int64)? {
    guard let closing = rules.closing, closing.key == key, closing.register == register else {
      return nil
    }
    return closing.extent
  }

  /// The policy for one register: the register of the policy itself is always merged by `last`.
  func policy(_ standing: MergePolicy, for register: Register, of key: EntityKey) -> MergePolicy {
    guard case .property(key, let tag, _) = rules.policy,
      map(of: key.kind).register(of: tag) == register
    else { return standing }
    return .last
  }
}
