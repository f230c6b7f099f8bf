// Goal: every entity reads back as it was written, defaults take no bytes, damage is refused.
// Method: random transactions with a printed seed and hand-made entities with every property set go
// through their records; test vectors fix the bytes; every truncation and random flips must
// throw or read, never trap.

import DaybookBookkeeping
import DaybookEntities
import DaybookRandom
import Testing

@Suite struct CodecTests {
  static func randomTransaction(_ random: inout SeededGenerator) throws -> Transaction {
    let currencies =
      try ["USD", "KZT", "JPY"].map { try iso($0) } + [
        try #require(Currency(code: "POINTS7", digits: 18))
      ]
    func id() -> EntityID { EntityID(high: random.next(), low: random.next()) }
    func text() -> String {
      ["", "", "x", "Café “Ørsted”", String(repeating: "é", count: 90), "a,\"b\"\n"].randomElement(
        using: &random) ?? ""
    }
    var postings: [Posting] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let account: PostingAccount =
        switch Int.random(in: 0...6, using: &random) {
        case 0: .account(.opening)
        case 1: .account(.exchange)
        case 2: .account(.outside)
        case 3: .category(.uncategorizedExpense)
        case 4: .category(.uncategorizedIncome)
        case 5: .account(AccountID(id()))
        default: .category(CategoryID(id()))
        }
      let units = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      let currency = currencies[Int.random(in: 0..<currencies.count, using: &random)]
      postings.append(Posting(account, Money(units, currency), note: text()))
    }
    var transaction = Transaction(
      id: TransactionID(id()), number: random.next() >> 30,
      day: Day(rawValue: Int32.random(in: -719_162...2_932_896, using: &random)),
      type: TransactionType.allCases.randomElement(using: &random) ?? .expense,
      status: Status.allCases.randomElement(using: &random) ?? .cleared, description: text(),
      payee: text(), note: text(),
      tags: (0..<Int.random(in: 0...3, using: &random)).map { "tag\($0)" }, postings: postings)
    if Bool.random(using: &random) {
      transaction.importIdentity = ImportIdentity(
        reference: text(), original: Bool.random(using: &random) ? id() : nil)
    }
    if Bool.random(using: &random) {
      transaction.series = SeriesID(id())
      transaction.occurrence = transaction.day
      transaction.categorizedBy = RuleID(id())
    }
    transaction.isConverted = Bool.random(using: &random)
    return transaction
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func randomTransactionsReadBack(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let transaction = try Self.randomTransaction(&random)
      let record = transaction.record()
      let read = try Transaction(
        record: record, id: transaction.entityID, number: transaction.number)
      #expect(read == transaction, "seed \(seed)")
      #expect(read.record() == record, "seed \(seed)")
      let json = try JSONValue(transaction).line
      #expect(try JSONValue.bytes(of: [transaction]) == Array("[\(json)]".utf8), "seed \(seed)")
      try expectSameFigures(record, transaction)
    }
  }

  private func expectSameFigures(_ record: Record, _ transaction: Transaction) throws {
    let figures = try TransactionFigures(record.bytes.span.bytes)
    #expect(figures.day == transaction.day)
    #expect(figures.type == transaction.type)
    #expect(figures.status == transaction.status)
    var postings: [Posting] = []
    try figures.forEachPosting { code, id, units, currency in
      postings.append(Posting(PostingAccount(code: code, id: id), Money(units, currency)))
    }
    #expect(postings == transaction.postings.map { Posting($0.account, $0.amount) })
  }

  /// Numbers of every length, with every count of bytes behind them: eight at a time are read in
  /// another way than few.
  @Test func numbersRoundTrip() throws {
    for shift in 0...62 {
      for near in -2...2 as ClosedRange<Int64> {
        for sign in [1, -1] as [Int64] {
          let number = sign * ((Int64(1) << Int64(shift)) + near)
          for following in 0...9 {
            var writer = ByteWriter()
            writer.zigzag(number)
            let length = writer.bytes.count
            writer.raw([UInt8](repeating: 0xff, count: following))
            var reader = ByteReader(writer.bytes.span.bytes)
            let read = try reader.zigzag()
            #expect(read == number)
            #expect(reader.offset == length)
          }
        }
      }
    }
  }

  @Test func bytesOfAnExpense() throws {
    let usd = try iso("USD")
    let account = AccountID(EntityID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10))
    let transaction = Transaction(
      id: TransactionID(EntityID(high: 1, low: 1)), day: Day(rawValue: 1), type: .expense,
      description: "Tea",
      postings: [
        Posting(.account(account), Money(-150, usd)),
        Posting(.category(.uncategorizedExpense), Money(150, usd)),
      ])
    let header: [UInt8] = [1, 4, 0x80, 0, 0, 1, 4, 26]
    let first: [UInt8] =
      [0] + (1...16).map { UInt8($0) } + [0xab, 0x02, 3 << 5 | 2] + Array("USD".utf8)
    let second: [UInt8] = [5 | 8, 0xac, 0x02]
    #expect(transaction.record().bytes == header + first + second + [5, 3] + Array("Tea".utf8))
  }

  @Test func idsThatAreDerived() throws {
    let (usd, eur) = (try iso("USD"), try iso("EUR"))
    let id = ExchangeRate.id(base: usd, quoted: eur, day: Day(rawValue: 0)).rawValue
    #expect(id.low & 0xffff_ffff == 0x8000_0000)
    #expect(id != ExchangeRate.id(base: eur, quoted: usd, day: Day(rawValue: 0)).rawValue)
    #expect(id != ExchangeRate.id(base: usd, quoted: eur, day: Day(rawValue: 1)).rawValue)
    // U, S, D are 31, 29, 14 in six bits each, from the top of 42.
    #expect(id.high >> 46 == 31 << 12 | 29 << 6 | 14)
  }

  @Test func damageIsRefusedOrReadNeverTrapped() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let bytes = try Self.randomTransaction(&random).record().bytes
      let id = EntityID(high: 0, low: 0)
      for length in 0..<bytes.count {
        let part = Record(bytes: Array(bytes.prefix(length)))
        _ = try? Transaction(record: part, id: id, number: 1)
        _ = try? TransactionFigures(part.bytes.span.bytes).forEachPosting { _, _, _, _ in }
      }
      for _ in 0..<50 {
        var flipped = bytes
        let at = Int.random(in: 0..<flipped.count, using: &random)
        flipped[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
        let record = Record(bytes: flipped)
        _ = try? Transaction(record: record, id: id, number: 1)
        _ = try? TransactionFigures(record.bytes.span.bytes).forEachPosting { _, _, _, _ in }
      }
    }
    let unknown = Record(bytes: [1, 4, 0x80, 0, 0, 1, 99, 1, 0])
    #expect(throws: DecodingFault.self) {
      try Transaction(record: unknown, id: EntityID(high: 0, low: 0), number: 1)
    }
    #expect(throws: DecodingFault.self) {
      try Transaction(record: Record(), id: EntityID(high: 0, low: 0), number: 1)
    }
  }
}
