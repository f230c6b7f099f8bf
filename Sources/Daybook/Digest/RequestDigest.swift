/// What an idempotency key stands for: SHA-256 over the commands as they were given, in the
/// canonical form of ``CanonicalWriter``.
enum RequestDigest {
  static func digest(of commands: [Command]) -> Hash256 {
    var writer = CanonicalWriter()
    for command in commands { writer.put(command) }
    return Hash256(hashing: writer.bytes)
  }
}

/// Writes commands so that equal ones have equal bytes, in every process and version.
///
/// A value is a list of properties, each a tag (one byte, from 1) and its bytes, and ends with a
/// byte 0. A property that is absent or has its default is left out, so that properties that later
/// versions add do not change the digests of earlier requests. Tags are never used again for
/// something else.
struct CanonicalWriter {
  private var writer = ByteWriter(reserving: 256)

  /// What has been written.
  var bytes: [UInt8] { writer.bytes }

  /// Ends a value.
  mutating func end() { writer.u8(0) }

  mutating func put(_ tag: UInt8, _ text: String?) {
    guard let text else { return }
    writer.u8(tag)
    writer.string(text)
  }

  mutating func put(_ tag: UInt8, text: String) {
    if !text.isEmpty { put(tag, text) }
  }

  mutating func put(_ tag: UInt8, _ number: Int64?) {
    guard let number else { return }
    writer.u8(tag)
    writer.zigzag(number)
  }

  mutating func put(_ tag: UInt8, number: Int64) {
    if number != 0 { put(tag, number) }
  }

  mutating func put(_ tag: UInt8, flag: Bool) {
    if flag { writer.u8(tag) }
  }

  mutating func put(_ tag: UInt8, _ flag: Bool?) { put(tag, flag.map { $0 ? 1 : 0 }) }

  mutating func put(_ tag: UInt8, _ code: (some RawRepresentable<UInt8>)?) {
    put(tag, code.map { Int64($0.rawValue) })
  }

  mutating func put(_ tag: UInt8, _ day: Day?) { put(tag, day.map { Int64($0.rawValue) }) }

  mutating func put<Owner>(_ tag: UInt8, _ id: Identifier<Owner>?) {
    guard let id else { return }
    writer.u8(tag)
    writer.id(id.rawValue)
  }

  /// Tells “leave it” (nothing), “none” (the tag and 0) and a value (the tag, 1 and the id) apart.
  mutating func put<Owner>(_ tag: UInt8, _ id: Identifier<Owner>??) {
    guard let id else { return }
    writer.u8(tag)
    writer.u8(id == nil ? 0 : 1)
    if let id { writer.id(id.rawValue) }
  }

  mutating func put(_ tag: UInt8, _ currency: Currency?) {
    guard let currency else { return }
    writer.u8(tag)
    writer.u64be(currency.packed)
  }

  mutating func put(_ tag: UInt8, _ money: Money?) {
    guard let money else { return }
    writer.u8(tag)
    writer.u64be(money.currency.packed)
    writer.zigzag(money.minorUnits)
  }

  mutating func put(_ tag: UInt8, _ tags: [String]?) {
    guard let tags else { return }
    put(tag, each: tags) { $0.writer.string($1) }
  }

  mutating func put(_ tag: UInt8, texts: [String]) {
    if !texts.isEmpty { put(tag, texts) }
  }

  /// A whole entity: its id and its packed record.
  mutating func put<Entity: LedgerEntity>(_ tag: UInt8, _ entity: Entity?) {
    guard let entity else { return }
    let record = entity.record().bytes
    writer.u8(tag)
    writer.id(entity.entityID)
    writer.varint(UInt64(record.count))
    writer.raw(record)
  }

  mutating func put<Element>(
    _ tag: UInt8, each elements: [Element],
    _ body: (inout CanonicalWriter, Element) -> Void
  ) {
    writer.u8(tag)
    writer.varint(UInt64(elements.count))
    for element in elements { body(&self, element) }
  }

  /// A value within a value.
  mutating func nest(_ tag: UInt8, _ body: (inout CanonicalWriter) -> Void) {
    writer.u8(tag)
    body(&self)
    end()
  }
}
