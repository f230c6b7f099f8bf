// Goal: a path of categories and its text are the same thing said twice. Method: texts by hand, and names
// with every mark in them, which are written and read again.
import DaybookBookkeeping
import Testing

@Suite struct CategoryPathTests {
  @Test(arguments: [
    ("Food", ["Food"]), ("Food:Groceries", ["Food", "Groceries"]),
    (" Food : Fresh bread ", ["Food", "Fresh bread"]),
    (#"Hotel\: breakfast"#, ["Hotel: breakfast"]),
    (#"A\:B:C"#, ["A:B", "C"]), (#"A\\:B"#, [#"A\"#, "B"]), (#"A\B"#, [#"A\B"#]),
    (#"A\"#, [#"A\"#]),
    (#"A\\\:B"#, [#"A\:B"#]),
  ])
  func textsSayNames(text: String, names: [String]) {
    #expect(CategoryPath(text)?.names == names)
  }

  @Test(arguments: ["", " ", ":", "Food:", ":Food", "Food::Bread", "Food: :Bread"])
  func blankNamesAreNone(text: String) {
    #expect(CategoryPath(text) == nil)
  }

  @Test(
    arguments: [
      ("", []), ("Food:", ["Food"]), (":Food: ", ["Food"]), ("Food", ["Food"]),
      ("Food: Bread", ["Food", "Bread"]), (#"A\:B"#, ["A:B"]),
    ] as [(String, [String])])
  func aFilesBlankNamesAreLeftOut(text: String, names: [String]) {
    #expect(CategoryPath(leavingOutBlanksOf: text).names == names)
  }

  @Test func everyPathHasATextOfItsOwn() {
    let marks = ["A", ":", "\\", "é", " x"]
    var names: [String] = []
    for first in marks {
      for second in marks { for third in marks { names.append("a\(first)\(second)\(third)z") } }
    }
    names += [#"\"#, #":"#, #"\\"#, #"::"#, #"\:"#, #":\"#]
    var texts: [String: CategoryPath] = [:]
    for name in names {
      for path in [CategoryPath([name]), [name, "x"], ["x", name], [name, name]] {
        let text = "\(path)"
        #expect(CategoryPath(text) == path, "\(text)")
        #expect(texts.updateValue(path, forKey: text) == nil, "\(text)")
      }
    }
  }
}
