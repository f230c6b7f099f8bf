public import Daybook

public struct Search {
  public init() {}

  public func count(of text: String, in ledger: Ledger) throws -> Int {
    try ledger.read { try $0.transactions(TransactionFilter(text: text), limit: 10).count }
  }
}
