/// The database's schema.
public enum Schema {
  /// The schema version that this relay creates, and the only one that it can use.
  static let current = 1

  /// Returns the version of a database's schema; 0 if there is none.
  static func version(_ connection: PostgresConnection) throws -> Int {
    // A session doesn't see a table that another session created until it reads from some table.
    let isThere = try connection.run(
      "select exists (select 1 from pg_class where oid = to_regclass('relay_schema'))")
    guard try isThere.first?.bool(0) == true else { return 0 }
    return Int(
      try connection.run("select max(version)::int8 from relay_schema").first?.int8(0) ?? 0)
  }

  /// Creates the schema in a database that has no schema.
  ///
  /// Several processes may call it at the same time.
  ///
  /// - Returns: The version that was found; 0 if there was no schema.
  /// - Throws: ``PostgresFault``, also if the schema has a newer version.
  public static func migrate(_ pool: PostgresPool) async throws -> Int {
    try await pool.run { connection in
      try connection.transaction {
        _ = try connection.run("select pg_advisory_xact_lock(4270201)")
        let found = try version(connection)
        guard found <= current else { throw PostgresFault.schema(found: found, needed: current) }
        if found == 0 {
          try connection.script(
            """
            create table relay_schema (version int8 primary key, since timestamptz not null default now());
            insert into relay_schema (version) values (\(current))
            """)
          try connection.script(String(decoding: PackageResources.schema_sql, as: UTF8.self))
        }
        return found
      }
    }
  }
}
