import DaybookEntities

/// A ledger's merge rules, prepared for fast lookups.
struct RuleTable: Sendable {
  let rules: MergeRules
  private let maps: [EntityKind: RegisterMap]
  private let plain = RegisterMap(KindRules())

  init(_ rules: MergeRules) {
    self.rules = rules
    maps = rules.kinds.mapValues { RegisterMap($0) }
  }

  /// Returns the register map of a kind.
  func map(of kind: EntityKind) -> RegisterMap { maps[kind] ?? plain }

  /// Returns the recording number of a kind's first entity.
  func firstNumber(of kind: EntityKind) -> UInt64 { map(of: kind).rules.firstNumber }

  /// Returns the current policy according to the current records.
  func policy(_ record: (EntityKey) -> Record?) -> MergePolicy {
    switch rules.policy {
    case .always(let policy): policy
    case .property(let key, let tag, let read): read(record(key)?[tag])
    }
  }

  /// Returns the function for the extent of a value if the register is the closing register.
  func extent(for register: Register, of key: EntityKey) -> (@Sendable ([UInt8]) -> Int64)? {
    guard let closing = rules.closing, closing.key == key, closing.register == register else {
      return nil
    }
    return closing.extent
  }

  /// Returns the policy for one register: the policy's own register is always merged with `last`.
  func policy(_ standing: MergePolicy, for register: Register, of key: EntityKey) -> MergePolicy {
    guard case .property(key, let tag, _) = rules.policy,
      map(of: key.kind).register(of: tag) == register
    else { return standing }
    return .last
  }
}
