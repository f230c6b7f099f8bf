// The form with words between slashes, which Dutch and Belgian banks use: `/NAME/J. Doe/REMI/Rent`.
extension MT940Narrative {
  private enum Word: String, CaseIterable {
    case type = "TRTP"
    case code = "TRCD"
    case iban = "IBAN"
    case bic = "BIC"
    case name = "NAME"
    case nameDutch = "NAAM"
    case remittance = "REMI"
    case endToEnd = "EREF"
    case customer = "KREF"
    case payment = "PREF"
    case mandate = "MARF"
    case creditor = "CSID"
    case counterparty = "CNTP"
    case beneficiary = "BENM"
    case orderer = "ORDP"
    case ultimateCreditor = "ULTC"
    case ultimateDebtor = "ULTD"
    case ultimateBeneficiary = "ULTB"
    case purpose = "PURP"
    case interestDay = "ISDT"
    case returned = "RTRN"
    case returnType = "RTYP"
    case address = "ADDR"
    case identification = "ID"
    case original = "OCMT"
    case charges = "CHGS"
    case rate = "EXCH"
    case transaction = "BUSP"
    case information = "INFO"
  }

  private static let words = Word.allCases.map { (Array($0.rawValue.utf8), $0) }

  /// Returns the index of the first word between slashes, or `nil` if the text has none.
  ///
  /// A word in the middle of the text counts only if it is unlikely to occur in free text.
  func firstWord() -> Int? {
    var index = 0
    while index < text.count {
      if let (word, _) = word(at: index) {
        if index == 0 { return index }
        switch word {
        case .endToEnd, .remittance, .counterparty, .mandate, .type, .returned: return index
        default: break
        }
      }
      index += 1
    }
    return nil
  }

  /// Returns the word between the slash at an index and the next one, and the index of its value.
  private func word(at index: Int) -> (Word, Int)? {
    guard text[index] == 0x2F else { return nil }
    for (letters, word) in Self.words {
      let end = index + 1 + letters.count
      guard end < text.count, text[end] == 0x2F, text[index + 1..<end] == letters[...] else {
        continue
      }
      return (word, end + 1)
    }
    return nil
  }

  /// Parses the words.
  ///
  /// The text before the first one is the booking text.
  mutating func readWords(from first: Int) {
    bookingText = string(0..<first, of: text)
    var index = first
    var isOfUltimate = false
    while index < text.count, let (word, start) = word(at: index) {
      index = start
      // If a value is empty, its second slash begins the next word.
      if index < text.count, text[index] == 0x2F, self.word(at: index) == nil { index += 1 }
      let valueStart = min(index, text.count)
      while index < text.count, self.word(at: index) == nil { index += 1 }
      let value = valueStart..<index
      switch word {
      case .ultimateCreditor, .ultimateDebtor, .ultimateBeneficiary: isOfUltimate = true
      case .beneficiary, .orderer: isOfUltimate = false
      default: break
      }
      take(word, value, isOfUltimate: isOfUltimate)
    }
  }

  private mutating func take(_ word: Word, _ value: Range<Int>, isOfUltimate: Bool) {
    var value = value
    while let last = value.last, text[last] == 0x2F || text[last] <= 0x20 { value.removeLast() }
    guard !value.isEmpty else { return }
    let content = string(value, of: text)
    switch word {
    case .type: bookingText = content
    case .iban: account = Self.accountNumber(content)
    case .bic: bank = content
    case .name, .nameDutch:
      if isOfUltimate || !payee.isEmpty { add("For ", content) } else { payee = content }
    case .remittance: takeRemittance(value)
    case .endToEnd: endToEnd = content
    case .customer, .payment: customerReference = content
    case .mandate: mandate = content
    case .creditor: creditor = content
    case .counterparty: takeCounterparty(value)
    case .ultimateCreditor, .ultimateDebtor, .ultimateBeneficiary: add("For ", content)
    case .beneficiary, .orderer: if payee.isEmpty { payee = content } else { add("", content) }
    case .purpose: add("Purpose ", content)
    case .returned: add("Returned ", content)
    case .address: add("", content)
    case .charges: add("Charges ", content)
    case .original: add("Original amount ", content)
    case .rate: add("Rate ", content)
    case .identification: add("Id ", content)
    case .information: add("", content)
    case .code, .interestDay, .returnType, .transaction: add("", "\(word.rawValue) \(content)")
    }
  }

  /// Parses remittance information: plain text, `USTD//` and a text, or `STRD/`, the issuer of a
  /// reference and the reference.
  private mutating func takeRemittance(_ value: Range<Int>) {
    var value = value
    let kind = text[value].prefix(5)
    if kind == Array("USTD/".utf8)[...] || kind == Array("STRD/".utf8)[...] {
      value.removeFirst(5)
      while let first = value.first, text[first] == 0x2F { value.removeFirst() }
    }
    let content = string(value, of: text)
    description = description.isEmpty ? content : "\(description) \(content)"
  }

  /// Parses the account, bank, name and city, which are separated by slashes.
  private mutating func takeCounterparty(_ value: Range<Int>) {
    let parts = text[value].split(
      separator: 0x2F, maxSplits: 3, omittingEmptySubsequences: false)
    let values = parts.map { string($0.indices, of: text) }
    account = Self.accountNumber(values[0])
    if values.count > 1 { bank = values[1] }
    if values.count > 2 { payee = values[2] }
    if values.count > 3 { add("", values[3]) }
  }
}
