import DaybookBookkeeping

/// The values that a row can have.
enum OFXSlot: Int, CaseIterable {
  case type, posted, user, available, amount, fitid, correctedID, correction
  case checkNumber, referenceNumber, merchant, name, extendedName, memo, transactionDay
  case symbol, rate, originalSymbol, originalRate, otherBank, otherAccount
  case payee, address, city, state, postalCode, country, phone
  case tradeDay, settleDay, units, unitPrice, total, commission, fees, load, taxes, fund
  case uniqueID, incomeType

  /// Returns the slot of a value, which depends on the enclosing element.
  static func of(_ tag: OFXTag, in context: OFXTag) -> OFXSlot? {
    switch context {
    case .payee:
      switch tag {
      case .name: .payee
      case .address: .address
      case .city: .city
      case .state: .state
      case .postalCode: .postalCode
      case .country: .country
      case .phone: .phone
      default: nil
      }
    case .otherAccount:
      tag == .accountID ? .otherAccount : tag == .bankID || tag == .brokerID ? .otherBank : nil
    case .currency: tag == .symbol ? .symbol : tag == .rate ? .rate : nil
    case .originalCurrency: tag == .symbol ? .originalSymbol : tag == .rate ? .originalRate : nil
    case .security: tag == .uniqueID ? .uniqueID : nil
    default: direct(tag)
    }
  }

  private static func direct(_ tag: OFXTag) -> OFXSlot? {
    switch tag {
    case .type: .type
    case .posted: .posted
    case .user: .user
    case .available: .available
    case .amount: .amount
    case .fitid: .fitid
    case .correctedID: .correctedID
    case .correction: .correction
    case .checkNumber: .checkNumber
    case .referenceNumber: .referenceNumber
    case .merchant: .merchant
    case .name: .name
    case .extendedName: .extendedName
    case .memo: .memo
    case .transactionDay: .transactionDay
    case .tradeDay: .tradeDay
    case .settleDay: .settleDay
    case .units: .units
    case .unitPrice: .unitPrice
    case .total: .total
    case .commission: .commission
    case .fees: .fees
    case .load: .load
    case .taxes: .taxes
    case .fund: .fund
    case .incomeType: .incomeType
    default: nil
    }
  }
}

/// The positions of the values of the current row.
struct OFXRowDraft {
  var tag = OFXTag.row
  var start = 0
  private var values = [OFXText](repeating: OFXText(), count: OFXSlot.allCases.count)
  /// Additional texts of a memo or an address, which may be repeated.
  private(set) var more: [(slot: OFXSlot, text: OFXText)] = []

  subscript(slot: OFXSlot) -> OFXText { values[slot.rawValue] }

  mutating func begin(_ tag: OFXTag, at start: Int) {
    self.tag = tag
    self.start = start
    for index in values.indices { values[index] = OFXText() }
    more.removeAll(keepingCapacity: true)
  }

  /// Stores the value of a slot.
  /// - Returns: Whether the value could be stored. Only memos and addresses can be repeated.
  mutating func put(_ text: OFXText, _ slot: OFXSlot) -> Bool {
    if text.isEmpty { return true }
    if values[slot.rawValue].isEmpty {
      values[slot.rawValue] = text
    } else if slot == .memo || slot == .address {
      more.append((slot, text))
    } else {
      return false
    }
    return true
  }
}

/// The statement being read.
struct OFXStatementDraft {
  var tag: OFXTag
  var line: Int
  var account = StatementAccount()
  var currency: Currency?
  /// The rows by currency.
  ///
  /// Nearly all statements have a single currency.
  var rows: [(currency: Currency, rows: [StatementRow])] = []
  var closing: (text: OFXText, start: Int)?
  var closingDay = OFXText()
  /// The date of an investment account's balance.
  var asOf = OFXText()
  /// The rows that correct earlier rows.
  var corrections: [OFXCorrection] = []
  /// The rows whose security still needs its name, which is at the end of the file.
  var unnamed: [(part: Int, row: Int, id: String)] = []

  init(_ tag: OFXTag, line: Int) {
    self.tag = tag
    self.line = line
    account.kind = tag == .cardStatement ? .liability : .asset
  }

  /// Adds a row and returns its position.
  mutating func add(_ row: StatementRow) -> (part: Int, row: Int) {
    let currency = row.amount.currency
    if let last = rows.indices.last, rows[last].currency == currency {
      rows[last].rows.append(row)
      return (last, rows[last].rows.count - 1)
    }
    if let part = rows.firstIndex(where: { $0.currency == currency }) {
      rows[part].rows.append(row)
      return (part, rows[part].rows.count - 1)
    }
    rows.append((currency, [row]))
    return (rows.count - 1, 0)
  }
}

/// A row that replaces or deletes an earlier row.
struct OFXCorrection {
  var line: Int
  /// The reference of the earlier row.
  var reference: String
  /// The position of the replacement; `nil` if the earlier row is deleted.
  var replacement: (part: Int, row: Int)?
}
