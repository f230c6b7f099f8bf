import DaybookEntities

/// Column mappings saved in the ledger.
extension BookkeepingState {
  /// Adds or replaces a mapping.
  mutating func put(_ given: SavedMapping) throws(Refusal) -> Outcome {
    var mapping = given
    mapping.name = try checkedName(given.name, of: "the mapping")
    let what = "the mapping “\(mapping.name)”"
    guard !mapping.contents.isEmpty else {
      throw Refusal(.text, "\(what) is empty; give it the text of a mapping file")
    }
    try check(
      mapping.contents.utf8.count, "bytes", of: what, max: Limits.mappingByteCountMax)
    try check(
      max(mapping.look.header.count, mapping.look.columnCount), "columns", of: what,
      max: Limits.mappingColumnCountMax)
    let header = mapping.look.header.reduce(mapping.look.delimiter.utf8.count) {
      $0 + $1.utf8.count
    }
    try check(header, "bytes in its header", of: what, max: Limits.mappingByteCountMax)
    guard mapping.look.columnCount >= 0 else {
      throw Refusal(.value, "\(what) has a negative number of columns; give 0 or more")
    }
    let stored: Stored<SavedMapping>? =
      mapping.id == .unassigned ? nil : try stored(mapping.entityID)
    // The mapping's current account may have been closed since.
    if let account = mapping.account, account != stored?.entity.account {
      guard try usableAccount(account, []) != nil else {
        throw Refusal(
          .builtin, "\(what) can't use a built-in account; choose an account of the ledger",
          [account.rawValue])
      }
    }
    try checkUnique(mapping)
    if mapping.id == .unassigned { mapping.id = MappingID(newID()) }
    try emit(stored, mapping)
    return .entity(.mapping, mapping.entityID)
  }

  /// Refuses a name that another mapping already uses.
  mutating func checkUnique(_ mapping: SavedMapping) throws(Refusal) {
    let key = Folding.key(mapping.name)
    for other in try all(SavedMapping.self)
    where other.entity.id != mapping.id && Folding.key(other.entity.name) == key {
      throw Refusal(
        .duplicateName,
        "a mapping “\(other.entity.name)” already exists; rename it, or choose another name",
        [other.entity.entityID])
    }
  }
}
