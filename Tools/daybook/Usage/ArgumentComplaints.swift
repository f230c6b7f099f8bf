import Synchronization

/// The reason why a value on the command line is invalid.
struct ArgumentComplaint: Sendable {
  /// A reason that can follow the value in a sentence, such as `there is no month 13`.
  var reason: String
  /// The remedy, such as the correct form.
  var remedy: String
}

/// The reasons why values were rejected, stored until the failure is printed.
///
/// In ArgumentParser, an argument type can reject a value, but can't give a reason.
enum ArgumentComplaints {
  private static let known = Mutex<[String: ArgumentComplaint]>([:])

  /// Stores the reason why a value is invalid.
  static func note(_ value: String, _ complaint: ArgumentComplaint) {
    known.withLock { $0[value] = complaint }
  }

  /// Returns the stored reason why a value is invalid, if any.
  static func complaint(about value: String) -> ArgumentComplaint? {
    known.withLock { $0[value] }
  }
}
