import Foundation

/// Where a device keeps the secrets of a shared ledger: a file, a keychain, or what an app brings.
///
/// It is asked from one task at a time.
public protocol SecretStore: Sendable {
  /// The secrets, or `nil` where none were saved.
  func load() throws -> SyncSecrets?
  /// Keeps secrets in place of those before; kept for good when it returns.
  func save(_ secrets: SyncSecrets) throws
  /// Forgets them.
  func remove() throws
}

/// Secrets in a file that only its owner may read.
public struct FileSecrets: SecretStore {
  /// The file.
  public let path: String

  /// Secrets in a file.
  public init(path: String) { self.path = path }

  /// Reads the file.
  ///
  /// - Throws: ``SyncError`` with the code `secrets`.
  public func load() throws -> SyncSecrets? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode(SyncSecrets.self, from: data)
    } catch {
      throw SyncError(
        .secrets, "The secrets in \(path) cannot be read: \(error.localizedDescription)",
        remedy: "Restore the file from where you kept it, or join again into a new folder.")
    }
  }

  /// Writes the file beside its place, and puts it there whole.
  ///
  /// - Throws: ``SyncError`` with the code `secrets`.
  public func save(_ secrets: SyncSecrets) throws {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      let new = path + ".new"
      try? FileManager.default.removeItem(atPath: new)
      guard
        FileManager.default.createFile(
          atPath: new, contents: nil, attributes: [.posixPermissions: 0o600]),
        let file = FileHandle(forWritingAtPath: new)
      else { throw CocoaError(.fileWriteUnknown) }
      try file.write(contentsOf: try encoder.encode(secrets))
      try file.synchronize()
      try file.close()
      guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      throw SyncError(
        .secrets, "The secrets cannot be kept in \(path): \(error.localizedDescription)",
        remedy: "Make room, or allow this user to write there, and try again.")
    }
  }

  /// Removes the file.
  public func remove() throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}

extension SyncError {
  /// The ledger is shared, and the secrets that open what the others recorded are gone.
  static func missingSecrets(_ store: any SecretStore) -> SyncError {
    guard let file = store as? FileSecrets else {
      return SyncError(
        .missingKey, "The ledger is shared, but its key is not on this device.",
        remedy: "Put this device's secrets back, or join again into a new folder.")
    }
    return SyncError(
      .missingKey, "The ledger is shared, but its key is missing: there is no file \(file.path).",
      remedy: "Restore that file from where you kept it, such as the original's folder. If it is "
        + "gone, show a code on another device with `daybook sync invite`, and join into a new folder."
    )
  }
}
