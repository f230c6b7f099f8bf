import Entities
import Journal
public import Merging
import Projecting

/// The digest of all that the fold reads: elements are added and taken away, in any order.
///
/// The function is that of a baseline's rows (`Docs/Sync.md`, "State's digest").
struct StateDigest {
  private var sums: BaselineDigest

  /// The digest of nothing.
  init() { sums = BaselineDigest() }

  /// What ``bytes`` gave.
  init(_ bytes: [UInt8]) throws(DecodingFault) { sums = try BaselineDigest(bytes) }

  /// The sums, to be kept.
  var bytes: [UInt8] { sums.bytes }

  /// The digest in 32 bytes.
  var hash: [UInt8] { sums.hash.bytes }

  mutating func add(_ element: [UInt8]) { sums.add(Hash256(hashing: element)) }

  /// Adds all elements of another digest.
  mutating func add(_ other: StateDigest) { sums.add(other.sums) }

  mutating func remove(_ element: [UInt8]) { sums.remove(Hash256(hashing: element)) }

  /// Puts one element in place of another; `nil` is none.
  mutating func replace(_ old: [UInt8]?, by new: [UInt8]?) {
    if old == new { return }
    if let old { remove(old) }
    if let new { add(new) }
  }

  /// Follows what a slice of the log has changed.
  ///
  /// - Parameters:
  ///   - keys: the entities that it can have changed.
  ///   - old: what the slice began with, those entities and what is held of them included; of findings, those that may be
  ///     gone.
  ///   - new: what it led to.
  mutating func follow(_ keys: [Merging.EntityKey], from old: Folded, to new: Folded) {
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
  /// The digest of all that it says: equal where two say the same.
  ///
  /// - Complexity: O(elements).
  public var digest: [UInt8] {
    var digest = StateDigest()
    forEachElement { digest.add($0) }
    return digest.hash
  }
}

extension Replica {
  /// The digest, 32 bytes, of what the log says as far as it was pulled (``position()``): replicas that have pulled
  /// the same log have equal ones, whatever is pending.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1): each pull keeps it up to date; O(entities) after something was erased here.
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

  /// The same digest, counted anew from everything that is there: where it is another, something has drifted.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities), with some in memory at a time.
  public func recountedDigest() async throws -> [UInt8] { try await counted().hash }

  private func counted() async throws -> StateDigest {
    var digest = StateDigest()
    try await forEachElement { digest.add($0) }
    return digest
  }
}
