import Daybook
import Interchange
import Synchronization

/// Files that were dropped and wait for a yes, in memory: no file of the machine is read or written.
final class UploadedFiles: Sendable {
  /// So many files at once; the oldest goes for a new one.
  static let countMax = 4

  private let files = Mutex<[(id: String, file: RawFile)]>([])

  /// Keeps a file, and says by what it is found again.
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
