/// The newest commit of a ledger and its link in the hash chain, for storing elsewhere.
///
/// The chain proves that nothing in the journal was changed. An anchor stored elsewhere also proves
/// that no commits were removed from the journal's end, and that the journal was not replaced with
/// another.
public struct LedgerAnchor: Hashable, Sendable {
  /// The ledger's identity.
  public let store: EntityID
  /// The newest commit when the anchor was created.
  public let sequence: UInt64
  /// The commit's link (32 bytes), which is a digest of all history up to the commit.
  public let link: Hash256

  /// The anchor as three lines of text.
  public var text: String {
    "daybook anchor\nstore \(store)\ncommit \(sequence) \(link)\n"
  }

  /// Parses an anchor; returns `nil` if the text isn't an anchor.
  public init?(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    guard lines.count == 3, lines[0] == ["daybook", "anchor"], lines[1].count == 2,
      lines[1][0] == "store", let store = EntityID(String(lines[1][1])), lines[2].count == 3,
      lines[2][0] == "commit", let sequence = UInt64(lines[2][1]),
      let link = Hash256(lines[2][2])
    else { return nil }
    self.init(store: store, sequence: sequence, link: link)
  }

  init(store: EntityID, sequence: UInt64, link: Hash256) {
    self.store = store
    self.sequence = sequence
    self.link = link
  }
}

extension Ledger {
  /// Returns the newest commit and its link, to be stored outside the ledger.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed`, `damaged` or `system`.
  public func anchor() throws(DaybookError) -> LedgerAnchor {
    do {
      let head = try store.newestLink()
      return LedgerAnchor(store: head.store, sequence: head.sequence, link: head.link)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Compares the ledger with an anchor created earlier.
  ///
  /// - Returns: A sentence that describes the mismatch. `nil` if the ledger continues from the
  ///   anchor, or if it can't be checked because the anchor's commit has been purged.
  /// - Throws: ``DaybookError`` with the codes `closed`, `damaged` or `system`.
  public func fault(against anchor: LedgerAnchor) throws(DaybookError) -> String? {
    do {
      let head = try store.newestLink()
      guard head.store == anchor.store else {
        return "The anchor belongs to another ledger (\(anchor.store), not \(head.store))."
      }
      guard head.sequence >= anchor.sequence else {
        return
          "The ledger ends with commit \(head.sequence), but the anchor is of commit "
          + "\(anchor.sequence): history was cut off, or the ledger was replaced with an older "
          + "copy."
      }
      guard let link = try store.link(at: anchor.sequence) else { return nil }
      guard link == anchor.link else {
        return "Commit \(anchor.sequence) doesn't match the anchor: history was replaced."
      }
      return nil
    } catch {
      throw .wrapping(error)
    }
  }
}
