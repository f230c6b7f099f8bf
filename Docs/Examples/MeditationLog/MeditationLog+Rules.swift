internal import DaybookEngine
internal import DaybookEntities

// The rules are checked on the writer's thread when a session is appended. The check sees every
// session accepted before, so two overlapping sessions can't both be recorded, even in quick
// succession.
extension MeditationLog {
  /// Throws if a session is invalid or overlaps another one.
  static func check(_ session: Session, now: UInt32, _ context: DecisionContext) throws {
    guard minutesRange.contains(session.minutes) else {
      throw Refusal.length(minutes: session.minutes)
    }
    guard session.end <= UInt64(now) else { throw Refusal.future(end: session.end, now: now) }
    let byteCount = session.note.utf8.count
    guard byteCount <= noteByteCountMax else { throw Refusal.noteTooLong(byteCount: byteCount) }
    if let other = try overlapping(session, context) { throw Refusal.overlaps(other) }
  }

  /// Returns another session that shares a minute with this one.
  ///
  /// The table doesn't contain the current batch, so the batch's changes are checked too.
  ///
  /// - Complexity: O(log sessions + sessions of the ten hours before + changes of the batch).
  private static func overlapping(
    _ session: Session, _ context: DecisionContext
  ) throws -> EntityID? {
    var changed: Set<EntityID> = [session.id]
    for change in context.pendingChanges.reversed() where change.kind == Session.kind {
      guard changed.insert(change.id).inserted, let after = change.after else { continue }
      let other = try Session(id: change.id, record: after.span)
      if UInt64(other.start) < session.end, UInt64(session.start) < other.end { return other.id }
    }
    // No session is longer than the range allows, so an earlier one can't overlap this one.
    let reach = minutesRange.upperBound - 1
    let from = Calendar.key(session.start - min(session.start, reach))
    let to = Calendar.key(UInt32(clamping: session.end))
    var found: EntityID?
    try context.withCommittedTables(of: Calendar.self) { tables, handle in
      try tables.forEachRow(in: handle[0], from: from, to: to, reversed: true) { key, value in
        var reader = ByteReader(key)
        let start = try reader.u32be()
        let (minutes, id) = try Calendar.read(value)
        if changed.contains(id) { return true }
        if UInt64(start) + UInt64(minutes) > UInt64(session.start) { found = id }
        return found == nil
      }
    }
    return found
  }
}
