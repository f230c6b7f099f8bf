/// Goal: compare envelopes. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func envelopes(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("allocations", { try snapshot.allocations() }, { oracle.allocations })
    guard asks() || !oracle.allocations.isEmpty else { return }
    let (months, today) = (months(), today())
    expect(
      "envelopes over \(months), today \(today)",
      { try snapshot.envelopes(over: months, today: today) },
      { try oracle.envelopes(over: months, today: today) })
  }
}
