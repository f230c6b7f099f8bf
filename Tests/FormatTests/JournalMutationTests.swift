import DaybookBookkeeping
import DaybookRandom
import Testing

@testable import DaybookFormats

// Goal: no bytes end the process, and whatever books come out sum to zero in every currency. Method: good
// journals with seeded mutations of bytes and lines; each is read in every syntax.

@Suite("Journals with damage")
struct JournalMutationTests {
  static let formats: [any FileFormat.Type] = [
    HledgerFormat.self, LedgerFormat.self, BeancountFormat.self,
  ]

  static let corpus = [
    """
    decimal-mark .
    account Assets:Bank  ; type:A
    commodity 1,000.00 EUR
    alias bank=Assets:Bank
    apply account Assets
    Y 2026
    01-31=02-02 * (c) P | D  ; tag:
        ; a: b, c
        Bank  10 EUR = 10 EUR
        [Shares]  10 "A B" {3 EUR} [2025-01-01] @ 4 EUR
        [Cash]
        Bank  = 5 EUR
    end apply account
    P 2026-01-01 USD 0.92 EUR
    ~ monthly
        Expenses:Rent  1 EUR
    comment
    end comment
    D $1,000.00
    2026-03-01 !
        (Assets:X)  5 ==* 5
        Expenses:Y  -1.234.567,89 EUR
    """,
    """
    bucket Assets:Bank
    account Assets:Bank
        alias b
        note n
    commodity $
        format $1,000.00
        alias USD
    2026/01/01 ! x
        ; :a:b:
        b  -10 AAPL {{$300}} (n) @@ $400
        Income:Gain
    2026/01/02 y
        Expenses:F  $1E9999
        <Assets:Bank>  99999999999999999999999999 EUR
    """,
    """
    option "name_assets" "Assets"
    2020-01-01 open Assets:Shares HOOL "FIFO"
    pushtag #t
    2020-01-03 * "Buy" "x" #a ^b
      k: "v"
      Assets:Shares  10 HOOL {40.00 # 1 USD, 2020-01-01, "l"}
      Assets:Shares  10 HOOL {{500.00 USD}}
      Assets:Bank
    2020-01-05 ! "Sell"
      Assets:Shares  -15 HOOL {} @@ (50 + 2 * -1) / 3 USD
      Assets:Bank  USD
    2020-02-01 pad Assets:Bank Equity:Pads
    2020-02-10 balance Assets:Bank 900.00 ~ 0.1 USD
    2020-02-12 price HOOL 60.123 USD
    include "x"
    """,
  ]

  @Test("Mutated bytes never trap", arguments: 0..<4)
  func mutated(_ part: Int) throws {
    var random = SeededGenerator(seed: UInt64(7_001 + part))
    for round in 0..<300 {
      var bytes = Array(Self.corpus[round % Self.corpus.count].utf8)
      for _ in 0..<1 + random.below(6) { Self.mutate(&bytes, &random) }
      for format in Self.formats {
        var options = ReadingOptions()
        options.encoding = round % 3 == 0 ? .latin1 : nil
        options.skipsUnbalancedVirtual = round % 2 == 0
        options.include = { _ in
          [RawFile(Array("2026-01-01 i\n  Assets:A  1 EUR\n".utf8), name: "i")]
        }
        let contents = try? format.read(RawFile(bytes, name: "x"), options)
        for transaction in contents?.books?.transactions ?? [] {
          var sums: [Currency: Int128] = [:]
          for posting in transaction.postings {
            sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
          }
          #expect(sums.values.allSatisfy { $0 == 0 }, "seed \(7_001 + part), round \(round)")
        }
        for bad in contents?.badLines ?? [] { #expect(bad.line >= 1 && !bad.reason.isEmpty) }
        _ = FileFormats.candidates(RawFile(bytes, name: "x"))
      }
    }
  }

  private static let pieces = [
    "@", "@@", "{", "}", "=", "==*", "(", ")", "[", "]", ";", "\n", "\n\n", "  ", "\t", "-", "$",
    "é",
    "9223372036854775807", "170141183460469231731687303715884105727", "0.000000000000000001", ",",
    ".",
    "include x\n", "end\n", "*", ":", "\"", "\u{0}", "E9", "2026-01-01 a\n", "  Assets:A\n",
  ]

  static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let at = random.below(bytes.count)
    switch random.below(6) {
    case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes.remove(at: at)
    case 2: bytes.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
    case 3: bytes.removeSubrange(at..<min(bytes.count, at + random.below(40)))
    case 4:
      bytes.insert(contentsOf: Array(bytes[at..<min(bytes.count, at + random.below(60))]), at: at)
    default: bytes.removeLast(random.below(bytes.count))
    }
  }
}
