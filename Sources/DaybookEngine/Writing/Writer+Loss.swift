internal import DaybookEntities
internal import DaybookJournal

// The views receive only durable commits. If they contain a commit that the journal lacks,
// acknowledged commits were lost. In this case, `CURRENT` records the loss, the views are set
// aside, and new views are built from the journal. Appends are refused until the loss is accepted.
extension Writer {
  /// Returns the commits that the journal lacks according to the live views, or `nil` if it lacks
  /// none.
  func shownLoss() throws -> JournalLoss? {
    if options.isEphemeral || open.loss != nil { return nil }
    return try EventStore.shownLoss(open.views, open.journal)
  }

  /// Throws if the journal lacks acknowledged commits.
  func checkIsComplete() throws {
    if let loss = open.loss { throw ProjectingError(loss) }
  }

  /// Removes the record of a loss if the journal with the commits was put back; the caller must
  /// hold `WRITER`.
  func forgetLossIfRepaired() throws {
    guard let loss = open.loss, try !open.journal.lacks(loss.seen, link: loss.link) else { return }
    try forgetLoss()
  }

  /// Removes the loss from `CURRENT`, and the views that were set aside.
  func forgetLoss() throws {
    guard let lock = currentLock else { return try withLock { try forgetLoss() } }
    try adoptCurrentGenerations()
    var next = try folder.current()
    guard let loss = next.loss else { return }
    next.loss = nil
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      published.open = OpenStore(
        journal: open.journal, views: open.views, stamp: try folder.currentStamp())
    }
    if let newer = published.open { try adopt(newer) }
    try folder.remove(Generation(kind: .views, number: loss.views), holding: lock)
  }
}
