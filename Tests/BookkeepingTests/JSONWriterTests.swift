// Goal: JSON that is written straight to bytes is that of the tree. Method: both write values of odd shapes;
// commands and entities are compared where they are tested.
import DaybookBookkeeping
import Testing

@Suite struct JSONWriterTests {
  private enum Key: String, CodingKey { case a, b, c, d, e }

  /// Says nothing of itself.
  private struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

  /// Writes members into the container of what is around it.
  private struct Around: Encodable {
    func encode(to encoder: any Encoder) throws {
      try Inner(text: "x").encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .b)
    }
    struct Inner: Encodable { let text: String }
  }

  /// Opens containers in containers, and leaves them as they are.
  private struct Nested: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try inner.encode([1, 2], forKey: .a)
      var list = inner.nestedUnkeyedContainer(forKey: .b)
      try list.encode("x")
      try list.encodeNil()
      _ = list.nestedContainer(keyedBy: Key.self)
      var deeper = list.nestedUnkeyedContainer()
      try deeper.encode(true)
      _ = container.superEncoder(forKey: .c)
      try container.encodeNil(forKey: .d)
      try container.encode(Silent(), forKey: .e)
    }
  }

  private func check(_ value: some Encodable, _ line: String) throws {
    #expect(String(decoding: try JSONValue.bytes(of: value), as: UTF8.self) == line)
    #expect(try JSONValue(value).line == line)
  }

  @Test func oddShapesAreThoseOfTheTree() throws {
    try check(Silent(), "{}")
    try check(Around(), #"{"text":"x","b":1}"#)
    try check(
      Nested(), #"{"a":{"a":[1,2],"b":["x",null,{},[true]]},"c":{},"d":null,"e":{}}"#)
    try check([[Int]](), "[]")
    try check([[], [[Silent()]]], "[[],[[{}]]]")
    try check(["a": [1: Optional<Int>.none]], #"{"a":{"1":null}}"#)
    try check(Int64.min, "-9223372036854775808")
    try check([UInt64(Int64.max), 0], "[9223372036854775807,0]")
    try check(UInt8.max, "255")
    try check("", "\"\"")
    try check(false, "false")
  }

  @Test func textsAreEscapedAsInTheTree() throws {
    for text in ["\"\\\n\r\t\u{0}\u{1f}\u{7f}", "héllo 寿司 \u{1F600}", "a/b", "\u{2028}\u{80}"] {
      let line = try JSONValue(text).line
      #expect(String(decoding: try JSONValue.bytes(of: text), as: UTF8.self) == line)
      #expect(
        String(decoding: try JSONValue.bytes(of: [text: text]), as: UTF8.self)
          == "{\(line):\(line)}")
    }
  }

  @Test func whatIsNotExactIsRefused() {
    #expect(throws: EncodingError.self) { _ = try JSONValue.bytes(of: [1.5]) }
    #expect(throws: EncodingError.self) { _ = try JSONValue.bytes(of: Float(1)) }
    #expect(throws: EncodingError.self) { _ = try JSONValue.bytes(of: UInt64.max) }
  }
}
