public import DaybookEntities
public import DaybookJournal

/// Options for appending a decision.
public struct AppendOptions: Sendable {
  /// The author of the change, for history; empty if unknown.
  public var author: String
  /// The newest commit that the caller has seen; the append is refused if the ledger has a newer
  /// one.
  public var expecting: Token?
  /// A key that identifies the request, so that repeating the request has no effect.
  public var idempotencyKey: [UInt8]?
  /// A digest of the request's content; using the key again with a different digest is an error.
  public var requestDigest: Hash256?
  /// Whether to append even if the journal lacks acknowledged commits.
  var acceptsLoss = false

  /// Creates options; by default there is no author, and newer commits are allowed.
  public init(
    author: String = "", expecting: Token? = nil, idempotencyKey: [UInt8]? = nil,
    requestDigest: Hash256? = nil
  ) {
    self.author = author
    self.expecting = expecting
    self.idempotencyKey = idempotencyKey
    self.requestDigest = requestDigest
  }
}

/// The result of an append.
public struct Appended<Result: Sendable>: Sendable {
  /// The token of the commit that contains the decision.
  ///
  /// If the decision changed nothing, this is the token of the newest commit.
  public let token: Token
  /// The decision's return value, or `nil` if an earlier append used the same idempotency key.
  public let result: Result?
  /// The sequence of the commit.
  public var sequence: UInt64 { token.sequence }
}

/// A request to the writer.
struct AppendRequest: Sendable {
  let options: AppendOptions
  /// Runs the decision and stores its return value.
  let decide: @Sendable (DecisionContext) throws -> Void
  /// Reports the commit to the caller, and whether the request repeats an earlier one.
  let answer: @Sendable (Result<(token: Token, isRepeat: Bool), any Error>) -> Void
}

/// A job for the journal's stage.
enum WriterJob: Sendable {
  /// An append; consecutive appends share a flush.
  case append(AppendRequest)
  /// Any other work, which runs between appends.
  case exclusive(@Sendable (Writer) -> Void)
  /// Work that runs whatever the state of the store, such as resuming it.
  case control(@Sendable (Writer) -> Void)
}

/// Stores a decision's return value until its commit is durable.
///
/// Unchecked `Sendable`: the writer's thread sets the value before it answers, and the caller reads
/// the value after the answer.
final class ResultBox<Value>: @unchecked Sendable {
  var value: Value?
}
