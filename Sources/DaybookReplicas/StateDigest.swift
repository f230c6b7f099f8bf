import DaybookEngine
import DaybookEntities
import DaybookJournal
public import DaybookMerging

/// The digest of the fold's elements, which can be added and removed in any order.
///
/// The digest is computed as for a baseline's rows (`Docs/Sync.md`, "State's digest").
struct StateDigest {
  private var sums: BaselineDigest

  /// Creates the digest of no elements.
  init() { sums = BaselineDigest() }

  /// Decodes ``bytes``.
  init(_ bytes: [UInt8]) throws(DecodingFault) { sums = try BaselineDigest(bytes) }

  /// The sums, in encoded form.
  var bytes: [UInt8] { sums.bytes }

  /// The final digest: 32 bytes.
  var hash: [UInt8] { sums.hash.bytes }

  mutating func add(_ element: [UInt8]) { sums.add(Hash256(hashing: element)) }

  /// Adds all elements of another digest.
  mutating func add(_ other: StateDigest) { sums.add(other.sums) }

  mutating func remove(_ element: [UInt8]) { sums.remove(Hash256(hashing: element)) }

  /// Replaces one element with another; `nil` means no element.
  mutating func replace(_ old: [UInt8]?, by new: [UInt8]?) {
    if old == new { return }
    if let old { remove(old) }
    if let new { add(new) }
  }

  /// Updates the digest after a slice of the log.
  ///
  /// - Parameters:
  ///   - keys: The entities that the slice may have changed.
  ///   - old: The fold before the slice, with these entities, their deferred changes, and at least
  ///     the findings that may have been removed.
  ///   - new: The fold after the slice.
  mutating func follow(_ keys: [DaybookMerging.EntityKey], from old: Folded, to new: Folded) {
    replace(old.end, by: new.end)
    for (id, progress) in new.replicas {
      replace(old.replicas[id]?.element(of: id), by: progress.element(of: id))
    }
    for (id, finding) in new.findings {
      replace(old.findings[id]?.element, by: finding.element)
    }
    for (id, finding) in old.findings where new.findings[id] == nil {
      replace(finding.element, by: nil)
    }
    for key in keys where old.held[key] != new.held[key] {
      for change in old.held[key] ?? [] { replace(change.element, by: nil) }
      for change in new.held[key] ?? [] { add(change.element) }
    }
    for key in keys where old.entities[key] != new.entities[key] {
      replace(old.entities[key]?.element(of: key), by: new.entities[key]?.element(of: key))
    }
  }
}

extension Folded {
  /// The digest of all elements; two folds have the same digest if and only if they are equal.
  ///
  /// - Complexity: O(elements).
  public var digest: [UInt8] {
    var digest = StateDigest()
    forEachElement { digest.add($0) }
    return digest.hash
  }
}

extension Replica {
  /// Returns the digest of the fold at the pulled position (``position()``): 32 bytes.
  ///
  /// Replicas that have pulled the log up to the same position have the same digest, regardless of
  /// pending commits.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1), because each pull updates the digest; O(entities) after an erasure was
  ///   recorded on this device.
  public func digest() async throws -> [UInt8] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    if let sums = try SideValues(source: moment).value(SideKey.digest) {
      return try StateDigest(sums).hash
    }
    let counted = try await counted()
    let head = try moment.head
    try await store.merge(by: Self.consumer) { context in
      guard context.head == head else { return }
      try SideValues(source: context).put(counted.bytes, under: SideKey.digest)
    }
    return counted.hash
  }

  /// Recomputes the digest from all elements; if the result differs, the stored digest is wrong.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities), with a batch of entities in memory at a time.
  public func recountedDigest() async throws -> [UInt8] { try await counted().hash }

  private func counted() async throws -> StateDigest {
    var digest = StateDigest()
    try await forEachElement { digest.add($0) }
    return digest
  }
}
