import Synchronization

/// Why a value on the command line is none.
struct ArgumentComplaint: Sendable {
  /// What is wrong with the value, to follow it: `there is no month 13`.
  var reason: String
  /// What to write instead.
  var remedy: String
}

/// Remembers why values were not taken, until the person is told.
///
/// ArgumentParser lets a value say that it is none, but not why.
enum ArgumentComplaints {
  private static let known = Mutex<[String: ArgumentComplaint]>([:])

  /// Remembers what is wrong with a value.
  static func note(_ value: String, _ complaint: ArgumentComplaint) {
    known.withLock { $0[value] = complaint }
  }

  /// What is wrong with a value, if it has been said.
  static func complaint(about value: String) -> ArgumentComplaint? {
    known.withLock { $0[value] }
  }
}
