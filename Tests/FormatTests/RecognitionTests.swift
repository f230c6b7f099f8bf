import Testing

@testable import DaybookFormats

@Suite("Recognising formats")
struct RecognitionTests {
  @Test("Text that is of no format has no candidates")
  func nothing() {
    let file = RawFile(Array("Date,Amount\n2026-01-01,1.00\n".utf8), name: "x.csv")
    #expect(FileFormats.candidates(file).isEmpty)
  }

  @Test("Names of formats are unique and found whatever their case")
  func names() {
    let names = FileFormats.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for name in names { #expect(FileFormats.named(name.uppercased()) != nil) }
  }
}
