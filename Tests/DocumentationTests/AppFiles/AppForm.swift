// A form that records what was spent, as an app has it: besides the list, the budgets and the chart of
// ArticleViews.swift, what files of apps are made of.
import Charts
import Daybook
import Foundation
import SwiftData
import SwiftUI

struct ExpenseForm: View {
  let ledger: Ledger
  let accounts: [Account]
  let today: Day
  @State private var payee = ""
  @State private var amount = ""
  @State private var account: AccountID?
  @State private var problem: String?

  var body: some View {
    Form {
      Section("What") {
        TextField("Payee", text: $payee)
        TextField("Amount", text: $amount)
      }
      Section("From") {
        Picker("Account", selection: $account) {
          ForEach(accounts) { account in Text(account.name).tag(AccountID?.some(account.id)) }
        }
      }
      if let problem { Text(problem) }
      Button("Record") { Task { await record() } }
    }
  }

  private func record() async {
    guard let from = accounts.first(where: { $0.id == account }) else { return }
    do {
      let money = try Money.parse(amount, currency: from.currency)
      try await ledger.append(
        .record(.expense(money, from: from.id, on: today, payee: payee)))
      (payee, amount, problem) = ("", "", nil)
    } catch {
      problem = "\(error)"
    }
  }
}
