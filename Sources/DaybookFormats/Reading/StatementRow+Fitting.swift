import DaybookBookkeeping

extension StatementRow {
  /// Truncates texts that exceed the ledger's limits, and adds the full texts to the note.
  package mutating func fitTexts() {
    let areShort =
      payee.utf8.count <= Limits.payeeByteCountMax
      && description.utf8.count <= Limits.descriptionByteCountMax
      && note.utf8.count <= Limits.noteByteCountMax
      && parts.allSatisfy { $0.note.utf8.count <= Limits.postingNoteByteCountMax }
    if areShort { return }
    var lines = NoteLines()
    payee = lines.fitting(payee, Limits.payeeByteCountMax)
    description = lines.fitting(description, Limits.descriptionByteCountMax)
    parts = parts.map { part in
      var part = part
      part.note = lines.fitting(part.note, Limits.postingNoteByteCountMax)
      return part
    }
    for line in note.split(separator: "\n") { lines.add("", String(line)) }
    note = lines.text
  }
}
