// Goal: what the domain says within a sentence can stand as one of its own. Method: texts and what they
// become.

import DaybookBookkeeping
import Testing

@Suite struct SentenceTests {
  @Test(arguments: [
    ("there is no rate; add one first", "There is no rate; add one first."),
    ("“Lunch” is locked", "“Lunch” is locked."), ("Is done.", "Is done."), ("why?", "Why?"),
    ("42 rows are too many", "42 rows are too many."), ("and so on …", "And so on …"),
    ("bad rows:", "Bad rows:"), ("", ""),
  ])
  func reasonsBecomeSentences(reason: String, sentence: String) {
    #expect(reason.asSentence == sentence)
    #expect(sentence.asSentence == sentence)
  }

  @Test func pathsKeepTheirLetters() {
    #expect("statement.csv: line 3".ended == "statement.csv: line 3.")
  }
}
