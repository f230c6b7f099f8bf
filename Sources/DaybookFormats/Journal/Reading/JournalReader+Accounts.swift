import DaybookBookkeeping

extension JournalReader {
  /// Returns the account for a name as written in the file, after applying prefixes and aliases.
  mutating func account(_ range: Range<Int>) throws(JournalFault) -> Int {
    guard !range.isEmpty else {
      throw fault(
        range.lowerBound, .name, "A posting needs an account.",
        "Write the account, two spaces, and the amount.")
    }
    let (number, isNew) = written.number(range, in: text)
    if isNew { writtenAccounts.append(-1) }
    if writtenAccounts[number] < 0 {
      writtenAccounts[number] = matter.accounts.number(try name(range), line: line)
    }
    return writtenAccounts[number]
  }

  private func name(_ range: Range<Int>) throws(JournalFault) -> String {
    var name = Array(text[range])
    switch dialect {
    case .hledger:
      for prefix in prefixes.reversed() { name = prefix + name }
      for alias in aliases.reversed() where Self.isBelow(name, alias.old) {
        name = alias.new + name[alias.old.count...]
      }
    case .ledger:
      let first = name.prefix { $0 != UInt8(ascii: ":") }
      if let alias = aliases.last(where: { $0.old == name }) {
        name = alias.new
      } else if let alias = aliases.last(where: { $0.old.elementsEqual(first) }) {
        name = alias.new + name[first.count...]
      } else {
        for prefix in prefixes.reversed() { name = prefix + name }
      }
    }
    let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isFaulty =
      name.contains { $0 < 0x20 || $0 == 0x7F }
      || parts.contains { $0.allSatisfy { $0 <= 0x20 } || $0.count > Limits.nameByteCountMax }
    guard !isFaulty, name.count <= 1_000 else {
      throw fault(
        range.lowerBound, .name,
        "The account's name is too long, or a part of it is empty or has control characters.",
        "Separate names with “:”, as in Assets:Bank:Checking.")
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns whether an account equals another account or is below it.
  private static func isBelow(_ name: [UInt8], _ above: [UInt8]) -> Bool {
    name.starts(with: above)
      && (name.count == above.count || name[above.count] == UInt8(ascii: ":"))
  }
}
