package import Daybook

package struct Search {
  package init() {}

  package func count(of text: String, in ledger: Ledger) throws -> Int {
    try ledger.read { try $0.transactions(TransactionFilter(text: text), limit: 10).count }
  }
}
