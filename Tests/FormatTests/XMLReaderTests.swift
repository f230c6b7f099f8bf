import Testing

@testable import DaybookFormats

// Goal: the reader of XML takes what is well formed and names the place of what is not.
@Suite("XML")
struct XMLReaderTests {
  private func texts(_ xml: String) throws(InterchangeError) -> [String] {
    var reader = try XMLReader(utf8: Array(xml.utf8))
    var texts: [String] = []
    while try reader.nextChild() {
      while try reader.nextChild() {
        let name = reader.string(reader.name)
        let kind = reader.attribute("kind").map { reader.string($0) } ?? "-"
        try reader.text()
        texts.append("\(name) \(kind) \(reader.collected.string)")
      }
    }
    return texts
  }

  private func fault(_ xml: String) -> InterchangeError? {
    do {
      _ = try texts(xml)
      return nil
    } catch {
      return error
    }
  }

  @Test("Text, attributes, references, character data and comments")
  func content() throws {
    let xml = """
      <?xml version="1.0"?>
      <!-- a > b --><p:a>
        <p:b kind='x>y' other="">  one\n  two </p:b ><c/>
        <d>A&amp;B &lt;&#228;&#xE4;&gt;</d><e><![CDATA[<x> & ]]>y</e><f kind = "1"><g>no</g>yes</f>
      </p:a>
      """
    #expect(
      try texts(xml) == ["b x>y one two", "c - ", "d - A&B <ää>", "e - <x> & y", "f 1 yes"])
  }

  @Test("The first text of an element is found at any depth")
  func firstText() throws {
    var reader = try XMLReader(utf8: Array("<a><b> <c>1<d>2</d></c><e>3</e></b><f/></a>".utf8))
    #expect(try reader.nextChild())
    #expect(try reader.nextChild())
    try reader.firstText()
    #expect(reader.collected.string == "1")
    #expect(try reader.nextChild())
    #expect(reader.string(reader.name) == "f")
    try reader.skip()
    #expect(try !reader.nextChild())
    #expect(try !reader.nextChild())
  }

  @Test(
    "What is not well formed is refused at its place",
    arguments: [
      ("<a>\n <b>\n</a>", 3, 1), ("<a>\n <b>x", 2, 6), ("<a><b>&nbsp;</b></a>", 1, 7),
      ("<a><b>ä&#0;</b></a>", 1, 8),
      ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a/>", 1, 1),
      ("<a b=c/>", 1, 6), ("<a b='<'/>", 1, 7), ("<a b", 1, 5), ("</a>", 1, 1),
      ("<a><1/></a>", 1, 4),
      ("<a><!-- x", 1, 6), ("<a></a", 1, 7), ("<a><b></b x></a>", 1, 11),
    ])
  func malformed(xml: String, line: Int, column: Int) {
    let error = fault(xml)
    #expect(error?.code == .format)
    #expect(error?.line == line, "\(error as Any)")
    #expect(error?.column == column, "\(error as Any)")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("Depth, names and attributes are bounded")
  func limits() {
    let deep = String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
    #expect(fault(deep)?.message.contains("128 levels") == true)
    #expect(fault("<" + String(repeating: "a", count: 300) + "/>")?.message.contains("256") == true)
    let many = (0..<70).map { " a\($0)=''" }.joined()
    #expect(fault("<a\(many)/>")?.message.contains("64 attributes") == true)
  }

  @Test("Bytes that are not UTF-8 are refused at their place")
  func encoding() {
    do {
      _ = try XMLReader(utf8: Array("<a>\nä".utf8) + [0xFF])
      Issue.record("read")
    } catch {
      #expect(error.code == .encoding)
      #expect(error.line == 2)
      #expect(error.column == 2)
    }
  }

  @Test(
    "The declared encoding is taken",
    arguments: [
      ("<?xml version='1.0' encoding='ISO-8859-1'?><a>", [0xE4]),
      ("<?xml version=\"1.0\" encoding=\"windows-1252\" ?><a>", [0xE4]), ("<a>", [0xC3, 0xA4]),
    ] as [(String, [UInt8])])
  func declared(head: String, letter: [UInt8]) throws {
    let file = RawFile(Array(head.utf8) + letter + Array("</a>".utf8), name: "x")
    let text = try XMLText.utf8(file, encoding: nil)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix("<a>ä</a>"))
  }

  @Test("An encoding that is not known is named")
  func unknownEncoding() {
    let file = RawFile(
      Array("<?xml version='1.0' encoding='EBCDIC'?><a>".utf8) + [0xE4], name: "x")
    #expect(throws: InterchangeError.self) { try XMLText.utf8(file, encoding: nil) }
  }
}
