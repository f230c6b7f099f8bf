import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// The values that a replica stores in addition to State; they are saved in the journal, together
/// with the journal's commits (``SideKey``).
struct SideValues<Source: MergeSource> {
  let source: Source

  private var partByteCount: Int { 1_900 }

  // MARK: One value

  /// Returns the value of a key.
  func value(_ key: [UInt8]) throws -> [UInt8]? {
    guard var whole = try source.value(SideKey.part(0, of: key)) else { return nil }
    var part = whole
    var number: UInt16 = 0
    while part.count == partByteCount {
      number += 1
      part = try source.value(SideKey.part(number, of: key)) ?? []
      whole += part
    }
    return whole
  }

  /// Calls `body` with each value whose key starts with the given letter, in ascending order of
  /// keys, until it returns `false`.
  ///
  /// - Parameter start: The lowest key; `nil` to start at the first key.
  func forEach(
    _ letter: UInt8, from start: [UInt8]? = nil,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    var key: [UInt8] = []
    var value: [UInt8] = []
    var goesOn = true
    try source.forEachValue(prefix: [letter], from: start) { found, part in
      let whole = Array(found.dropLast(2))
      if whole == key {
        value += part
        return true
      }
      if !key.isEmpty { goesOn = try body(key, value) }
      (key, value) = (whole, part)
      return goesOn
    }
    if goesOn, !key.isEmpty { _ = try body(key, value) }
  }

  // MARK: Contents

  /// This copy's last commit in the log; its number is 0 if the log has none.
  var lastPlaced: ReplicaCommit.Continuation {
    get throws {
      guard let value = try value(SideKey.acknowledged) else { throw ReplicaFault.incomplete }
      var reader = ByteReader(value)
      let number = try reader.varint()
      return ReplicaCommit.Continuation(
        replica: ReplicaID(rawValue: try reader.u64be()), number: number)
    }
  }

  /// The names under which this copy has recorded.
  ///
  /// A merge saves the names that the journal has had since the previous merge. Commits recorded
  /// between two merges belong to this copy, regardless of their names.
  var names: OwnNames {
    get throws {
      guard let value = try value(SideKey.names) else { throw ReplicaFault.incomplete }
      var names = try OwnNames(value)
      let present = ReplicaID(rawValue: try source.replica)
      if names.present == present { return names }
      let start = try bases.last?.from ?? 1
      try source.forEachCommit(after: start - 1, through: nil, reversed: false) { view in
        let name = ReplicaID(rawValue: view.replica)
        if name != names.present { names.rename(to: name, after: view.sequence - 1) }
        return true
      }
      if names.present != present { names.rename(to: present, after: try source.head) }
      return names
    }
  }

  /// The log's end at the pulled position, without entities.
  ///
  /// - Throws: ``ReplicaFault/incomplete``.
  var end: Folded {
    get throws {
      guard let end = try value(SideKey.end) else { throw ReplicaFault.incomplete }
      var folded = Folded()
      try folded.readEnd(end)
      return folded
    }
  }

  /// The bases of this copy's commits, each with the first commit to which it applies, in ascending
  /// order.
  var bases: [(from: UInt64, position: UInt64)] {
    get throws {
      var list: [(from: UInt64, position: UInt64)] = []
      try forEach(SideKey.bases) { key, value in
        var from = ByteReader(key)
        _ = try from.u8()
        var position = ByteReader(value)
        list.append((try from.u64be(), try position.varint()))
        return true
      }
      return list
    }
  }
}

extension SideValues where Source == MergeContext {
  /// Sets the value of a key; `nil` removes it.
  func put(_ value: [UInt8]?, under key: [UInt8]) throws {
    var number: UInt16 = 0
    if var rest = value?[...] {
      while true {
        source.put(Array(rest.prefix(partByteCount)), under: SideKey.part(number, of: key))
        let isFull = rest.count >= partByteCount
        rest = rest.dropFirst(partByteCount)
        number += 1
        if !isFull { break }
      }
    }
    while try source.value(SideKey.part(number, of: key)) != nil {
      source.put(nil, under: SideKey.part(number, of: key))
      number += 1
    }
  }

  func put(lastPlaced last: ReplicaCommit.Continuation) throws {
    var writer = ByteWriter()
    writer.varint(last.number)
    writer.u64be(last.replica.rawValue)
    try put(writer.bytes, under: SideKey.acknowledged)
  }

  /// Sets the base of this copy's commits from a given commit on, and removes the bases that no
  /// pending commit needs.
  ///
  /// - Parameters:
  ///   - position: The base.
  ///   - sequence: The first commit that has the base.
  ///   - first: The first pending commit or, if there is none, the next commit.
  ///   - last: The last pending commit.
  func put(
    base position: UInt64, from sequence: UInt64, needed first: UInt64, through last: UInt64 = 0
  ) throws {
    var list = try bases
    for one in list where one.from > last && one.from != sequence {
      try put(nil, under: SideKey.base(from: one.from))
    }
    list.removeAll { $0.from > last }
    list.append((sequence, position))
    var writer = ByteWriter()
    writer.varint(position)
    try put(writer.bytes, under: SideKey.base(from: sequence))
    guard let oldest = list.last(where: { $0.from <= first }) else { return }
    for one in list where one.from < oldest.from {
      try put(nil, under: SideKey.base(from: one.from))
    }
  }

  /// Sets the values of a new replica, which has seen the log up to a position and has no pending
  /// commits.
  func begin(end: [UInt8], head: UInt64, after sequence: UInt64) throws {
    try put(end, under: SideKey.end)
    let own = ReplicaID(rawValue: source.replica)
    try put(OwnNames(own).bytes, under: SideKey.names)
    try put(lastPlaced: ReplicaCommit.Continuation(replica: own, number: 0))
    try put(base: head, from: sequence + 1, needed: sequence + 1)
    source.acknowledge(sequence)
  }
}
