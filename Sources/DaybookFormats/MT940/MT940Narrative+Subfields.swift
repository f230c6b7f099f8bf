// The German form, which Polish and other banks also use: a three-digit code, followed by subfields
// that each begin with a separator and two digits.
extension MT940Narrative {
  static let separators: [UInt8] = Array("?~<>^|@+&%!#*;/".utf8)

  /// Returns the separator of subfields, or `nil` if the text has none.
  func separator() -> UInt8? {
    var index = 0
    while index < text.count, text[index] <= 0x20 { index += 1 }
    var digits = 0
    while index < text.count, digits < 3, text[index] &- 0x30 <= 9 {
      index += 1
      digits += 1
    }
    guard digits == 3 || digits == 0, index < text.count,
      Self.separators.contains(text[index]), isSubfield(index, text[index])
    else { return nil }
    // Other separators, such as a slash or a plus, are recognised only after the code, because they
    // can also begin something else.
    return digits == 3 || [0x3F, 0x7E, 0x3C].contains(text[index]) ? text[index] : nil
  }

  /// Returns whether a subfield begins at an index.
  private func isSubfield(_ index: Int, _ separator: UInt8) -> Bool {
    guard index + 2 < text.count, text[index] == separator, text[index + 1] &- 0x30 <= 9,
      text[index + 2] &- 0x30 <= 9
    else { return false }
    switch (text[index + 1] - 0x30) * 10 + text[index + 2] - 0x30 {
    case 0...11, 20...39, 60...79: return true
    default: return false
    }
  }

  /// Parses the subfields.
  mutating func readSubfields(_ separator: UInt8) {
    var names: [Range<Int>] = []
    var others: [Range<Int>] = []
    var firstAddition: Int?
    var number = ""
    var index = 0
    while index < text.count, !isSubfield(index, separator) { index += 1 }
    while index < text.count {
      let code = (text[index + 1] - 0x30) * 10 + text[index + 2] - 0x30
      let start = index + 3
      index = start
      while index < text.count, !isSubfield(index, separator) { index += 1 }
      let value = start..<index
      switch code {
      case 0: bookingText = string(value, of: text)
      case 20...29, 60...65:
        if code >= 60, firstAddition == nil { firstAddition = purposes.count }
        purposes.append(value)
      case 30: bank = string(value, of: text)
      case 31: number = Self.accountNumber(string(value, of: text))
      case 32, 33: names.append(value)
      case 34: addReturn(value)
      case 38: account = Self.accountNumber(string(value, of: text))
      case 10, 11: continue
      case 1...9, 35...37, 39, 66...69: add("", string(value, of: text))
      default: others.append(value)
      }
    }
    if account.isEmpty {
      account = number
    } else if !account.contains(number) {
      add("", number)
    }
    payee = put(names)
    add("For ", put(others))
    _ = put(purposes, keeps: true)
    let addition = firstAddition.map { purposeStarts[$0] }
    readKeywords(addition: addition)
  }

  /// Adds a return code.
  ///
  /// Codes from 901 on state why a payment was returned.
  private mutating func addReturn(_ value: Range<Int>) {
    let code = string(value, of: text)
    if code.utf8.count == 3, code >= "901", code <= "950" { add("Returned ", code) }
  }

  /// Joins parts.
  ///
  /// A part with the full width continues in the next part without a space.
  private mutating func put(_ parts: [Range<Int>], keeps: Bool = false) -> String {
    let counts = parts.map { Self.count($0, text) }
    let width = max(Self.subfieldWidth, counts.max() ?? 0)
    purpose.removeAll(keepingCapacity: true)
    purposeStarts.removeAll(keepingCapacity: true)
    for (part, count) in zip(parts, counts) {
      purposeStarts.append(purpose.count)
      purpose += text[part]
      if count < width { purpose.append(0x20) }
    }
    return keeps ? "" : string(0..<purpose.count, of: purpose)
  }

  /// The SEPA keywords that introduce parts of the purpose.
  private static let keywords: [(word: [UInt8], keyword: Keyword)] = [
    ("EREF+", .endToEnd), ("KREF+", .customer), ("MREF+", .mandate), ("CRED+", .creditor),
    ("DEBT+", .debtor), ("SVWZ+", .purpose), ("ABWA+", .ultimate), ("ABWE+", .ultimate),
    ("IBAN+", .account), ("BIC+", .bank), ("COAM+", .charges), ("OAMT+", .original),
    ("RREF+", .returned), ("PURP+", .reason), ("MTLG:", .message),
  ].map { (Array($0.utf8), $1) }

  private enum Keyword {
    case endToEnd, customer, mandate, creditor, debtor, purpose, ultimate, account, bank, charges
    case original, returned, reason, message
  }

  /// Splits the purpose at the SEPA keywords.
  ///
  /// Ids don't continue in subfields 60 and above, which begin at `addition`.
  mutating func readKeywords(addition: Int? = nil) {
    var free: [Range<Int>] = []
    var keyword: Keyword?
    var start = 0
    var index = 0
    var nextStart = 0
    while index < purpose.count {
      if index == addition, keyword != nil {
        take(keyword, start..<index, &free)
        keyword = keyword == .purpose || keyword == .message ? keyword : nil
        start = index
      }
      while nextStart < purposeStarts.count, purposeStarts[nextStart] < index { nextStart += 1 }
      let begins = nextStart < purposeStarts.count && purposeStarts[nextStart] == index
      guard begins || index == 0 || !Self.isLetterOrDigit(purpose[index - 1]),
        let (length, found) = wordFound(at: index), begins || index == 0 || found != .message
      else {
        index += 1
        continue
      }
      take(keyword, start..<index, &free)
      keyword = found
      index += length
      start = index
    }
    take(keyword, start..<purpose.count, &free)
    let lines = free.map { string($0, of: purpose) }.filter { !$0.isEmpty }
    description = lines.joined(separator: " ")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte >= 0x80
  }

  private func wordFound(at index: Int) -> (Int, Keyword)? {
    // Fast path: in all keywords, the mark is the fourth or fifth character.
    guard index + 4 < purpose.count, purpose[index] &- 0x41 < 26,
      purpose[index + 4] == 0x2B || purpose[index + 4] == 0x3A || purpose[index + 3] == 0x2B
    else { return nil }
    for (word, keyword) in Self.keywords
    where index + word.count <= purpose.count && purpose[index..<index + word.count] == word[...] {
      return (word.count, keyword)
    }
    return nil
  }

  private mutating func take(
    _ keyword: Keyword?, _ range: Range<Int>, _ free: inout [Range<Int>]
  ) {
    guard let keyword, keyword != .purpose else {
      free.append(range)
      return
    }
    let value = string(range, of: purpose)
    switch keyword {
    case .purpose, .message: free.append(range)
    case .endToEnd: endToEnd = value
    case .customer: customerReference = value
    case .mandate: mandate = value
    case .creditor: creditor = value.filter { $0 != " " }
    case .debtor: add("Debtor ", value)
    case .ultimate: add("For ", value)
    case .account: if account.isEmpty { account = value } else { add("", value) }
    case .bank: if bank.isEmpty { bank = value } else { add("BIC ", value) }
    case .charges: add("Charges ", value)
    case .original: add("Original amount ", value)
    case .returned: add("Return of ", value)
    case .reason: add("Purpose ", value)
    }
  }
}
