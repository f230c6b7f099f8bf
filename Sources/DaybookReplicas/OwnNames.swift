import DaybookEntities
import DaybookJournal
import DaybookMerging

/// The replica names under which this copy has recorded: the journal's present name, and earlier
/// ones.
///
/// A copy that was restored from a backup gets a new name. Commits from before that it hadn't sent
/// are sent under the name under which they were recorded, because the original has the same
/// commits and sends them too: whichever sends first, the other finds them in the log. If the log
/// has other commits under that name, the remaining ones are sent under the next name.
struct OwnNames: Hashable, Sendable {
  /// An earlier name of this copy.
  struct Past: Hashable, Sendable {
    let name: ReplicaID
    /// The last commit of the journal that can be this copy's own; later commits with this name are
    /// another copy's.
    let last: UInt64
    /// Whether the log has other commits under this name than were recorded here.
    var isOver = false
  }

  /// The earlier names, oldest first.
  private(set) var past: [Past] = []
  private(set) var present: ReplicaID

  /// Creates the names of a copy that has always had the same name.
  init(_ present: ReplicaID) { self.present = present }

  /// Decodes ``bytes``.
  init(_ bytes: [UInt8]) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    present = ReplicaID(rawValue: try reader.u64be())
    while !reader.isAtEnd {
      past.append(
        Past(
          name: ReplicaID(rawValue: try reader.u64be()), last: try reader.varint(),
          isOver: try reader.u8() != 0))
    }
  }

  /// The encoded form: the present name u64; each earlier one u64, its last commit varint, `isOver`
  /// u8.
  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(present.rawValue)
    for one in past {
      writer.u64be(one.name.rawValue)
      writer.varint(one.last)
      writer.u8(one.isOver ? 1 : 0)
    }
    return writer.bytes
  }

  var all: [ReplicaID] { past.map(\.name) + [present] }

  /// Sets a new name for everything recorded from now on.
  mutating func rename(to name: ReplicaID, after sequence: UInt64) {
    past.append(Past(name: present, last: sequence))
    present = name
  }

  /// Notes that the log has other commits under an earlier name.
  mutating func end(_ name: ReplicaID) {
    for index in past.indices where past[index].name == name { past[index].isOver = true }
  }

  /// The name under which a commit was recorded here; `nil` if another copy recorded it.
  func name(of commit: CommitHeader) -> ReplicaID? {
    if commit.replica == present.rawValue { return present }
    let found = past.first { $0.name.rawValue == commit.replica && commit.sequence <= $0.last }
    return found?.name
  }

  /// The name for sending a commit that was recorded under the given name.
  func sendingName(of name: ReplicaID) -> ReplicaID {
    guard let index = past.firstIndex(where: { $0.name == name }) else { return present }
    return past[index...].first { !$0.isOver }?.name ?? present
  }
}
