/// Goal: reimplement saved mappings. Method: follow the documentation of `SavedMapping` and its
/// commands.
import Daybook

extension Oracle {
  mutating func put(_ given: SavedMapping) throws {
    var mapping = given
    let old = mappings.firstIndex { $0.id == mapping.id }
    do {
      mapping.name = try checkedName(given.name)
      try check(!mapping.contents.isEmpty, nil)
      if let account = mapping.account, old.map({ mappings[$0].account }) != account {
        try check(try usable(account, []) != nil, nil)
      }
      let name = fold(mapping.name)
      try check(!mappings.contains { $0.id != mapping.id && fold($0.name) == name }, nil)
    } catch { throw OracleRefusal(nil) }
    if let old {
      mapping.number = mappings[old].number
      mappings[old] = mapping
    } else {
      mapping.number = number(.mapping)
      mappings.append(mapping)
    }
  }

  mutating func removeMapping(_ id: MappingID) throws {
    try check(mappings.contains { $0.id == id }, .missing)
    mappings.removeAll { $0.id == id }
  }
}
