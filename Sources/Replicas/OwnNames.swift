import Entities
import Journal
import Merging

/// Under which names this copy has recorded: the one that its journal has, and those that it had before.
///
/// A copy that was restored from a backup has another name than what it is a copy of. What it had not sent before
/// is sent under the name under which it was recorded, because the original has it too, and sends the same: whoever
/// comes first, the other finds it in the log. Only where the log has something else under that name is what is
/// left sent under the next one.
struct OwnNames: Hashable, Sendable {
  /// A name that this copy has no more.
  struct Past: Hashable, Sendable {
    let name: ReplicaID
    /// The last commit of the journal that can be its own; what has this name later is another copy's.
    let last: UInt64
    /// Whether the log has something else under this name than what was recorded here.
    var isOver = false
  }

  /// Oldest first.
  private(set) var past: [Past] = []
  private(set) var present: ReplicaID

  /// A copy that has always been called so.
  init(_ present: ReplicaID) { self.present = present }

  /// What ``bytes`` gave.
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

  /// The present name u64; each past one u64, its last commit varint, whether it is over u8.
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

  /// Takes another name for what is recorded from now on.
  mutating func rename(to name: ReplicaID, after sequence: UInt64) {
    past.append(Past(name: present, last: sequence))
    present = name
  }

  /// Says that the log has something else under a past name.
  mutating func end(_ name: ReplicaID) {
    for index in past.indices where past[index].name == name { past[index].isOver = true }
  }

  /// Under which name a commit was recorded here; `nil` where it is another's.
  func name(of commit: CommitHeader) -> ReplicaID? {
    if commit.replica == present.rawValue { return present }
    let found = past.first { $0.name.rawValue == commit.replica && commit.sequence <= $0.last }
    return found?.name
  }

  /// Under which name something is sent that was recorded under one.
  func sendingName(of name: ReplicaID) -> ReplicaID {
    guard let index = past.firstIndex(where: { $0.name == name }) else { return present }
    return past[index...].first { !$0.isOver }?.name ?? present
  }
}
