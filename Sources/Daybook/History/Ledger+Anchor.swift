/// The newest commit of a ledger and its link, to be kept elsewhere.
///
/// The chain shows that nothing in the journal was changed; an anchor kept outside shows that nothing
/// was cut off at its end, and that the whole was not replaced by another.
public struct LedgerAnchor: Hashable, Sendable {
  /// The identity of the ledger.
  public let store: EntityID
  /// The newest commit when the anchor was made.
  public let sequence: UInt64
  /// Its link, 32 bytes: a digest of everything up to it.
  public let link: Hash256

  /// The anchor as three lines of text.
  public var text: String {
    "daybook anchor\nstore \(store)\ncommit \(sequence) \(link)\n"
  }

  /// An anchor from its text; `nil` where it is none.
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
  /// The newest commit and its link, to be kept outside of the ledger.
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

  /// Compares the ledger with an anchor that was made earlier.
  ///
  /// - Returns: What is wrong, as a sentence; `nil` where the ledger goes on from the anchor, or the
  ///   anchor's commit has been purged, so that it cannot be told any more.
  /// - Throws: ``DaybookError`` with the codes `closed`, `damaged` or `system`.
  public func fault(against anchor: LedgerAnchor) throws(DaybookError) -> String? {
    do {
      let head = try store.newestLink()
      guard head.store == anchor.store else {
        return "The anchor is of another ledger (\(anchor.store); this one is \(head.store))."
      }
      guard head.sequence >= anchor.sequence else {
        return "The ledger ends with commit \(head.sequence), but there was a commit "
          + "\(anchor.sequence): history has been cut off, or an older copy put in its place."
      }
      guard let link = try store.link(at: anchor.sequence) else { return nil }
      guard link == anchor.link else {
        return "Commit \(anchor.sequence) is not the one that the anchor was made of: history has "
          + "been replaced."
      }
      return nil
    } catch {
      throw .wrapping(error)
    }
  }
}
