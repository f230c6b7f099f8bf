import Foundation

/// The names of months, in full or abbreviated, in the languages of bank files.
///
/// An abbreviation is any prefix of at least three letters that is unique to one month. Case,
/// accents and a trailing dot are ignored.
enum MonthNames {
  /// Returns the month with a name, from 1.
  static func month(_ word: [UInt8]) -> Int? {
    if let month = english(word) { return month }
    return months[folded(String(decoding: word, as: UTF8.self))]
  }

  /// English abbreviations are found without the table, so that files in English don't have to
  /// build it.
  private static func english(_ word: [UInt8]) -> Int? {
    guard word.count == 3 else { return nil }
    let lower = word.map { $0 | 0x20 }
    return short.firstIndex(of: lower).map { $0 + 1 }
  }

  private static let short = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .replacing("ł", with: "l").replacing("ø", with: "o").replacing("ı", with: "i")
  }

  private static let months: [String: Int] = {
    var meanings: [String: Set<Int>] = [:]
    for language in names {
      for (index, name) in language.split(separator: " ").enumerated() {
        for form in name.split(separator: "/") {
          let letters = folded(String(form))
          for count in min(3, letters.count)...letters.count {
            meanings[String(letters.prefix(count)), default: []].insert(index + 1)
          }
        }
      }
    }
    var months = meanings.compactMapValues { $0.count == 1 ? $0.first : nil }
    // Full names and irregular abbreviations take precedence over prefixes of other names.
    for language in names {
      for (index, name) in language.split(separator: " ").enumerated() {
        for form in name.split(separator: "/") { months[folded(String(form))] = index + 1 }
      }
    }
    for (word, month) in usual { months[word] = month }
    return months
  }()

  /// Irregular abbreviations, and prefixes of two months that are commonly used for one of them.
  private static let usual = [
    "mar": 3, "mrt": 3, "mrz": 3, "sept": 9, "jan": 1, "cvn": 6, "cvc": 7, "stc": 1, "dets": 12,
  ]

  /// One line per language, with the months in order.
  ///
  /// Alternative forms are separated by slashes.
  private static let names = [
    "january february march april may june july august september october november december",
    "januar/jänner/jaenner februar/feber märz/maerz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "tammikuu/tammikuuta helmikuu/helmikuuta maaliskuu/maaliskuuta huhtikuu/huhtikuuta toukokuu/toukokuuta kesäkuu/kesäkuuta heinäkuu/heinäkuuta elokuu/elokuuta syyskuu/syyskuuta lokakuu/lokakuuta marraskuu/marraskuuta joulukuu/joulukuuta",
    "leden/ledna únor/února březen/března duben/dubna květen/května červen/června červenec/července srpen/srpna září říjen/října listopad/listopadu prosinec/prosince",
    "január február marec/marca apríl máj/mája jún/júna júl/júla august september október november december",
    "január február március április május június július augusztus szeptember október november december",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
  ]
}
