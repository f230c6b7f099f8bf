import Synchronization

/// Why a value on the command line is invalid.
struct ArgumentComplaint: Sendable {
  /// A reason that can follow the value in a sentence, such as `there is no month 13`.
  var reason: String
  /// What to write instead.
  var remedy: String
}

/// Remembers why values were rejected, until the failure is printed.
///
/// ArgumentParser lets an argument type reject a value, but not give a reason.
enum ArgumentComplaints {
  private static let known = Mutex<[String: ArgumentComplaint]>([:])

  /// Remembers why a value is invalid.
  static func note(_ value: String, _ complaint: ArgumentComplaint) {
    known.withLock { $0[value] = complaint }
  }

  /// Why a value is invalid, if it was noted.
  static func complaint(about value: String) -> ArgumentComplaint? {
    known.withLock { $0[value] }
  }
}
