import Foundation

/// A store for the secrets of a shared ledger on one device: a file, a keychain, or an app's own
/// store.
///
/// It is called from one task at a time.
public protocol SecretStore: Sendable {
  /// Returns the secrets, or `nil` if none were saved.
  func load() throws -> SyncSecrets?
  /// Replaces the saved secrets.
  ///
  /// The new secrets must be durable when this method returns.
  func save(_ secrets: SyncSecrets) throws
  /// Removes the secrets.
  func remove() throws
}

/// A secret store that uses a file which only its owner can read.
public struct FileSecrets: SecretStore {
  /// The path of the file.
  public let path: String

  /// Creates a store for a file.
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
        .secrets, "Couldn't read the secrets in \(path): \(error.localizedDescription)",
        remedy: "Restore the file from a backup, or join again into a new folder.")
    }
  }

  /// Writes a new file and renames it, so that the file is never incomplete.
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
        .secrets, "Couldn't save the secrets in \(path): \(error.localizedDescription)",
        remedy: "Free some space, or make the folder writable, and try again.")
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
  /// Returns the error for a shared ledger whose secrets are lost, so that the log can't be
  /// decrypted.
  static func missingSecrets(_ store: any SecretStore) -> SyncError {
    guard let file = store as? FileSecrets else {
      return SyncError(
        .missingKey, "Couldn't sync: this ledger's key isn't on this device.",
        remedy: "Restore this device's secrets, or join again into a new folder.")
    }
    return SyncError(
      .missingKey,
      "Couldn't sync: this ledger's key is missing, because there is no file \(file.path).",
      remedy:
        "Restore the file from a backup or from the original folder. If it is lost, show a code on "
        + "another device with `daybook sync invite`, and join into a new folder."
    )
  }
}
