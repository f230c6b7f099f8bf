import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

/// A transaction with one account and several categories, each once, in one currency.
///
/// The account's posting is computed from the lines, so the transaction stays balanced whichever
/// lines are merged.
struct SplitRow {
  /// One line of a split, with its category.
  struct Line {
    var category: PostingAccount
    var units: Int64
    var note: String
  }

  var account: SimpleRow.Side
  var accountNote = ""
  var type: UInt8
  /// The id of the rule that chose the categories; empty if a person chose them.
  var rule: [UInt8] = []
  var lines: [Line]

  /// Decodes the register's value; returns `nil` if the transaction has another form.
  init?(packed bytes: [UInt8]) {
    guard let row = PackedRow(bytes), row.postings.count > 2, let first = row.postings.first,
      case .account = first.account
    else { return nil }
    account = SimpleRow.Side(account: first.account, currency: first.amount.currency)
    accountNote = first.note
    type = row.type
    rule = row.rule
    lines = row.postings.dropFirst().map {
      Line(category: $0.account, units: $0.amount.minorUnits, note: $0.note)
    }
    guard row.postings.allSatisfy({ $0.amount.currency == account.currency }),
      let units, units == first.amount.minorUnits, isSound
    else { return nil }
  }

  /// The amount of the account's posting; `nil` if it overflows.
  var units: Int64? {
    Int64(exactly: -lines.reduce(Int128(0)) { $0 + Int128($1.units) })
  }

  /// Whether all lines have categories, and no two lines share a register.
  private var isSound: Bool {
    let registers = Set(lines.map { PostingParts.line($0.category) })
    return lines.count > 1 && registers.count == lines.count && !registers.contains(nil)
  }

  var parts: [RegisterValue] {
    let sorted = lines.compactMap { line in
      PostingParts.line(line.category).map { (register: $0, line: line) }
    }.sorted { $0.register < $1.register }
    var parts = [
      RegisterValue(PostingParts.account, SimpleRow.bytes(account)),
      RegisterValue(PostingParts.firstNote, Array(accountNote.utf8)),
      RegisterValue(PostingParts.split, [type] + rule),
    ]
    let order = lines.compactMap { PostingParts.line($0.category) }
    if order != sorted.map(\.register) {
      parts.append(
        RegisterValue(
          PostingParts.order, order.flatMap { [UInt8($0.rawValue >> 8), UInt8($0.rawValue & 255)] })
      )
    }
    parts += sorted.map { register, line in
      RegisterValue(register, Self.bytes(line, account.currency))
    }
    return parts.filter { !$0.bytes.isEmpty }
  }

  /// Joins the parts; returns `nil` if they are incompatible.
  init?(_ parts: [RegisterValue]) {
    var order: [Register] = []
    var found: [Register: Line] = [:]
    var frame: [UInt8] = []
    var side: SimpleRow.Side?
    var currencies: Set<Currency> = []
    for part in parts {
      switch part.register {
      case PostingParts.account: side = SimpleRow.side(part.bytes)
      case PostingParts.firstNote: accountNote = String(decoding: part.bytes, as: UTF8.self)
      case PostingParts.split: frame = part.bytes
      case PostingParts.order:
        for index in stride(from: 1, to: part.bytes.count, by: 2) {
          order.append(
            Register(rawValue: UInt16(part.bytes[index - 1]) << 8 | UInt16(part.bytes[index])))
        }
      case let register where register >= PostingParts.firstLine:
        guard let (line, currency) = Self.line(part.bytes) else { return nil }
        currencies.insert(currency)
        found[register] = line
      default: return nil
      }
    }
    guard let side, let type = frame.first, currencies == [side.currency] else { return nil }
    account = side
    self.type = type
    rule = Array(frame.dropFirst())
    lines = []
    for register in order {
      if let line = found.removeValue(forKey: register) { lines.append(line) }
    }
    lines += found.sorted { $0.key < $1.key }.map(\.value)
    guard units != nil, isSound else { return nil }
  }

  /// The encoded value of the register.
  var packed: [UInt8] {
    var postings = [
      Posting(account.account, Money(units ?? 0, account.currency), note: accountNote)
    ]
    for line in lines {
      postings.append(
        Posting(line.category, Money(line.units, account.currency), note: line.note))
    }
    return PackedRow(postings: postings, type: type, rule: rule).bytes
  }

  static func bytes(_ line: Line, _ currency: Currency) -> [UInt8] {
    var writer = ByteWriter()
    SimpleRow.write(line.category, to: &writer)
    writer.zigzag(line.units)
    writer.currency(currency)
    writer.raw(line.note.utf8)
    return writer.bytes
  }

  /// Returns the line and the currency that a part contains.
  static func line(_ bytes: [UInt8]) -> (line: Line, currency: Currency)? {
    var reader = ByteReader(bytes.span.bytes)
    guard let category = try? SimpleRow.account(&reader), case .category = category,
      let units = try? reader.zigzag(), let currency = try? reader.currency()
    else { return nil }
    let note = String(decoding: bytes[reader.offset...], as: UTF8.self)
    return (Line(category: category, units: units, note: note), currency)
  }
}

// MARK: Two sides of a split

extension PostingParts {
  /// The first register of a line; see ``line(_:)``.
  static let firstLine = Register(rawValue: 1_024)

  /// Returns the register of a category's line, which is computed from the last bytes of the
  /// category's id, because they are random.
  ///
  /// Built-in categories have the last registers. If two categories of a transaction have the same
  /// register, its postings are merged as a whole.
  static func line(_ category: PostingAccount) -> Register? {
    guard case .category(let id) = category else { return nil }
    if id.isBuiltin { return Register(rawValue: 65_100 + UInt16(id.rawValue.low % 100)) }
    return Register(rawValue: 1_024 + UInt16(id.rawValue.low % 64_000))
  }

  /// Returns whether the two sides, whose authors hadn't seen each other's changes, can't be merged
  /// line by line.
  ///
  /// This is the case if both sides are splits but the version before them isn't; if the types of
  /// the splits differ; or if one side may have moved a line to another category while the other
  /// side changed that line. If one side isn't a split, ``join(_:)`` detects the clash.
  static func areIncompatible(
    _ before: [RegisterValue], _ after: [RegisterValue], _ current: [RegisterValue]
  ) -> Bool {
    func lines(_ side: [RegisterValue]) -> [Register: [UInt8]] {
      Dictionary(
        uniqueKeysWithValues: side.filter { $0.register >= firstLine }
          .map { ($0.register, $0.bytes) })
    }
    func kind(of side: [RegisterValue]) -> UInt8? {
      side.first { $0.register == split }?.bytes.first
    }
    guard let type = kind(of: after), let standing = kind(of: current) else { return false }
    // This includes transactions that both sides split or created: otherwise, the lines of both
    // sides would be added up.
    guard kind(of: before) == type, standing == type else { return true }
    let (base, own, others) = (lines(before), lines(after), lines(current))
    func mayHaveMoved(_ side: [Register: [UInt8]], _ other: [Register: [UInt8]]) -> Bool {
      side.keys.contains { base[$0] == nil }
        && base.contains { side[$0.key] == nil && other[$0.key] != $0.value }
    }
    return mayHaveMoved(own, others) || mayHaveMoved(others, own)
  }
}
