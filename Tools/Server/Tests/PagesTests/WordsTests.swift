// Goal: no language lacks a word, and addresses carry any text. Method: tables are compared; texts are encoded.
import Daybook
import Testing

@testable import Pages

@Suite struct WordsTests {
  @Test func everyLanguageHasEveryWord() {
    for words in Words.all {
      for word in Word.allCases {
        #expect(words.table[word]?.isEmpty == false, "\(word) in \(words.code)")
      }
    }
  }

  @Test func everyOtherLanguageSaysWhySomethingIsRefused() {
    for words in Words.all where words.code != Words.library {
      for code in Refusal.Code.allCases { #expect(words.refusals[code] != nil, "\(code)") }
      for code in DaybookError.Code.allCases { #expect(words.failures[code] != nil, "\(code)") }
    }
  }

  @Test func theModulesAreSmallAndSayNothingThemselves() {
    let module = String(decoding: Assets.modules.flatMap(\.bytes), as: UTF8.self)
    #expect(module.utf8.count <= 60_000, "all that a browser runs")
    #expect(module.matches(of: /textContent = ['"]|placeholder = ['"]|append\(['"]/).isEmpty)
  }

  @Test func theFirstLanguageThatThereIsIsTaken() {
    #expect(Words.choose(["fr", "de-AT", "en"]).words.code == "de")
    #expect(Words.choose(["fr", "de-AT", "en"]).locale == "de-AT")
    #expect(Words.choose([]).words.code == "en")
  }

  @Test func anAddressCarriesAnyText() {
    let address = Address("/transactions", [("text", "a&b=c d/é\"<"), ("none", nil)])
    #expect(address.text == "/transactions?text=a%26b%3Dc%20d%2F%C3%A9%22%3C")
    #expect(address.setting("text", nil).text == "/transactions")
  }

  @Test func whatIsPutIntoAPageIsEscaped() {
    let text = "<a b='c' d=\"e\">&"
    let html: HTML = "<p>\(text)</p>"
    #expect(html.text == "<p>&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;</p>")
    let twice: HTML = "\(html)\([html, html])\(nil as HTML?)"
    #expect(twice.text == html.text + html.text + html.text)
  }
}
