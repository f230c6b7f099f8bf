/// The digest of a request, which is stored with its idempotency key.
///
/// The digest is the SHA-256 of the commands in JSON, as an array on one line. The JSON form omits
/// members with default values, so properties added in later versions don't change the digests of
/// earlier requests.
enum RequestDigest {
  /// Returns the digest of commands.
  ///
  /// - Throws: ``DaybookError`` with the code `limitExceeded` if a number is too large for JSON; no
  ///   ledger contains such a number.
  static func digest(of commands: [Command]) throws(DaybookError) -> Hash256 {
    do {
      return Hash256(hashing: Array(try JSONValue(commands).line.utf8))
    } catch {
      throw DaybookError(
        code: .limitExceeded,
        message: "Couldn't use an idempotency key with these commands: \(error).",
        remedy: "Nothing was recorded. Check the numbers, or append without a key.", cause: error)
    }
  }
}
