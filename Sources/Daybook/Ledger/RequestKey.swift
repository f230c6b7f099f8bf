internal import DaybookJournal

/// An idempotency key for a request that isn't a list of commands, such as a file import.
public struct RequestKey: Hashable, Sendable {
  /// The key, as for `append`.
  public var text: String
  /// A text that identifies the request; equal requests must have equal texts.
  public var request: String

  /// Creates a key for a request.
  public init(_ text: String, of request: String) {
    self.text = text
    self.request = request
  }

  /// The digest of the request, which is stored with the commit.
  var digest: Hash256 { Hash256(hashing: Array(request.utf8)) }
}

extension Ledger {
  /// Returns the receipt of the request recorded under the given key, or `nil` if the key is new.
  ///
  /// - Returns: A receipt with `isRepeat` set. Unless the commit has been purged, its single
  ///   outcome contains the recorded transactions.
  /// - Throws: ``DaybookError`` with the codes `keyReused` if the key was used for another request,
  ///   `limitExceeded` if the key is empty or too long, `closed` or `system`.
  /// - Complexity: O(changes of the commit).
  public func receipt(for key: RequestKey) throws(DaybookError) -> Receipt? {
    try check(key: key.text)
    do {
      guard let row = try store.lookUp(key: Array(key.text.utf8)) else { return nil }
      guard row.requestDigest == key.digest else { throw Self.reused(at: row.sequence) }
      return try repeated(
        [.importRows([], ImportOptions())], store.token(ofKept: row.sequence))
    } catch {
      throw .wrapping(error)
    }
  }

  private static func reused(at sequence: UInt64) -> DaybookError {
    DaybookError(
      code: .keyReused,
      message: "The idempotency key was used for another request at commit \(sequence).",
      remedy: "Use a new key for a new request.")
  }
}
