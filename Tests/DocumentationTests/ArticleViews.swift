// The views of the articles in Sources/Daybook/Daybook.docc, as an app's file has them. Where there is no
// SwiftUI they are compiled against a stand-in.
import Charts
import Daybook
import Foundation
import SwiftData
import SwiftUI

struct TransactionsList: View {
  @State var pager: TransactionPager

  var body: some View {
    List {
      ForEach(pager.sections) { section in
        Section(section.day.description) {
          ForEach(section.rows) { row in
            TransactionLine(row: row).onAppear { pager.reached(row) }
          }
        }
      }
    }
    .searchable(text: $pager.text)
    .refreshable { await pager.refresh() }
    .task { await pager.run() }
  }
}

struct TransactionLine: View {
  let row: TransactionRow

  var body: some View {
    HStack {
      Text(row.transaction.payee.isEmpty ? row.transaction.description : row.transaction.payee)
      if let balance = row.balance { Text(balance.description) }
    }
  }
}

struct NetWorth: View {
  let ledger: Ledger
  let today: Day
  @State private var worth: [Total] = []
  @State private var problem = ""

  var body: some View {
    List(worth, id: \.currency) { total in Text(total.description) }
      .task(id: today) {
        do {
          for try await now in ledger.observe({ [today] in try $0.netWorth(on: today) }) {
            worth = now
          }
        } catch {
          problem = "\(error)"
        }
      }
  }
}

// lines: A monthly chart
@ViewBuilder @MainActor
func monthlyChart(_ ledger: Ledger, _ year: Range<Month>, in euro: Currency, today: Day) throws
  -> some View
{
  // begin
  let months = try ledger.read { try $0.months(year, today: today) }
  Chart(months, id: \.month) { month in
    BarMark(
      x: .value("Month", month.month.description),
      y: .value("Spent", Int(clamping: month.totals(in: euro).expense.units)))
  }
  // end
}

// lines: A budget screen
@ViewBuilder @MainActor
func budgetScreen(_ ledger: Ledger, today: Day) throws -> some View {
  // begin
  let budgets = try ledger.read { try $0.budgetStatuses(today: today) }
  List(budgets, id: \.budget.id) { status in
    ProgressView(value: status.share.map { Double($0.perMille) / 1_000 }) {
      LabeledContent(status.budget.name, value: status.remaining.description)
    }
  }
  // end
}
