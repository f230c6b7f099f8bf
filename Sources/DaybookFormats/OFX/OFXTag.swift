/// The names of OFX elements that Daybook reads.
enum OFXTag: UInt8, CaseIterable {
  case unknown
  // Aggregates.
  case ofx, messages, response, status, signOn, institution
  case statement, cardStatement, investmentStatement
  case account, cardAccount, investmentAccount, otherAccount
  case rows, pendingRows, row, pendingRow, cashRow
  case buy, sell, income, expense, interest, capital, trade, tradeDetails, tradeHead, noCash
  case payee, currency, originalCurrency, security, ledgerBalance, cash
  case accountInfo, accountInfoPart, securityList, securityInfo, holdings, passedOver
  // Values.
  case code, severity, message, organisation
  case curdef, bankID, branchID, accountID, accountType, brokerID
  case type, posted, user, available, amount, fitid, correctedID, correction
  case checkNumber, referenceNumber, merchant, name, extendedName, memo
  case symbol, rate, balance, asOf, availableCash
  case tradeDay, settleDay, units, unitPrice, total, commission, fees, load, taxes, fund
  case uniqueID, securityName, ticker, incomeType
  case address, city, state, postalCode, country, phone
  case description, transactionDay, ignored

  /// Whether the element contains other elements rather than a value.
  var isAggregate: Bool {
    rawValue >= OFXTag.ofx.rawValue && rawValue <= OFXTag.passedOver.rawValue
  }

  /// Whether the element is a row of an investment account that moves cash.
  var isTrade: Bool {
    switch self {
    case .buy, .sell, .income, .expense, .interest, .capital: true
    default: false
    }
  }

  /// The names of each tag, in uppercase.
  private static let names: [OFXTag: String] = [
    .ofx: "OFX",
    .messages: """
    SIGNONMSGSRSV1 BANKMSGSRSV1 CREDITCARDMSGSRSV1 INVSTMTMSGSRSV1 SECLISTMSGSRSV1 SIGNUPMSGSRSV1
    """,
    .response: "STMTTRNRS CCSTMTTRNRS INVSTMTTRNRS ACCTINFOTRNRS SECLISTTRNRS ACCTINFORS SECLISTRS",
    .status: "STATUS", .signOn: "SONRS", .institution: "FI",
    .statement: "STMTRS", .cardStatement: "CCSTMTRS", .investmentStatement: "INVSTMTRS",
    .account: "BANKACCTFROM", .cardAccount: "CCACCTFROM", .investmentAccount: "INVACCTFROM",
    .otherAccount: "BANKACCTTO CCACCTTO INVACCTTO",
    .rows: "BANKTRANLIST CCTRANLIST INVTRANLIST", .pendingRows: "BANKTRANLISTP CCTRANLISTP",
    .row: "STMTTRN", .pendingRow: "STMTTRNP", .cashRow: "INVBANKTRAN",
    .buy: "BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK",
    .sell: "SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK",
    .income: "INCOME", .expense: "INVEXPENSE", .interest: "MARGININTEREST", .capital: "RETOFCAP",
    .tradeDetails: "INVBUY INVSELL", .tradeHead: "INVTRAN",
    .noCash: "CLOSUREOPT JRNLFUND JRNLSEC REINVEST SPLIT TRANSFER",
    .payee: "PAYEE", .currency: "CURRENCY", .originalCurrency: "ORIGCURRENCY", .security: "SECID",
    .ledgerBalance: "LEDGERBAL", .cash: "INVBAL",
    .accountInfo: "ACCTINFO", .accountInfoPart: "BANKACCTINFO CCACCTINFO INVACCTINFO",
    .securityList: "SECLIST DEBTINFO MFINFO OPTINFO OTHERINFO STOCKINFO", .securityInfo: "SECINFO",
    .holdings: "INVPOSLIST INVOOLIST",
    .passedOver: """
    AVAILBAL BALLIST BAL INV401K INV401KBAL INV401KSUMMARY POSDEBT POSMF POSOPT \
    POSOTHER POSSTOCK INVPOS IMAGEDATA MFASSETCLASS FIMFASSETCLASS PORTION FIPORTION
    """,
    .code: "CODE", .severity: "SEVERITY", .message: "MESSAGE", .organisation: "ORG",
    .curdef: "CURDEF", .bankID: "BANKID", .branchID: "BRANCHID", .accountID: "ACCTID",
    .accountType: "ACCTTYPE", .brokerID: "BROKERID",
    .type: "TRNTYPE", .posted: "DTPOSTED", .user: "DTUSER", .available: "DTAVAIL VALUEDATE",
    .amount: "TRNAMT", .fitid: "FITID", .correctedID: "CORRECTFITID", .correction: "CORRECTACTION",
    .checkNumber: "CHECKNUM", .referenceNumber: "REFNUM", .merchant: "SIC", .name: "NAME",
    .extendedName: "EXTDNAME", .memo: "MEMO", .symbol: "CURSYM", .rate: "CURRATE",
    .balance: "BALAMT", .asOf: "DTASOF", .availableCash: "AVAILCASH",
    .tradeDay: "DTTRADE", .settleDay: "DTSETTLE", .units: "UNITS", .unitPrice: "UNITPRICE",
    .total: "TOTAL", .commission: "COMMISSION", .fees: "FEES", .load: "LOAD", .taxes: "TAXES",
    .fund: "SUBACCTFUND", .uniqueID: "UNIQUEID", .securityName: "SECNAME", .ticker: "TICKER",
    .incomeType: "INCOMETYPE", .address: "ADDR1 ADDR2 ADDR3", .city: "CITY", .state: "STATE",
    .postalCode: "POSTALCODE", .country: "COUNTRY", .phone: "PHONE", .description: "DESC",
    .transactionDay: "DTTRAN",
    .ignored: """
    TRNUID CLTCOOKIE DTSTART DTEND DTSERVER LANGUAGE FID SRVRTID PAYEEID ACCTKEY MKTGINFO DTEXPIRE \
    SUBACCTSEC BUYTYPE SELLTYPE OPTBUYTYPE OPTSELLTYPE INV401KSOURCE UNIQUEIDTYPE TFERACTION \
    POSTYPE MARGINBALANCE SHORTBALANCE BUYPOWER ACCRDINT DTACCTUP DTPROFUP SUPTXDL XFERSRC XFERDEST \
    SVCSTATUS MARKUP MARKDOWN SHPERCTRCT TAXEXEMPT WITHHOLDING GAIN OPTACTION
    """,
  ]

