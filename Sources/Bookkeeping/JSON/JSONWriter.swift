extension JSONValue {
  /// The JSON form of a value, its members in the order in which the type writes them.
  ///
  /// - Throws: `EncodingError` for floating point and numbers beyond `Int64`, and what the type throws.
  public init(_ value: some Encodable) throws {
    let writer = JSONWriter(JSONTree())
    try writer.put(value)
    self = writer.sink.value
  }

  /// The JSON form of a value on one line, as ``line`` of ``init(_:)`` has it, as UTF-8.
  ///
  /// No tree is made on the way, so this is the one for answers that are sent at once.
  ///
  /// - Throws: As ``init(_:)``.
  /// - Complexity: O(bytes).
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    let writer = JSONWriter(JSONText())
    try writer.put(value)
    return writer.sink.bytes
  }
}

/// Tells a sink what a value says about itself as it says it.
///
/// A container does not say when it is complete. But what is written next stands either in it, or in one around
/// it: then it is complete, and is closed.
final class JSONWriter<Sink: JSONSink> {
  private struct Container {
    var isObject: Bool
    var count = 0
    /// What its newest member is called, for errors.
    var name: String?
  }

  fileprivate(set) var sink: Sink
  /// The containers that are open.
  private var containers: [Container] = []
  /// Whether a member has its name but not its value.
  private var isOwed = true

  init(_ sink: Sink) { self.sink = sink }

  /// Writes a value where one is owed, by what it says of itself; an object with nothing in it where it says
  /// nothing.
  func put(_ value: some Encodable) throws {
    let depth = containers.count
    try value.encode(to: JSONPlace(writer: self, depth: depth))
    close(to: depth)
  }

  /// Opens a container for the value at a depth, unless it is open already.
  func open(isObject: Bool, at depth: Int) {
    if containers.count > depth { return }
    take(depth)
    sink.open(isObject: isObject)
    containers.append(Container(isObject: isObject))
  }

  /// Closes what is open beyond a depth.
  func close(to depth: Int) {
    if isOwed {
      isOwed = false
      sink.open(isObject: true)
      sink.close(isObject: true)
    }
    while containers.count > depth, let last = containers.popLast() {
      sink.close(isObject: last.isObject)
    }
  }

  /// Begins the next value of the container whose contents are at a depth; a member of an object has a name.
  func begin(at depth: Int, _ name: String? = nil) {
    if isOwed || containers.count > depth { close(to: depth) }
    precondition(containers.count == depth, "A container was written to after one around it was.")
    if containers[depth - 1].count > 0 { sink.separate() }
    containers[depth - 1].count += 1
    containers[depth - 1].name = name
    if let name { sink.name(name) }
    isOwed = true
  }

  /// How many values there are in the container whose contents are at a depth.
  func count(at depth: Int) -> Int { containers.count >= depth ? containers[depth - 1].count : 0 }

  /// Where a value at a depth stands.
  func path(to depth: Int) -> [any CodingKey] {
    containers.prefix(depth).map { MemberName(stringValue: $0.name ?? String($0.count - 1)) }
  }

  fileprivate func take(_ depth: Int) {
    precondition(isOwed && containers.count == depth, "A value was written where none is owed.")
    isOwed = false
  }

  // MARK: Values

  func null(at depth: Int) {
    take(depth)
    sink.null()
  }

  func flag(_ flag: Bool, at depth: Int) {
    take(depth)
    sink.flag(flag)
  }

  func number(_ number: some BinaryInteger, at depth: Int) throws {
    guard let exact = Int64(exactly: number) else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: path(to: depth), debugDescription: "the number is too large"))
    }
    take(depth)
    sink.number(exact)
  }

  func text(_ text: String, at depth: Int) {
    take(depth)
    sink.text(text)
  }
}

extension JSONWriter where Sink == JSONText {
  /// Begins the next member of the object whose contents are at a depth.
  func begin(at depth: Int, static name: StaticString) {
    begin(at: depth)
    sink.name(name)
  }

  /// Writes the value that is owed at a depth.
  func write(_ value: any DirectJSON, at depth: Int) {
    take(depth)
    value.write(to: &sink)
  }
}
