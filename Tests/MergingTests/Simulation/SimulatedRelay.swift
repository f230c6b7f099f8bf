import DaybookMerging

/// The relay: one log, which it orders and dates, and nothing else.
struct SimulatedRelay {
  /// The log, from position 1.
  var log: [LogEntry] = []
  /// The last floor that it has placed.
  var floor: UInt64 = 0

  private var placed: [ReplicaID: [ReplicaCommit]] = [:]

  /// The position of the last entry.
  var head: UInt64 { UInt64(log.count) }

  /// Takes commits in order, up to the first that leaves a gap, or whose base lies beyond the head or
  /// below the floor.
  ///
  /// Those that it has already are passed over. Where it has another commit of that number, two copies
  /// of a replica record under one name: what follows was built on what it does not have, and is not
  /// taken.
  mutating func push(_ commits: [ReplicaCommit], at time: Int64) {
    for commit in commits {
      let known = placed[commit.replica, default: []]
      if commit.number <= known.count {
        guard known[Int(commit.number) - 1] == commit else { return }
        continue
      }
      guard commit.number == known.count + 1, commit.base <= head, commit.base >= floor
      else { return }
      placed[commit.replica, default: []].append(commit)
      place(.commit(commit), at: time)
      if head % 5 == 0 { place(.nothing, at: time) }
    }
  }

  /// Moves the floor, unless it would go back.
  mutating func move(floor position: UInt64, at time: Int64) {
    guard position > floor else { return }
    floor = position
    place(.floor(position), at: time)
  }

  /// The entries after a position, at most so many.
  func pull(after position: UInt64, count: Int) -> [LogEntry] {
    Array(log.dropFirst(Int(position)).prefix(count))
  }

  private mutating func place(_ content: LogEntry.Content, at time: Int64) {
    let received = max(time, log.last?.received ?? time)
    log.append(LogEntry(position: head + 1, received: received, content: content))
  }
}