  /// All packed names, with their tags.
  static var packedNames: [(key: UInt128, tag: OFXTag)] {
    names.flatMap { tag, names in
      names.split { $0 == " " || $0 == "\n" }.map { (key: pack($0.utf8), tag: tag) }
    }
  }

  /// Packs a name into a number.
  ///
  /// Names of up to sixteen bytes are stored unchanged; longer names are hashed.
  private static func pack(_ name: some Sequence<UInt8>) -> UInt128 {
    var key: UInt128 = 0
    for byte in name { key = packed(byte, after: key) }
    return key
  }

  /// Returns the packed name with one more byte.
  @inline(__always)
  static func packed(_ byte: UInt8, after key: UInt128) -> UInt128 {
    let isFull = key >> 120 != 0
    return (isFull ? key &* 0x1_0000_01b3 ^ key >> 61 : key << 8) ^ UInt128(byte)
  }
}

/// A hash table that maps packed names to tags.
struct OFXTagTable {
  private static let slotCount = 1_024
  private static let slots: [(key: UInt128, tag: OFXTag)] = {
    var slots = [(key: UInt128, tag: OFXTag)](repeating: (0, .unknown), count: slotCount)
    for entry in OFXTag.packedNames {
      var slot = OFXTagTable.slot(entry.key)
      while slots[slot].key != 0 { slot = (slot + 1) % slotCount }
      slots[slot] = entry
    }
    return slots
  }()
  private let slots = OFXTagTable.slots

  private static func slot(_ key: UInt128) -> Int {
    let mixed = UInt64(truncatingIfNeeded: key ^ key >> 64) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 54)
  }

  /// Returns the tag of a packed name, or `unknown`.
  func tag(_ key: UInt128) -> OFXTag {
    var slot = Self.slot(key)
    while true {
      let entry = slots[slot]
      if entry.key == key { return entry.tag }
      if entry.key == 0 { return .unknown }
      slot = (slot + 1) % Self.slotCount
    }
  }
}
