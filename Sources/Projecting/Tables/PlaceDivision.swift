/// Whether the rows of a table of places, read in order, divide the lists as they are to be divided: each piece
/// is the largest that has nothing of its neighbours.
struct PlaceDivision {
  private var head = TableKey()
  private var last: PlacePiece?
  // The largest that the last piece could be beside the one before it.
  private var levelMax = PlacePiece.bitCount
  private var isRight = true

  /// Takes the next piece, of the list with a head.
  mutating func read(_ piece: PlacePiece, of head: TableKey) {
    let isFollowing = head == self.head
    var joint = PlacePiece.bitCount + 1
    if isFollowing, let last {
      if last.start == piece.start { isRight = false }
      joint = piece.start.jointLevel(with: last.start)
    }
    isRight = isRightUp(to: joint)
    self.head = head
    last = piece
    levelMax = joint - 1
  }

  /// Whether all that was read is right, nothing coming after it.
  var isWhole: Bool { isRightUp(to: PlacePiece.bitCount + 1) }

  private func isRightUp(to joint: Int) -> Bool {
    guard let last else { return isRight }
    return isRight && last.level == min(levelMax, joint - 1)
  }
}
