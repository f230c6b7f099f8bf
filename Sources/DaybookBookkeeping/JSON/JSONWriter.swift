extension JSONValue {
  /// Converts a value to JSON; members are in the order in which the type encodes them.
  ///
  /// - Throws: `EncodingError` for floating-point numbers and for numbers that don't fit in
  ///   `Int64`, and any error that the type throws.
  public init(_ value: some Encodable) throws {
    let writer = JSONWriter(JSONTree())
    try writer.put(value)
    self = writer.sink.value
  }

  /// Returns the JSON text of a value on one line, as UTF-8; the text is the same as ``line``.
  ///
  /// No tree is built, so use this for responses that are sent immediately.
  ///
  /// - Throws: The same errors as ``init(_:)``.
  /// - Complexity: O(bytes).
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    let writer = JSONWriter(JSONText())
    try writer.put(value)
    return writer.sink.bytes
  }
}

/// Passes the parts of a value to a sink as the value encodes itself.
///
/// An encoding container doesn't report that it is complete. It is closed when the next value is
/// written to a container around it.
final class JSONWriter<Sink: JSONSink> {
  private struct Container {
    var isObject: Bool
    var count = 0
    /// The name of the latest member, for error messages.
    var name: String?
  }

  fileprivate(set) var sink: Sink
  /// The open containers.
  private var containers: [Container] = []
  /// Whether a value was begun but hasn't been written yet.
  private var isOwed = true

  init(_ sink: Sink) { self.sink = sink }

  /// Encodes the expected value.
  ///
  /// If the value encodes nothing, writes an empty object.
  func put(_ value: some Encodable) throws {
    let depth = containers.count
    try value.encode(to: JSONPlace(writer: self, depth: depth))
    close(to: depth)
  }

  /// Opens a container for the value at a depth, unless it is already open.
  func open(isObject: Bool, at depth: Int) {
    if containers.count > depth { return }
    take(depth)
    sink.open(isObject: isObject)
    containers.append(Container(isObject: isObject))
  }

  /// Closes the containers that are open beyond a depth.
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

  /// Begins the next value of the container whose contents are at a depth; `name` is the name of an
  /// object's member.
  func begin(at depth: Int, _ name: String? = nil) {
    if isOwed || containers.count > depth { close(to: depth) }
    precondition(containers.count == depth, "A container was written to after its parent was.")
    if containers[depth - 1].count > 0 { sink.separate() }
    containers[depth - 1].count += 1
    containers[depth - 1].name = name
    if let name { sink.name(name) }
    isOwed = true
  }

  /// The number of values in the container whose contents are at a depth.
  func count(at depth: Int) -> Int { containers.count >= depth ? containers[depth - 1].count : 0 }

  /// The coding path to a value at a depth.
  func path(to depth: Int) -> [any CodingKey] {
    containers.prefix(depth).map { MemberName(stringValue: $0.name ?? String($0.count - 1)) }
  }

  fileprivate func take(_ depth: Int) {
    precondition(isOwed && containers.count == depth, "A value was written where none is expected.")
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

  /// Writes the expected value at a depth.
  func write(_ value: any DirectJSON, at depth: Int) {
    take(depth)
    value.write(to: &sink)
  }
}
