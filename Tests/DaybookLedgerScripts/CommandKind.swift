package import Daybook

/// The commands of a ledger, each of which a ``ScriptWriter`` writes.
///
/// A new command has to join: without it this file doesn't compile, and without being written it fails
/// `EveryCommandIsWrittenTests`.
package enum CommandKind: String, CaseIterable, Sendable {
  case openAccount, amendAccount, closeAccount, reopenAccount
  case deleteAccount, mergeAccounts, setOpening, correctBalance
  case createCategory, amendCategory, deleteCategory, mergeCategories
  case record, amend, delete, reconcile
  case unreconcile, closePeriod, reopenPeriod, setRate
  case removeRate, setSettings, defineCurrency, assertBalance
  case removeAssertion, putBudget, removeBudget, putSeries
  case amendSeries, removeSeries, pauseSeries, resumeSeries
  case stopSeries, skipOccurrence, unskipOccurrence, generateDue
  case link, unlink, linkTransfer, unlinkTransfer, putRule, removeRule
  case setRules, applyRules, putMapping, removeMapping
  case assign, assignPayment, moveMoney, removeMove
  case setTerms, removeTerms, postInterest, payLoan, repayLoan
  case importRows

  /// What kind of command it is.
  package init(_ command: Command) {
    self =
      switch command {
      case .openAccount: .openAccount
      case .amendAccount: .amendAccount
      case .closeAccount: .closeAccount
      case .reopenAccount: .reopenAccount
      case .deleteAccount: .deleteAccount
      case .mergeAccounts: .mergeAccounts
      case .setOpening: .setOpening
      case .correctBalance: .correctBalance
      case .createCategory: .createCategory
      case .amendCategory: .amendCategory
      case .deleteCategory: .deleteCategory
      case .mergeCategories: .mergeCategories
      case .record: .record
      case .amend: .amend
      case .delete: .delete
      case .reconcile: .reconcile
      case .unreconcile: .unreconcile
      case .closePeriod: .closePeriod
      case .reopenPeriod: .reopenPeriod
      case .setRate: .setRate
      case .removeRate: .removeRate
      case .setSettings: .setSettings
      case .defineCurrency: .defineCurrency
      case .assertBalance: .assertBalance
      case .removeAssertion: .removeAssertion
      case .putBudget: .putBudget
      case .removeBudget: .removeBudget
      case .putSeries: .putSeries
      case .amendSeries: .amendSeries
      case .removeSeries: .removeSeries
      case .pauseSeries: .pauseSeries
      case .resumeSeries: .resumeSeries
      case .stopSeries: .stopSeries
      case .skipOccurrence: .skipOccurrence
      case .unskipOccurrence: .unskipOccurrence
      case .generateDue: .generateDue
      case .link: .link
      case .unlink: .unlink
      case .linkTransfer: .linkTransfer
      case .unlinkTransfer: .unlinkTransfer
      case .putRule: .putRule
      case .removeRule: .removeRule
      case .setRules: .setRules
      case .applyRules: .applyRules
      case .putMapping: .putMapping
      case .removeMapping: .removeMapping
      case .assign: .assign
      case .assignPayment: .assignPayment
      case .moveMoney: .moveMoney
      case .removeMove: .removeMove
      case .setTerms: .setTerms
      case .removeTerms: .removeTerms
      case .postInterest: .postInterest
      case .payLoan: .payLoan
      case .repayLoan: .repayLoan
      case .importRows: .importRows
      }
  }
}
