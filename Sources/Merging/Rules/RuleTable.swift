import Entities

/// The rules of a ledger, as the fold looks them up.
struct RuleTable: Sendable {
  let rules: MergeRules
  private let maps: [EntityKind: RegisterMap]
  private let plain = RegisterMap(KindRules())

  init(_ rules: MergeRules) {
    self.rules = rules
    maps = rules.kinds.mapValues { RegisterMap($0) }
  }

  /// How records of a kind are taken apart.
  func map(of kind: EntityKind) -> RegisterMap { maps[kind] ?? plain }

  /// The recording number of a kind's first entity.
  func firstNumber(of kind: EntityKind) -> UInt64 { map(of: kind).rules.firstNumber }

  /// The policy that stands, given the records that stand.
  func policy(_ record: (EntityKey) -> Record?) -> MergePolicy {
    switch rules.policy {
    case .always(let policy): policy
    case .property(let key, let tag, let read): read(record(key)?[tag])
    }
  }

  /// How far values of a register close, where it is the one that closes.
  func extent(for register: Register, of key: EntityKey) -> (@Sendable ([UInt8]) -> Int64)? {
    guard let closing = rules.closing, closing.key == key, closing.register == register else {
      return nil
    }
    return closing.extent
  }

  /// The policy by which one register is merged: that of the policy itself is always `last`.
  func policy(_ standing: MergePolicy, for register: Register, of key: EntityKey) -> MergePolicy {
    guard case .property(key, let tag, _) = rules.policy,
      map(of: key.kind).register(of: tag) == register
    else { return standing }
    return .last
  }
}
