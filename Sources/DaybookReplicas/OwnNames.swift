import DaybookEntities
import DaybookJournal
import DaybookMerging

/// The replica names under which this copy has recorded: the current name in the journal, and
/// earlier names.
///
/// A copy that was restored from a backup gets a new name. It still sends its earlier commits under
/// their original name, because the original has the same commits and sends them too. The copy that
/// sends later finds the commits in the log. If the log contains different commits under that name,
/// the copy sends the remaining commits under the next name.
struct OwnNames: Hashable, Sendable {
  /// An earlier name of this copy.
  struct Past: Hashable, Sendable {
    let name: ReplicaID
    /// The sequence of the last commit that this copy recorded under the name; later commits under
    /// the name were recorded by another copy.
    let last: UInt64
    /// Whether the log contains commits under this name that weren't recorded by this copy.
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

  /// The encoded form: the current name (u64) and, for each earlier name, the name (u64), its last
  /// commit (varint), and `isOver` (u8).
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

  /// Sets a new name for the commits after a sequence.
  mutating func rename(to name: ReplicaID, after sequence: UInt64) {
    past.append(Past(name: present, last: sequence))
    present = name
  }

  /// Records that the log contains commits under an earlier name that weren't recorded by this
  /// copy.
  mutating func end(_ name: ReplicaID) {
    for index in past.indices where past[index].name == name { past[index].isOver = true }
  }

  /// Returns the name under which this copy recorded a commit, or `nil` if another copy recorded
  /// it.
  func name(of commit: CommitHeader) -> ReplicaID? {
    if commit.replica == present.rawValue { return present }
    let found = past.first { $0.name.rawValue == commit.replica && commit.sequence <= $0.last }
    return found?.name
  }

  /// Returns the name for sending a commit that was recorded under a given name.
  func sendingName(of name: ReplicaID) -> ReplicaID {
    guard let index = past.firstIndex(where: { $0.name == name }) else { return present }
    return past[index...].first { !$0.isOver }?.name ?? present
  }
}
