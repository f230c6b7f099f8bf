/// The schema, step by step.
public enum Schema {
  /// The steps: each is one transaction, and the next version.
  static var steps: [String] {
    [PackageResources.v1_sql, PackageResources.v2_sql, PackageResources.v3_sql]
      .map { String(decoding: $0, as: UTF8.self) }
  }

  static var newest: Int { steps.count }

  static func version(_ connection: PostgresConnection) throws -> Int {
    // A table is looked into: that is where a session hears of tables that another has made meanwhile.
    let isThere = try connection.run(
      "select exists (select 1 from pg_class where oid = to_regclass('relay_schema'))")
    guard try isThere.first?.bool(0) == true else { return 0 }
    return Int(
      try connection.run("select max(version)::int8 from relay_schema").first?.int8(0) ?? 0)
  }

  /// Brings the database to the newest version, never back to an older one.
  ///
  /// Several may try at once.
  ///
  /// - Returns: The version that was there, 0 where none was, and the one that is there now.
  /// - Throws: ``PostgresFault``.
  public static func migrate(_ pool: PostgresPool) async throws -> (from: Int, to: Int) {
    try await pool.run { connection in
      let from = try version(connection)
      guard from <= newest else { throw PostgresFault.schema(found: from, needed: newest) }
      for (index, step) in steps.enumerated() where index >= from {
        try connection.transaction {
          _ = try connection.run("select pg_advisory_xact_lock(4270201)")
          // Another may have done it meanwhile.
          guard try version(connection) == index else { return }
          if index == 0 {
            try connection.script(
              "create table relay_schema (version int8 primary key, since timestamptz not null default now())"
            )
          }
          try connection.script(step)
          try connection.script("insert into relay_schema (version) values (\(index + 1))")
        }
      }
      return (from, newest)
    }
  }
}
