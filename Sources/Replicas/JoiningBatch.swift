import Entities
import Merging

extension Replica.Joining {
  /// Elements of a snapshot, decoded and summed up: what needs no store, and can be done while it takes in others.
  public struct Batch: Sendable {
    /// The element of the log's end, where it is among them.
    private(set) var end: [UInt8]?
    private(set) var entities: [(key: Merging.EntityKey, state: EntityState, element: [UInt8])] = []
    /// Replicas, findings and changes that are held, and under which key each is kept.
    private(set) var others: [(place: [UInt8], element: [UInt8])] = []
    /// The digest of all but the end.
    private(set) var digest = StateDigest()

    /// Decodes elements.
    ///
    /// - Throws: `DecodingFault` where one is damaged.
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

    /// The key under which the element of a replica, of a finding or of a change that is held is kept.
    private static func key(of folded: Folded) throws -> [UInt8] {
      if let id = folded.replicas.keys.first { return SideKey.replica(id) }
      if let id = folded.findings.keys.first { return SideKey.finding(id) }
      if let one = folded.held.values.first?.first { return SideKey.held(one.id) }
      throw DecodingFault.invalidValue("what an element is")
    }
  }
}
