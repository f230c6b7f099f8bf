// Goal: whatever three devices make of a row at once, it stays balanced, and no order of theirs loses a part that
// only one of them changed. Method: seeded rows of every shape, changed by three replicas in every order.

import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookRandom
import Testing

@Suite struct RandomRowTests {
  /// A row of any shape.
  private func anyRow(_ random: inout SeededGenerator) -> Transaction {
    let units = Int64.random(in: -5_000...5_000, using: &random)
    let from = UInt64.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2:
      return expense(
        units, from: from, UInt64.random(in: 1...4, using: &random),
        note: Bool.random(using: &random) ? "note" : "",
        rule: Bool.random(using: &random) ? rule(1) : nil)
    case 3:
      return transfer(max(1, units), from: from, to: from % 3 + 1)
    case 4:
      return row([
        Posting(.account(account(from)), eur(-units)),
        Posting(.category(category(1)), eur(units - 100), note: "a"),
        Posting(.category(category(2)), eur(100)),
      ])
    case 5, 6: return division(of: 3_000, &random)
    default:
      return row([
        Posting(.account(account(4)), Money(-units, .usd)),
        Posting(.account(.exchange), Money(units, .usd)),
        Posting(.account(.exchange), eur(-units)),
        Posting(.category(category(1)), eur(units)),
      ])
    }
  }

  /// A split of an amount into two to four of five categories, in any order.
  private func division(of units: Int64, _ random: inout SeededGenerator) -> Transaction {
    let categories = (1...5).shuffled(using: &random).prefix(
      Int.random(in: 2...4, using: &random))
    var rest = units
    var lines: [Posting] = []
    for number in categories.dropLast() {
      let part = Int64.random(in: 1...rest / 2, using: &random)
      rest -= part
      lines.append(Posting(.category(category(UInt64(number))), eur(part)))
    }
    lines.append(Posting(.category(category(UInt64(categories.last ?? 1))), eur(rest)))
    return row([Posting(.account(account(1)), eur(-units))] + lines)
  }

  /// What is wrong with a row's postings, if anything.
  private func fault(_ row: Transaction) -> String? {
    var sums: [Currency: Int128] = [:]
    for posting in row.postings {
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
      if case .account(account(4)) = posting.account, posting.amount.currency != .usd {
        return "an account in another currency"
      }
    }
    if sums.values.contains(where: { $0 != 0 }) { return "out of balance" }
    let accounts = row.postings.map(\.account)
    if row.type == .transfer, Set(accounts).count < 2 { return "a transfer onto itself" }
    return nil
  }

  @Test(arguments: 0..<64 as Range<UInt64>) func rowsStayBalanced(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let begun = anyRow(&random)
      let changes = (0..<3).map { _ in anyRow(&random) }
      let clocks = (0..<3).map { _ in Int64.random(in: 10...40, using: &random) }
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        var log = Log()
        log.place(1, base: 0, clock: 5, .change(nil, begun))
        for device in order {
          log.place(
            UInt64(device) + 2, base: 1, clock: clocks[device], .change(begun, changes[device]))
        }
        let merged = try #require(try log.folded().entity(begun))
        #expect(fault(merged) == nil, "seed \(seed), order \(order): \(merged)")
      }
    }
  }

  /// However three devices divide a row of a bank, its account moves by what the bank says, or by a total that
  /// one of them gave it on purpose; and a commit after which something is uncategorised has one finding.
  @Test(arguments: 0..<64 as Range<UInt64>, [false, true])
  func whatABankSaysStays(seed: UInt64, changesTotals: Bool) throws {
    var random = SeededGenerator(seed: seed)
    func division(isBegun: Bool = false) -> Transaction {
      let isOther = changesTotals && !isBegun && Int.random(in: 0..<3, using: &random) == 0
      let total = isOther ? Int64.random(in: 2_000...4_000, using: &random) : 3_000
      var row = self.division(of: total, &random)
      row.importIdentity = ImportIdentity(reference: "ofx:1")
      return row
    }
    for _ in 0..<20 {
      let begun = division(isBegun: true)
      let changes = (0..<3).map { _ in division() }
      let totals = ([begun] + changes).map(\.postings.first)
      let clocks = (0..<3).map { _ in Int64.random(in: 10...40, using: &random) }
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        var log = Log()
        log.place(1, base: 0, clock: 5, .change(nil, begun))
        for device in order {
          log.place(
            UInt64(device) + 2, base: 1, clock: clocks[device], .change(begun, changes[device]))
        }
        let folded = try log.folded()
        let merged = try #require(try folded.entity(begun))
        #expect(fault(merged) == nil, "seed \(seed), order \(order): \(merged)")
        #expect(
          totals.contains(merged.postings.first), "seed \(seed), order \(order): \(merged)")
        let findings = Dictionary(grouping: folded.findings.keys) { $0.replica }
        for (replica, findings) in findings where findings.contains(where: { $0.rule == .balanced })
        {
          #expect(findings.count == 1, "seed \(seed), order \(order), replica \(replica)")
        }
      }
    }
  }

  /// Parts put together again are the row, byte for byte: a row that nobody else changed is as it was.
  @Test(arguments: 0..<32 as Range<UInt64>) func rowsComeBackWhole(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let begun = anyRow(&random)
      let next = anyRow(&random)
      var log = Log()
      log.place(1, base: 0, clock: 5, .change(nil, begun))
      #expect(try log.folded().entity(begun) == begun)
      log.place(1, base: 1, clock: 6, .change(begun, next))
      let folded = try log.folded()
      #expect(try folded.entity(begun) == next)
      #expect(folded.findings.isEmpty)
    }
  }
}
