import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

/// The parts into which a transaction's postings are split for merging.
///
/// If one side changes an amount and the other a category, both changes are kept, and the result is
/// balanced by construction.
///
/// | part | contents | transactions |
/// |---|---|---|
/// | 256 | the account of the first posting, and its currency | both |
/// | 257 | the category, the transaction's type, the rule that chose it | one account, one category |
/// | 258 | the other account, and its currency, and the rule that made the transfer | a transfer |
/// | 259 | the amount without its sign, and the currency | both |
/// | 260 | whether the amount goes into the first account | both |
/// | 261, 262 | the notes of the first and the second posting | both |
/// | 263 | the whole register, unchanged | all other transactions: several accounts and categories, several currencies |
/// | 264 | the transaction's type, the rule that chose the categories | a split: one account, several categories, each once |
/// | 265 | the order of the lines, if it isn't that of their registers | a split |
/// | from 1,024 | a line: category, amount, currency, note | a split; see ``SplitRow`` |
///
/// Incompatible parts (263 with others; a category and another account; two currencies; a transfer
/// to the same account; a simple transaction and lines) are a clash, and one side is taken as a
/// whole.
enum PostingParts {
  static let account = Register(rawValue: 256)
  static let category = Register(rawValue: 257)
  static let otherAccount = Register(rawValue: 258)
  static let amount = Register(rawValue: 259)
  static let direction = Register(rawValue: 260)
  static let firstNote = Register(rawValue: 261)
  static let secondNote = Register(rawValue: 262)
  static let whole = Register(rawValue: 263)
  static let split = Register(rawValue: 264)
  static let order = Register(rawValue: 265)

  /// The parts of a simple transaction other than its notes, and the whole register.
  static let figures: Set<Register> = [account, category, otherAccount, amount, direction, whole]

  /// Splits the register's value, unless ``join(_:)`` wouldn't return the same bytes.
  static func apart(_ bytes: [UInt8]) -> [RegisterValue] {
    let parts = SimpleRow(packed: bytes)?.parts ?? SplitRow(packed: bytes)?.parts ?? []
    return join(parts) == bytes ? parts : [RegisterValue(whole, bytes)]
  }

  /// Joins parts; returns `nil` if they are incompatible.
  static func join(_ parts: [RegisterValue]) -> [UInt8]? {
    if parts.contains(where: { $0.register == whole }) {
      return parts.count == 1 ? parts[0].bytes : nil
    }
    return parts.contains { $0.register == split }
      ? SplitRow(parts)?.packed : SimpleRow(parts)?.packed
  }
}

/// A transaction with two postings in one currency.
struct SimpleRow {
  /// An account or category, with its currency; categories have no currency of their own.
  struct Side {
    var account: PostingAccount
    var currency: Currency
  }

  var first: Side
  var second: Side
  var type: UInt8
  /// The amount without its sign, in minor units.
  var size: UInt64
  var currency: Currency
  /// Whether the amount goes into the first account.
  var isInto: Bool
  var notes: (first: String, second: String) = ("", "")
  /// The id of the rule that chose the category; empty if a person chose it.
  var rule: [UInt8] = []

  /// Decodes the register's value; returns `nil` if the transaction has another form.
  init?(packed bytes: [UInt8]) {
    guard let row = PackedRow(bytes), row.postings.count == 2 else { return nil }
    let postings = row.postings
    guard case .account = postings[0].account,
      postings[0].amount.currency == postings[1].amount.currency,
      Int128(postings[0].amount.minorUnits) + Int128(postings[1].amount.minorUnits) == 0
    else { return nil }
    currency = postings[0].amount.currency
    first = Side(account: postings[0].account, currency: currency)
    second = Side(account: postings[1].account, currency: currency)
    size = postings[0].amount.minorUnits.magnitude
    isInto = postings[0].amount.minorUnits > 0
    type = row.type
    rule = row.rule
    notes = (postings[0].note, postings[1].note)
  }

