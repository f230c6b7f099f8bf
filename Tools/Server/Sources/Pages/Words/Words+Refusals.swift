import Daybook

// Texts of errors. The library's own messages are in English and contain names and figures. Pages
// in other languages show a general reason instead.
extension PageContext {
  /// Returns what is wrong and what to do, in the page's language.
  func told(_ error: DaybookError) -> String {
    let (message, remedy) = said(error)
    return remedy.isEmpty ? message : "\(message) \(remedy)"
  }

  /// Returns a message of the library, marked as English if the page is in another language.
  func library(_ text: String) -> HTML {
    words.code == Words.library ? "\(text)" : "<span lang=\"\(Words.library)\">\(text)</span>"
  }

  /// Returns what is wrong and what to do as two separate texts.
  func said(_ error: DaybookError) -> (message: String, remedy: String) {
    guard words.code != Words.library else { return (error.message, error.remedy) }
    if let code = error.refusal?.code, let text = words.refusals[code] { return (text, "") }
    return (words.failures[error.code] ?? self[.wrong], "")
  }
}

extension Words {
  /// The language of the library's own messages.
  static let library = "en"

  static let germanRefusals: [Refusal.Code: String] = [
    .overflow: "Der Betrag oder die Summe ist zu groß.",
    .day: "Diesen Tag gibt es nicht, oder der Zeitraum endet, bevor er beginnt.",
    .currency: "Diese Währung gibt es nicht, oder mit anderen Nachkommastellen.",
    .unbalanced: "Die Teile ergeben zusammen nicht null.",
    .missing: "Das gibt es nicht (mehr).",
    .currencyMismatch: "Der Betrag ist in einer anderen Währung als das Konto.",
    .noRate: "Dafür fehlt ein Kurs: unter „Kurse“ kann er eingetragen werden.",
    .text: "Der Text fehlt, ist zu lang oder hat unzulässige Zeichen.",
    .duplicateName: "Diesen Namen gibt es schon.", .duplicateID: "Das gibt es schon.",
    .negative: "Der Betrag muss größer als null sein.",
    .transfer: "Eine Umbuchung braucht einen Betrag und zwei verschiedene Konten.",
    .reconciled:
      "Die Buchung ist abgeglichen: Konto, Tag und Betrag bleiben, bis der Abgleich aufgehoben ist.",
    .closedPeriod: "Der Zeitraum ist abgeschlossen: in den Einstellungen wird er wieder geöffnet.",
    .closed: "Das Konto oder die Kategorie ist geschlossen oder gelöscht.",
    .inUse: "Das wird noch gebraucht und kann so nicht gehen.",
    .cycle: "Eine Kategorie kann nicht unter sich selbst stehen.",
    .kind: "Diese Art passt hier nicht.", .limit: "Das ist mehr, als erlaubt ist.",
    .conflict: "Jemand anderes hat dasselbe inzwischen geändert.",
    .shape: "Diese Buchung lässt diese Änderung nicht zu.",
    .builtin: "Das ist eingebaut und bleibt, wie es ist.",
    .importedTotal:
      "Die Teile ergeben nicht den Betrag der importierten Buchung. Ein Teil kann ohne Kategorie bleiben.",
    .value: "Dieser Wert ist nicht erlaubt.",
    .rows: "Zeilen der Datei können nicht gebucht werden.",
    .state: "Die Bücher konnten nicht gelesen oder geschrieben werden.",
  ]

  static let germanFailures: [DaybookError.Code: String] = [
    .missing: "An diesem Ort sind keine Bücher.", .alreadyOpen: "Die Bücher sind schon geöffnet.",
    .foreign: "Das sind keine Bücher von Daybook.",
    .nested: "Eine Sicherung kann nicht in den Büchern selbst liegen.",
    .damaged: "Die Dateien sind beschädigt. Eine Sicherung hilft; unter „Zustand“ wird geprüft.",
    .newerFormat: "Die Bücher sind von einer neueren Version.",
    .migrationFailed: "Die Bücher konnten nicht auf diese Version gebracht werden.",
    .readOnly: "Die Bücher können nur gelesen werden.", .closed: "Die Bücher sind geschlossen.",
    .notReady: "Die Bücher werden gerade nachgeführt. Gleich noch einmal versuchen.",
    .projectionUnavailable: "Diese Zahlen werden gerade nachgeführt.",
    .refused: "Das wurde abgelehnt.", .conflict: "Jemand war schneller. Bitte noch einmal ansehen.",
    .invalidToken: "Diesen Zeitpunkt gibt es in diesen Büchern nicht.",
    .expiredToken: "So weit zurück wird der Verlauf nicht mehr aufbewahrt.",
    .keyReused: "Dieses Formular wurde schon mit anderem Inhalt gesendet.",
    .outcomeUnknown: "Ob es gebucht wurde, ist nicht bekannt: der Verlauf zeigt es.",
    .full: "Der Datenträger ist voll.", .invalidQuery: "Diese Frage ist nicht möglich.",
    .cancelled: "Das wurde abgebrochen; nichts hat sich geändert.",
    .limitExceeded: "Das ist mehr, als erlaubt ist.",
    .system: "Das System hat es nicht zugelassen.",
  ]
}
