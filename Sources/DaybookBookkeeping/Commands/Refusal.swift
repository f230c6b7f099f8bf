public import DaybookEntities

/// The reason a command was refused.
///
/// A refused command writes nothing.
public struct Refusal: Error, Sendable {
  /// The kind of refusal, for code to switch on.
  public var code: Code
  /// The problem, with the names of entities, and its solution.
  public var message: String
  /// The entities that the refusal is about.
  public var subjects: [EntityID]
  /// All bad rows, if the command was an import.
  public var rows: [RowFault] = []
  /// The missing rates, if the code is `noRate` or `rows`.
  public var missingRates: [MissingRates] = []
  /// The underlying error, if State could not be read or written.
  public var cause: (any Error)?

  /// Creates a refusal with a message and the entities it is about.
  public init(_ code: Code, _ message: String, _ subjects: [EntityID] = []) {
    self.code = code
    self.message = message
    self.subjects = subjects
  }

  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// An amount or sum is too large.
    case overflow
    /// A day outside 0001-01-01 to 9999-12-31, or a period that ends before it begins.
    case day
    /// A currency that neither ISO 4217 nor the ledger defines, or a currency with the wrong number
    /// of decimals.
    case currency
    /// Postings don't sum to zero in every currency.
    case unbalanced
    /// An account, category, transaction or other entity doesn't exist.
    case missing
    /// An amount in a currency other than its account's.
    case currencyMismatch
    /// A required exchange rate doesn't exist.
    case noRate
    /// A name or text is empty, too long or contains characters that aren't allowed.
    case text
    /// The name is already in use.
    case duplicateName
    /// The id is already in use.
    case duplicateID
    /// An amount is negative.
    case negative
    /// A transfer of zero, or to its own source account.
    case transfer
    /// The account, day or amount of a reconciled transaction can't change.
    case reconciled
    /// The figures of a closed period can't change.
    case closedPeriod
    /// The account or category is closed or deleted.
    case closed
    /// The entity is in use and can't be removed this way.
    case inUse
    /// A category would become its own ancestor.
    case cycle
    /// The kind of the category or account doesn't allow the change.
    case kind
    /// A limit in ``Limits`` is exceeded.
    case limit
    /// Another writer changed the same property, and the merge policy is `error`.
    case conflict
    /// The transaction's postings don't allow the change.
    case shape
    /// A built-in account or category can't be used here.
    case builtin
    /// A value isn't allowed.
    case value
    /// Parts don't add up to the total of an imported transaction.
    case importedTotal
    /// Rows of an import are invalid; see `rows`.
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
  /// Wraps an error thrown by State.
  init(state error: any Error) {
    self.init(.state, "couldn't use the ledger's state: \(error)")
    cause = error
  }
}

/// Runs `body`, and wraps any error other than a refusal.
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
