public import Daybook
public import DaybookBookkeeping
public import Foundation

/// The folder with the files that are attached to transactions, next to the ledger.
///
/// The files of `Household.daybook` are in `Household.attachments`. Each is stored once, under its
/// hash, and never changes. Its name, size and hash are in the ledger
/// (``TransactionDetails/attachments``):
///
/// ```swift
/// let receipt = try ledger.attachments.add(data, named: "receipt.pdf")
/// var amendment = Amendment()
/// amendment.attachments = transaction.attachments + [receipt]
/// try await ledger.append(.amend(transaction.id, amendment))
/// ```
///
/// `Ledger.backup(to:)` and sync don't copy the files; for a backup, use ``copy(_:from:)``.
public struct AttachmentFolder: Hashable, Sendable {
  /// The folder, which is created when the first file is added.
  public let url: URL

  /// The maximum size of a file in bytes: 64 MiB.
  public static let byteCountMax = 64 << 20

  /// The folder next to the ledger at a file URL.
  public init(ofLedgerAt ledger: URL) {
    let folder = ledger.standardizedFileURL
    let name = folder.pathExtension == "daybook" ? folder.deletingPathExtension() : folder
    url = name.appendingPathExtension("attachments")
  }

  /// Copies a file into the folder, unless a file with the same contents is there.
  ///
  /// - Returns: What to record in the transaction.
  /// - Throws: ``DaybookError`` with the code `limitExceeded` if the file is too large, or `system`
  ///   if it can't be written.
  public func add(_ contents: Data, named name: String) throws(DaybookError) -> Attachment {
    guard contents.count <= Self.byteCountMax else {
      throw DaybookError(
        code: .limitExceeded,
        message: "Couldn't attach “\(name)”: it has \(contents.count) bytes, and the limit is "
          + "\(Self.byteCountMax).",
        remedy: "Attach a smaller file.")
    }
    let attachment = Attachment(
      name: name, hash: Hash256(hashing: Array(contents)), byteCount: Int64(contents.count))
    let place = location(of: attachment)
    if (try? self.contents(of: attachment)) != nil { return attachment }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try contents.write(to: place, options: .atomic)
    } catch {
      throw DaybookError(
        code: .system,
        message: "Couldn't attach “\(name)”: \(error.localizedDescription)".asSentence,
        remedy: "Check the folder “\(url.path(percentEncoded: false))”.", cause: error)
    }
    return attachment
  }

  /// Reads an attached file.
  ///
  /// - Throws: ``DaybookError`` with the code `system` if the file isn't there or can't be read, or
  ///   `damaged` if its contents have changed.
  public func contents(of attachment: Attachment) throws(DaybookError) -> Data {
    let place = location(of: attachment)
    let contents: Data
    do {
      contents = try Data(contentsOf: place)
    } catch {
      let isMissing = !contains(attachment)
      throw DaybookError(
        code: .system,
        message: isMissing
          ? "“\(attachment.name)” isn't on this device."
          : "Couldn't read “\(attachment.name)”: \(error.localizedDescription)".asSentence,
        remedy: isMissing
          ? "Copy it from another device to “\(place.path(percentEncoded: false))”, or attach it "
            + "again."
          : "Check the file “\(place.path(percentEncoded: false))”.", cause: error)
    }
    guard Hash256(hashing: Array(contents)) == attachment.hash else {
      throw DaybookError(
        code: .damaged,
        message:
          "“\(attachment.name)” isn't the file that was attached: its contents have changed.",
        remedy: "Restore “\(place.path(percentEncoded: false))” from a backup, or attach the file "
          + "again.")
    }
    return contents
  }

  /// Whether the file is there; its contents aren't checked.
  public func contains(_ attachment: Attachment) -> Bool {
    FileManager.default.fileExists(atPath: location(of: attachment).path(percentEncoded: false))
  }

  /// The place of an attached file, whether it is there or not: its hash, with the extension of its
  /// name.
  public func location(of attachment: Attachment) -> URL {
    let words = attachment.name.split(separator: ".", omittingEmptySubsequences: false)
    let suffix = words.dropFirst().last?.lowercased() ?? ""
    let isPlain =
      (1...8).contains(suffix.utf8.count)
      && suffix.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
    return url.appending(
      path: "\(attachment.hash)" + (isPlain ? ".\(suffix)" : ""), directoryHint: .notDirectory)
  }

  /// Copies attached files that aren't there yet from another folder, such as a backup's.
  ///
  /// - Returns: The number of files copied.
  /// - Throws: ``DaybookError`` as ``add(_:named:)`` and ``contents(of:)``.
  @discardableResult
  public func copy(
    _ attachments: some Sequence<Attachment>, from other: AttachmentFolder
  ) throws(DaybookError) -> Int {
    var count = 0
    for attachment in attachments where !contains(attachment) && other.contains(attachment) {
      _ = try add(other.contents(of: attachment), named: attachment.name)
      count += 1
    }
    return count
  }

  /// Deletes the files that aren't among the given attachments.
  ///
  /// After a change is undone, a transaction can have a file again that none has now.
  ///
  /// - Parameters:
  ///   - attachments: The attachments whose files are kept, usually all of the ledger.
  ///   - dryRun: Whether to delete nothing.
  /// - Returns: The names of the deleted files in the folder.
  /// - Throws: ``DaybookError`` with the code `system` if a file can't be deleted.
  @discardableResult
  public func removeAll(
    except attachments: some Sequence<Attachment>, dryRun: Bool = false
  ) throws(DaybookError) -> [String] {
    let kept = Set(attachments.map { location(of: $0).lastPathComponent })
    let path = url.path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    // Other people's files are left alone.
    let unused = names.sorted().filter { name in
      !kept.contains(name) && Hash256(name.prefix { $0 != "." }) != nil
    }
    if dryRun { return unused }
    for name in unused {
      do {
        try FileManager.default.removeItem(at: url.appending(path: name))
      } catch {
        throw DaybookError(
          code: .system,
          message: "Couldn't delete “\(name)”: \(error.localizedDescription)".asSentence,
          remedy: "Check the folder “\(path)”.", cause: error)
      }
    }
    return unused
  }
}

extension Ledger {
  /// The files that are attached to transactions, in a folder next to the ledger.
  public var attachments: AttachmentFolder { AttachmentFolder(ofLedgerAt: url) }
}
