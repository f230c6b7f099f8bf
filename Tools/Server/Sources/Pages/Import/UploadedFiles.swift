import Daybook
import DaybookInterchange
import Synchronization

/// Uploaded files that have yet to be confirmed, kept in memory only.
final class UploadedFiles: Sendable {
  /// The maximum number of files kept at once; a new file replaces the oldest.
  static let countMax = 4

  private let files = Mutex<[(id: String, file: RawFile)]>([])

  /// Adds a file and returns its id.
  func put(_ file: RawFile) -> String {
    let id = "\(AccountID.random())"
    files.withLock { files in
      files.append((id, file))
      if files.count > Self.countMax { files.removeFirst() }
    }
    return id
  }

  func file(_ id: String) -> RawFile? { files.withLock { $0.first { $0.id == id }?.file } }

  func remove(_ id: String) { files.withLock { $0.removeAll { $0.id == id } } }
}
