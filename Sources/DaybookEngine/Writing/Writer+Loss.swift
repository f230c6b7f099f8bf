internal import DaybookEntities
internal import DaybookJournal

// The views only receive durable commits. Views that contain a commit which the journal lacks
// therefore show that acknowledged commits were lost. CURRENT then notes the loss together with
// these views, which are set aside. New views are built from the journal, and appends are refused
// until the loss is accepted.
extension Writer {
  /// Returns what the journal lacks according to the live views, or `nil`.
  func shownLoss() throws -> JournalLoss? {
    if options.isEphemeral || open.loss != nil { return nil }
    return try EventStore.shownLoss(open.views, open.journal)
  }

  /// Throws if the journal lacks acknowledged commits.
  func checkIsComplete() throws {
    if let loss = open.loss { throw ProjectingError(loss) }
  }

  /// Forgets a loss if the journal with the commits was put back; the caller must hold `WRITER`.
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
