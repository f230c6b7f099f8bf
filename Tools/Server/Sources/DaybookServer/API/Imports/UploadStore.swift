import Daybook
import Interchange
import Synchronization

/// Files that were sent and wait to be recorded, in memory: no file of the machine is read or written.
final class UploadStore: Sendable {
  /// A file that was sent.
  struct Upload: Sendable {
    var id: EntityID
    var file: RawFile
    fileprivate var at: ContinuousClock.Instant
  }

  /// So many files at once; the oldest goes for a new one.
  static let countMax = 8
  /// So many bytes a file may have.
  static let byteCountMax = 64 << 20
  /// So many bytes all of them may have.
  static let byteCountSumMax = 128 << 20
  /// After so long without a word a file goes.
  static let lifetime = Duration.seconds(3_600)

  private let uploads = Mutex<[Upload]>([])

  /// Keeps a file.
  func put(_ file: RawFile) -> Upload {
    let upload = Upload(id: AccountID.random().rawValue, file: file, at: .now)
    uploads.withLock { uploads in
      uploads.removeAll { $0.at.duration(to: .now) > Self.lifetime }
      uploads.append(upload)
      while uploads.count > Self.countMax
        || uploads.reduce(0, { $0 + $1.file.bytes.count }) > Self.byteCountSumMax
      { uploads.removeFirst() }
    }
    return upload
  }

  /// A file that is kept.
  func upload(_ id: EntityID) -> Upload? {
    uploads.withLock { uploads in
      guard let index = uploads.firstIndex(where: { $0.id == id }) else { return nil }
      uploads[index].at = .now
      return uploads[index]
    }
  }

  /// Lets go of a file; whether it was there.
  func remove(_ id: EntityID) -> Bool {
    uploads.withLock { uploads in
      let count = uploads.count
      uploads.removeAll { $0.id == id }
      return uploads.count < count
    }
  }
}
