/// What an idempotency key stands for: SHA-256 of the commands as they were given, as an array in their
/// JSON form on one line.
///
/// What stands at its default is left out of that form, so that properties that later versions add do not
/// change the digests of earlier requests.
enum RequestDigest {
  /// The digest of commands.
  ///
  /// - Throws: ``DaybookError`` with the code `limitExceeded` where a number is too large for JSON; no
  ///   ledger has such a number.
  static func digest(of commands: [Command]) throws(DaybookError) -> Hash256 {
    do {
      return Hash256(hashing: Array(try JSONValue(commands).line.utf8))
    } catch {
      throw DaybookError(
        code: .limitExceeded, message: "The commands cannot be told apart by a key: \(error).",
        remedy: "Nothing was recorded; check the numbers, or append without a key.", cause: error)
    }
  }
}
