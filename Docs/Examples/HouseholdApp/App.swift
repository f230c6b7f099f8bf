public import Daybook
public import DaybookFoundation
import DaybookTesting
public import SwiftUI

/// The root of the app: opens the ledger, and follows the phases of the scene.
public struct HouseholdRoot: View {
  @Environment(Household.self) private var household
  @Environment(\.scenePhase) private var phase

  /// The root view.
  public init() {}

  /// Nothing until the ledger is open.
  public var body: some View {
    Form {
      switch household.state {
      case .opening: Text("Opening…")
      case .open(let ledger): HouseholdScreen(ledger: ledger, today: .today())
      case .failed(let error): Text(error.description)
      }
    }
    .task { await household.open() }
    .onChange(of: phase) {
      Task {
        switch phase {
        case .active: await household.becomeActive()
        case .background: await household.enterBackground()
        default: break
        }
      }
    }
  }
}

/// The list of transactions, with budgets above it.
struct HouseholdScreen: View {
  let ledger: Ledger
  @State private var pager: TransactionPager
  @State private var budgets: Live<[BudgetStatus]>
  @State private var sharing: Sharing

  init(ledger: Ledger, today: Day) {
    self.ledger = ledger
    pager = TransactionPager(ledger)
    budgets = .budgets(today: today)
    sharing = Sharing(ledger)
  }

  var body: some View {
    List {
      ForEach(budgets.value ?? []) { status in
        LabeledContent(status.budget.name, value: status.remaining.description)
      }
      ForEach(pager.sections) { section in
        Section(section.day.description) {
          ForEach(section.rows) { row in
            LabeledContent(row.transaction.payee, value: row.transaction.amount?.description ?? "")
              .onAppear { pager.reached(row) }
          }
        }
      }
    }
    .searchable(text: $pager.text)
    .task { await pager.run() }
    .task { await budgets.run(on: ledger) }
    .task { await sharing.run() }
  }
}

extension Household {
  /// A household with sample data, for `#Preview`.
  public static func preview(through today: Day = .today()) async throws -> Household {
    let sample = SampleHousehold(seed: 1, transactionCount: 500, years: 2, through: today)
    return Household(try await sample.ledger())
  }
}