  var parts: [RegisterValue] {
    var parts = [RegisterValue(PostingParts.account, Self.bytes(first))]
    if case .category = second.account {
      var writer = ByteWriter()
      writer.u8(type)
      Self.write(second.account, to: &writer)
      writer.raw(rule)
      parts.append(RegisterValue(PostingParts.category, writer.bytes))
    } else {
      parts.append(RegisterValue(PostingParts.otherAccount, Self.bytes(second) + rule))
    }
    var amount = ByteWriter()
    amount.varint(size)
    amount.currency(currency)
    parts.append(RegisterValue(PostingParts.amount, amount.bytes))
    parts.append(RegisterValue(PostingParts.direction, [isInto ? 2 : 1]))
    parts.append(RegisterValue(PostingParts.firstNote, Array(notes.first.utf8)))
    parts.append(RegisterValue(PostingParts.secondNote, Array(notes.second.utf8)))
    return parts.filter { !$0.bytes.isEmpty }
  }

  /// Joins the parts; returns `nil` if they are incompatible.
  init?(_ parts: [RegisterValue]) {
    func part(_ register: Register) -> [UInt8]? {
      parts.first { $0.register == register }?.bytes
    }
    guard let account = part(PostingParts.account).flatMap(Self.side),
      let amount = part(PostingParts.amount), let direction = part(PostingParts.direction)
    else { return nil }
    first = account
    isInto = direction == [2]
    notes = (
      String(decoding: part(PostingParts.firstNote) ?? [], as: UTF8.self),
      String(decoding: part(PostingParts.secondNote) ?? [], as: UTF8.self)
    )
    var reader = ByteReader(amount.span.bytes)
    guard let size = try? reader.varint(), let currency = try? reader.currency() else { return nil }
    (self.size, self.currency) = (size, currency)
    guard currency == first.currency, size <= UInt64(Int64.max) else { return nil }
    switch (part(PostingParts.category), part(PostingParts.otherAccount)) {
    case (let bytes?, nil):
      var reader = ByteReader(bytes.span.bytes)
      guard let type = try? reader.u8(), let category = try? Self.account(&reader),
        case .category = category
      else { return nil }
      self.type = type
      second = Side(account: category, currency: currency)
      rule = Array(bytes[reader.offset...])
    case (nil, let bytes?):
      guard let other = Self.side(bytes), other.currency == currency,
        other.account != first.account
      else { return nil }
      type = TransactionType.transfer.rawValue
      second = other
      rule = Array(bytes.dropFirst(Self.bytes(other).count))
    default: return nil
    }
  }

  /// The encoded value of the register.
  var packed: [UInt8] {
    let units = isInto ? Int64(size) : -Int64(size)
    let postings = [
      Posting(first.account, Money(units, currency), note: notes.first),
      Posting(second.account, Money(-units, currency), note: notes.second),
    ]
    return PackedRow(postings: postings, type: type, rule: rule).bytes
  }

  // MARK: An account or category

  static func bytes(_ side: Side) -> [UInt8] {
    var writer = ByteWriter()
    write(side.account, to: &writer)
    writer.currency(side.currency)
    return writer.bytes
  }

  static func side(_ bytes: [UInt8]) -> Side? {
    var reader = ByteReader(bytes.span.bytes)
    guard let account = try? account(&reader), case .account = account,
      let currency = try? reader.currency()
    else { return nil }
    return Side(account: account, currency: currency)
  }

  static func write(_ account: PostingAccount, to writer: inout ByteWriter) {
    let (code, id) = account.coded
    writer.u8(code.rawValue)
    writer.id(id)
  }

  @_lifetime(reader: copy reader)
  static func account(
    _ reader: inout ByteReader
  ) throws(DecodingFault) -> PostingAccount {
    guard let code = PostingAccountCode(rawValue: try reader.u8()) else {
      throw .invalidValue("the account of a posting")
    }
    return PostingAccount(code: code, id: try reader.id())
  }
}
