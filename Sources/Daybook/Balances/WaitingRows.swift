internal import DaybookEngine

/// The effect of a transaction on an account that isn't built in.
struct Move: Hashable {
  let account: EntityID
  let units: Int64
  let currency: Currency
  let type: TransactionType

  /// Returns the distinct moves of a packed transaction.
  static func all(of record: RawSpan) throws -> [Move] {
    let figures = try TransactionFigures(record)
    var moves: [Move] = []
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      guard cursor.code == .account else { continue }
      let move = Move(
        account: cursor.id, units: cursor.units, currency: cursor.currency, type: figures.type)
      if !moves.contains(move) { moves.append(move) }
    }
    return moves
  }
}

/// Transactions that wait for an earlier transaction with the same move, newest first.
struct WaitingRows {
  private var queue: [(position: StatePosition, moves: [Move])] = []
  private var head = 0
  private var positions: [Move: [StatePosition]] = [:]

  /// Adds a transaction, which must be older than those already waiting.
  mutating func add(_ position: StatePosition, _ moves: [Move]) {
    queue.append((position, moves))
    for move in moves { positions[move, default: []].append(position) }
  }

  /// Returns the positions of the waiting transactions that have one of the given moves.
  func places(of moves: [Move]) -> [StatePosition] {
    var places: [StatePosition] = []
    for move in moves {
      for position in positions[move] ?? [] where !places.contains(position) {
        places.append(position)
      }
    }
    return places
  }

  /// Removes transactions after a day.
  mutating func forget(after day: Day) {
    while head < queue.count, queue[head].position.cluster > day.biased {
      let (position, moves) = queue[head]
      head += 1
      for move in moves { remove(position, of: move) }
    }
    // Compact the queue when more than half of it is unused.
    if head > 1_024, head * 2 > queue.count {
      queue.removeFirst(head)
      head = 0
    }
  }

  /// Removes one transaction.
  mutating func remove(_ position: StatePosition) {
    for place in head..<queue.count where queue[place].position == position {
      for move in queue[place].moves { remove(position, of: move) }
      queue[place].moves = []
      return
    }
  }

  private mutating func remove(_ position: StatePosition, of move: Move) {
    positions[move]?.removeAll { $0 == position }
    if positions[move]?.isEmpty ?? false { positions[move] = nil }
  }
}
