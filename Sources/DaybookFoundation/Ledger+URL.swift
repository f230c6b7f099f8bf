public import Daybook
public import Foundation

extension Ledger {
  /// Opens the ledger in the folder at a file URL, creating it, and missing parent folders, if there
  /// is none.
  ///
  /// Otherwise, this is the method that takes a path. Prefer URLs to paths in apps: `url.path()` is
  /// percent-encoded, so it isn't a path.
  ///
  /// - Throws: ``DaybookError`` with the code `system` if the URL isn't a file URL or a parent folder
  ///   can't be created, and with the codes of opening by path.
  public static func open(at url: URL, options: Options = Options()) async throws(DaybookError)
    -> Ledger
  {
    let path = try url.folderPath(makingParents: options.createsIfMissing && !options.isReadOnly)
    return try await open(at: path, options: options)
  }

  /// Opens the ledger at a file URL, passes it to `body`, and closes it, even if `body` throws.
  ///
  /// - Throws: The errors of `body`; ``DaybookError`` if opening or closing fails.
  public static func withLedger<Result>(
    at url: URL, options: Options = Options(), _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    let path = try url.folderPath(makingParents: options.createsIfMissing && !options.isReadOnly)
    return try await withLedger(at: path, options: options, body)
  }

  /// Copies the ledger to a new folder at a file URL, creating missing parent folders.
  ///
  /// - Throws: ``DaybookError`` as `backup(to:)` with a path.
  public func backup(to url: URL) async throws(DaybookError) {
    try await backup(to: url.folderPath(makingParents: true))
  }

  /// Copies the ledger for reading to a folder at a file URL, creating missing parent folders.
  ///
  /// - Returns: Whether anything was copied.
  /// - Throws: ``DaybookError`` as `snapshotCopy(to:)` with a path.
  @discardableResult
  public func snapshotCopy(to url: URL) async throws(DaybookError) -> Bool {
    try await snapshotCopy(to: url.folderPath(makingParents: true))
  }

  /// Restores a backup into a new folder at a file URL, creating missing parent folders.
  ///
  /// - Throws: ``DaybookError`` as `restore(from:to:)` with paths.
  public static func restore(from backup: URL, to url: URL) async throws(DaybookError) {
    try await restore(
      from: backup.folderPath(makingParents: false), to: url.folderPath(makingParents: true))
  }

  /// The folder of the ledger.
  public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
}

extension LedgerPool {
  /// Passes the ledger at a file URL to a closure, opening or creating it if necessary.
  ///
  /// - Throws: The errors of `body`; ``DaybookError`` as `withLedger(at:_:)` with a path.
  public nonisolated func withLedger<Value>(
    at url: URL, _ body: (Ledger) async throws -> Value
  ) async throws -> Value {
    try await withLedger(at: url.folderPath(makingParents: createsIfMissing), body)
  }

  /// Closes the ledger at a file URL once it is idle.
  ///
  /// - Throws: ``DaybookError`` as `closeLedger(at:)` with a path.
  public func closeLedger(at url: URL) async throws(DaybookError) {
    try await closeLedger(at: url.folderPath(makingParents: false))
  }
}

extension URL {
  /// The path of the folder, without percent-encoding.
  ///
  /// - Parameter makingParents: Whether to create missing parent folders.
  fileprivate func folderPath(makingParents: Bool) throws(DaybookError) -> String {
    guard isFileURL else {
      throw DaybookError(
        code: .system, message: "Couldn't use “\(absoluteString)”: it isn't the URL of a file.",
        remedy: "Pass a file URL, such as one from FileManager.")
    }
    let path = standardizedFileURL.path(percentEncoded: false)
    let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard makingParents else { return folder }
    let parent = URL(filePath: folder).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw DaybookError(
        code: .system,
        message: "Couldn't create the folder “\(parent.path(percentEncoded: false))”: "
          + "\(error.localizedDescription)".asSentence,
        remedy: "Check the URL and the permissions of its folders.", cause: error)
    }
    return folder
  }
}
