import DaybookEntities
import DaybookMerging

extension Replica.Joining {
  /// Decoded elements of a snapshot and their digest.
  ///
  /// Creating a batch needs no access to the store, so it can run while the store adds another
  /// batch.
  public struct Batch: Sendable {
    /// The element of the log's end, if the batch contains it.
    private(set) var end: [UInt8]?
    private(set) var entities:
      [(key: DaybookMerging.EntityKey, state: EntityState, element: [UInt8])] = []
    /// The replicas, findings and deferred changes, each with the key under which it is stored.
    private(set) var others: [(place: [UInt8], element: [UInt8])] = []
    /// The digest of all elements except the log's end.
    private(set) var digest = StateDigest()

    /// Decodes elements.
    ///
    /// - Throws: `DecodingFault` if an element is damaged.
    public init(_ elements: [[UInt8]]) throws {
      for element in elements {
        var folded = Folded()
        switch element.first {
        case 1:
          try folded.readEnd(element)
          end = element
          continue
        case 3:
          try folded.readEntity(element)
          for (key, state) in folded.entities { entities.append((key, state, element)) }
        default:
          try folded.read(element)
          others.append((try Self.key(of: folded), element))
        }
        digest.add(element)
      }
    }

    /// Returns the key for the element of a replica, a finding or a deferred change.
    private static func key(of folded: Folded) throws -> [UInt8] {
      if let id = folded.replicas.keys.first { return SideKey.replica(id) }
      if let id = folded.findings.keys.first { return SideKey.finding(id) }
      if let one = folded.held.values.first?.first { return SideKey.held(one.id) }
      throw DecodingFault.invalidValue("what an element is")
    }
  }
}
