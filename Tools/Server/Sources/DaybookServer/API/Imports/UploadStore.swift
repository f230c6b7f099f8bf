import Daybook
import DaybookInterchange
import Synchronization

/// Uploaded files that have yet to be imported, kept in memory only.
final class UploadStore: Sendable {
  /// An uploaded file.
  struct Upload: Sendable {
    var id: EntityID
    var file: RawFile
    fileprivate var at: ContinuousClock.Instant
  }

  /// The maximum number of files kept at once; a new file replaces the oldest.
  static let countMax = 8
  /// The maximum size of one file, in bytes.
  static let byteCountMax = 64 << 20
  /// The maximum size of all files together, in bytes.
  static let byteCountSumMax = 128 << 20
  /// The time for which a file is kept after its last use; expired files are removed at the next
  /// upload.
  static let lifetime = Duration.seconds(3_600)

  private let uploads = Mutex<[Upload]>([])

  /// Adds a file, and removes the oldest files if the limits are exceeded.
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

  /// Returns an upload and extends its lifetime, or `nil` if there is none with this id.
  func upload(_ id: EntityID) -> Upload? {
    uploads.withLock { uploads in
      guard let index = uploads.firstIndex(where: { $0.id == id }) else { return nil }
      uploads[index].at = .now
      return uploads[index]
    }
  }

  /// Removes a file and returns whether it existed.
  func remove(_ id: EntityID) -> Bool {
    uploads.withLock { uploads in
      let count = uploads.count
      uploads.removeAll { $0.id == id }
      return uploads.count < count
    }
  }
}
