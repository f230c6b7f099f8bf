// Goal and method: the programs of RejectedProgramsTests, each with the compiler's reason.

import Testing

/// A program that must not compile.
struct RejectedProgram: Sendable, CustomTestStringConvertible {
  let name: String
  let reason: String
  let source: String

  var testDescription: String { name }

  init(_ name: String, _ reason: String, _ body: String, async: Bool = false) {
    self.name = name
    self.reason = reason
    source = """
      func program(
        _ environment: Environment, _ table: Database, _ key: [UInt8]
      ) \(async ? "async " : "")throws {
      \(body)
      }
      """
  }
}

let rejectedPrograms = [
  RejectedProgram(
    "a span is returned", "referencing instance method 'read'",
    """
    let span: RawSpan? = try environment.read { t in try t.get(key.span.bytes, in: table) }
    _ = span
    """),
  RejectedProgram(
    "a cursor is returned", "instance method 'read' requires that 'Cursor' conform to 'Escapable'",
    """
    let cursor: Cursor = try environment.read { t in try t.cursor(in: table) }
    _ = cursor
    """),
  RejectedProgram(
    "a span is kept in a variable", "lifetime-dependent variable 'keep' escapes its scope",
    """
    var keep: RawSpan? = nil
    try environment.read { t in keep = try t.get(key.span.bytes, in: table) }
    _ = keep
    """),
  RejectedProgram(
    "an entry is kept in a variable", "lifetime-dependent variable 'keep' escapes its scope",
    """
    var keep: Entry? = nil
    try environment.read { t in
      var cursor = try t.cursor(in: table)
      keep = try cursor.first()
    }
    _ = keep
    """),
  RejectedProgram(
    "a view is kept in a variable", "lifetime-dependent variable 'keep' escapes its scope",
    """
    var keep: TransactionView? = nil
    try environment.read { t in keep = t.view }
    _ = keep
    """),
  RejectedProgram(
    "a span is kept in a property", "stored property 'span' of 'Escapable'-conforming struct",
    """
    struct Holder { var span: RawSpan }
    """),
  RejectedProgram(
    "a span is captured by a task", "lifetime-dependent variable 'span' escapes its scope",
    """
    try environment.read { t in
      guard let span = try t.get(key.span.bytes, in: table) else { return }
      Task { print(span.byteCount) }
    }
    """),
  RejectedProgram(
    "a read transaction is captured by a task", "'t' cannot be captured by an escaping closure",
    """
    try environment.read { (t: borrowing ReadTransaction) in
      _ = Task { print(try t.count(of: table)) }
    }
    """),
  RejectedProgram(
    "a write transaction is captured by a task", "escaping closure captures 'inout' parameter 't'",
    """
    try environment.write { (t: inout WriteTransaction) in
      _ = Task { try t.put(key, key, in: table) }
    }
    """),
  RejectedProgram(
    "a read transaction is kept in a variable", "implicit conversion to 'ReadTransaction?' is",
    """
    var keep: ReadTransaction? = nil
    try environment.read { t in keep = t }
    _ = keep
    """),
  RejectedProgram(
    "a read transaction is returned", "'t' is borrowed and cannot be consumed",
    """
    _ = try environment.read { (t: borrowing ReadTransaction) -> ReadTransaction in t }
    """),
  RejectedProgram(
    "a write transaction is taken", "missing reinitialization of inout parameter 't'",
    """
    try environment.write { (t: inout WriteTransaction) in
      let mine = t
      _ = mine.transactionID
    }
    """),
  RejectedProgram(
    "a transaction meets an await", "cannot pass function of type",
    """
    try environment.read { t in await Task.yield() }
    """, async: true),
  RejectedProgram(
    "a span is held over a change", "overlapping accesses to 't'",
    """
    try environment.write { (t: inout WriteTransaction) in
      guard let span = try t.get(key.span.bytes, in: table) else { return }
      try t.put(key, key, in: table)
      print(span.byteCount)
    }
    """),
  RejectedProgram(
    "a reading cursor is held over a change", "overlapping accesses to 't'",
    """
    try environment.write { (t: inout WriteTransaction) in
      var cursor = try t.cursor(in: table)
      try t.put(key, key, in: table)
      _ = try cursor.next()
    }
    """),
  RejectedProgram(
    "an entry is held over a deletion", "overlapping accesses to 'cursor'",
    """
    try environment.write { (t: inout WriteTransaction) in
      var cursor = try t.writeCursor(in: table)
      guard let first = try cursor.first() else { return }
      try cursor.deleteCurrent()
      print(first.key.byteCount)
    }
    """),
  RejectedProgram(
    "a cursor is copied", "'cursor' used after consume",
    """
    try environment.read { t in
      let cursor = try t.cursor(in: table)
      let other = cursor
      _ = cursor
      _ = other
    }
    """),
  RejectedProgram(
    "a transaction is begun without a closure", "'beginRead' is inaccessible",
    """
    _ = try environment.beginRead()
    """),
  RejectedProgram(
    "a transaction is committed by hand", "'commit' is inaccessible",
    """
    try environment.write { (t: inout WriteTransaction) in try t.commit() }
    """),
]
