public import DaybookEntities
public import DaybookJournal

/// Options for appending a decision.
public struct AppendOptions: Sendable {
  /// The author of the change, for history; empty if unknown.
  public var author: String
  /// The newest commit that the caller has seen: the append is refused if there are newer ones.
  public var expecting: Token?
  /// A key that identifies the request, so that repeating it has no effect.
  public var idempotencyKey: [UInt8]?
  /// The digest of the request's content: using the same key with another digest is an error.
  public var requestDigest: Hash256?

  /// Creates options; by default there is no author, and earlier commits don't matter.
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
  /// The commit that contains the decision, or the newest commit if the decision changed nothing.
  public let token: Token
  /// The decision's return value; `nil` if the request had already been appended under its
  /// idempotency key.
  public let result: Result?
  /// The sequence of the commit.
  public var sequence: UInt64 { token.sequence }
}

/// A request to the writer.
struct AppendRequest: Sendable {
  let options: AppendOptions
  /// Runs the decision and stores its return value.
  let decide: @Sendable (DecisionContext) throws -> Void
  /// Reports the commit to the caller, and whether it repeats an earlier one.
  let answer: @Sendable (Result<(token: Token, isRepeat: Bool), any Error>) -> Void
}

/// A job for the journal's stage.
enum WriterJob: Sendable {
  /// An append; adjacent ones share a flush.
  case append(AppendRequest)
  /// Any other work, which runs between appends.
  case exclusive(@Sendable (Writer) -> Void)
}

/// Stores a decision's return value until its commit is durable.
///
/// Unchecked `Sendable`: the writer's thread sets it before it answers, and the caller reads it
/// after that.
final class ResultBox<Value>: @unchecked Sendable {
  var value: Value?
}
