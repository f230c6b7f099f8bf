extension Currency {
  /// Returns the current or historical currency with an ISO 4217 code, or `nil` if there is none.
  ///
  /// Codes without decimals (metals, testing codes) are not supported; a ledger can define them.
  ///
  /// - Complexity: O(1).
  public static func iso(_ code: some StringProtocol) -> Currency? {
    var packed: UInt64 = 0
    var count: UInt64 = 0
    for byte in code.utf8 {
      guard count < 3 else { return nil }
      packed |= UInt64(byte) << (56 - 8 * count)
      count += 1
    }
    return count == 3 ? iso(packedCode: packed) : nil
  }

  /// Returns the currency with a packed code (see `packedCode`), or `nil` if it isn't in ISO 4217.
  static func iso(packedCode: UInt64) -> Currency? {
    guard let slot = slot(packedCode) else { return nil }
    let digits = digitsBySlot[slot]
    return digits == 0xff ? nil : Currency(packed: packedCode | UInt64(digits))
  }

  /// All currencies that `iso(_:)` supports, ordered by code.
  public static var isoCurrencies: [Currency] {
    codesByDigits.flatMap { digits, codes in
      codes.split(separator: " ").compactMap { Currency(code: $0, digits: digits) }
    }.sorted()
  }

  /// The position of a three-letter code in a table of all such codes.
  private static func slot(_ packedCode: UInt64) -> Int? {
    guard packedCode & 0xff_ffff_ffff == 0 else { return nil }
    let first = Int(packedCode >> 56) - 0x41
    let second = Int(packedCode >> 48 & 0xff) - 0x41
    let third = Int(packedCode >> 40 & 0xff) - 0x41
    guard (0..<26).contains(first), (0..<26).contains(second), (0..<26).contains(third) else {
      return nil
    }
    return (first * 26 + second) * 26 + third
  }

  private static let digitsBySlot: [UInt8] = {
    var table = [UInt8](repeating: 0xff, count: 26 * 26 * 26)
    for currency in isoCurrencies {
      if let slot = slot(currency.packedCode) { table[slot] = UInt8(currency.digits) }
    }
    return table
  }()

  /// The codes of ISO 4217 lists one (active) and three (historic), by number of decimals.
  private static let codesByDigits: [(Int, String)] = [
    (
      0,
      """
      BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF \
      ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL
      """
    ),
    (
      2,
      """
      AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP \
      BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CUC CVE CZK DKK DOP DZD EGP ERN ETB EUR \
      FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW \
      KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN \
      NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD \
      SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS \
      VED VES WST XAD XCD XCG YER ZAR ZMW ZWG \
      AFA ALK AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BGJ BGK BGL BOP BRB BRC BRE BRN BRR BUK \
      CSD CSJ CSK CYP DDM DEM ECS ECV EEK ESA ESB FIM FRF GEK GHC GHP GNE GNS GQE GWE GWP HRD \
      HRK IEP ILP ILR ISJ LAJ LSM LTL LTT LUC LUL LVL LVR MAF MLF MRO MTL MTP MVQ MXP MZE MZM \
      NIC NLG PEH PEI PES PLZ RHD ROK ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM UAK UGS \
      UGW USS UYN UYP VEB VEF VNC XEU XFO XFU YDD YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN \
      ZWR
      """
    ),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
  ]
}
