public import Entities
public import Journal

/// How a decision is to be appended.
public struct AppendOptions: Sendable {
  /// Who made the change, for history; empty where nobody says.
  public var author: String
  /// The last commit that the caller has seen: the append is refused where there are later ones.
  public var expecting: Token?
  /// Names the request, so that repeating it does nothing.
  public var idempotencyKey: [UInt8]?
  /// Digest of the request's content: the same key with another digest is an error.
  public var requestDigest: Hash256?

  /// Appends for nobody in particular, whatever was committed before.
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

/// What an append came to.
public struct Appended<Result: Sendable>: Sendable {
  /// The commit that holds the decision; the newest one where the decision changed nothing.
  public let token: Token
  /// What the decision returned; `nil` where the request had been appended before under its
  /// idempotency key.
  public let result: Result?
  /// The sequence of the commit.
  public var sequence: UInt64 { token.sequence }
}

/// One request on its way through the writer.
struct AppendRequest: Sendable {
  let options: AppendOptions
  /// Runs the decision and keeps what it returns.
  let decide: @Sendable (DecisionContext) throws -> Void
  /// Answers the caller: the commit, and whether it had been there before.
  let answer: @Sendable (Result<(token: Token, isRepeat: Bool), any Error>) -> Void
}

/// What the journal's stage is asked to do.
enum WriterJob: Sendable {
  /// Appends; neighbouring ones share a flush.
  case append(AppendRequest)
  /// Does something else.
  case exclusive(@Sendable (Writer) -> Void)
}

/// Keeps what a decision returned until its commit is durable.
///
/// Unchecked `Sendable`: set on the writer's thread before the answer, read after it.
final class ResultBox<Value>: @unchecked Sendable {
  var value: Value?
}
