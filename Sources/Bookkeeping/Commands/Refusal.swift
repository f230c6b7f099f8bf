public import Entities

/// Why a command was not accepted: nothing of it was written.
public struct Refusal: Error, Sendable {
  /// What to switch on.
  public var code: Code
  /// What, where and why, and what to do about it, with names.
  public var message: String
  /// The entities it is about.
  public var subjects: [EntityID]
  /// Every bad row, where the command was an import.
  public var rows: [RowFault] = []
  /// The rates that are not there, where the code is `noRate` or `rows`.
  public var missingRates: [MissingRates] = []
  /// The error below, where State could not be read or written.
  public var cause: (any Error)?

  /// Why a command is refused: a sentence, and the entities that it is about.
  public init(_ code: Code, _ message: String, _ subjects: [EntityID] = []) {
    self.code = code
    self.message = message
    self.subjects = subjects
  }

  /// What sort of refusal it is.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// An amount or sum does not fit.
    case overflow
    /// A day outside of 0001-01-01 to 9999-12-31, or a span that ends before it begins.
    case day
    /// A currency that neither ISO 4217 nor the ledger has, or with other decimals.
    case currency
    /// Postings that do not sum to zero in every currency.
    case unbalanced
    /// An account, category, transaction or other entity that is not there.
    case missing
    /// An amount in another currency than its account.
    case currencyMismatch
    /// A rate that would be needed is not there.
    case noRate
    /// A name or text that is empty, too long or has characters that can't be.
    case text
    /// A name that is taken.
    case duplicateName
    /// An id that is taken.
    case duplicateID
    /// A negative amount.
    case negative
    /// A transfer of nothing, or to the account it comes from.
    case transfer
    /// A reconciled transaction's account, day or amount.
    case reconciled
    /// Figures of a closed period.
    case closedPeriod
    /// An account or category that is closed or deleted.
    case closed
    /// Something in use that can't go like this.
    case inUse
    /// A category that would be above itself.
    case cycle
    /// A category of the other kind, or another account where the kind does not allow it.
    case kind
    /// More than `Limits` allow.
    case limit
    /// Somebody else changed the same property, and the merge policy is `error`.
    case conflict
    /// A change that this transaction's postings do not allow.
    case shape
    /// Something built in.
    case builtin
    /// A value that is not allowed.
    case value
    /// Parts that do not add up to the total of an imported transaction.
    case importedTotal
    /// Rows of an import; see `rows`.
    case rows
    /// State could not be read or written; see `cause`.
    case state
  }
}

extension Refusal: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension Refusal {
  /// Wraps an error of State.
  init(state error: any Error) {
    self.init(.state, "the ledger's state could not be used: \(error)")
    cause = error
  }
}

/// Runs what may throw any error of State, and wraps it.
@inline(__always)
func reading<Value>(_ body: () throws -> Value) throws(Refusal) -> Value {
  do {
    return try body()
  } catch let refusal as Refusal {
    throw refusal
  } catch {
    throw Refusal(state: error)
  }
}
