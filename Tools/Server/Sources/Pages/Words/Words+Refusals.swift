import Daybook

// The texts of errors. The library's messages are in English and contain names and figures. Pages
// in other languages show a general reason instead.
extension PageContext {
  /// Returns an error's message and remedy in the page's language.
  func text(_ error: DaybookError) -> String {
    let (message, remedy) = said(error)
    return remedy.isEmpty ? message : "\(message) \(remedy)"
  }

  /// Returns a message of the library, marked as English if the page is in another language.
  func library(_ text: String) -> HTML {
    words.code == Words.library ? "\(text)" : "<span lang=\"\(Words.library)\">\(text)</span>"
  }

  /// Returns an error's message and remedy as separate texts.
  func said(_ error: DaybookError) -> (message: String, remedy: String) {
    guard words.code != Words.library else { return (error.message, error.remedy) }
    if let code = error.refusal?.code, let text = words.refusals[code] { return (text, "") }
    return (words.failures[error.code] ?? self[.wrong], "")
  }
}

extension Words {
  /// The language of the library's messages.
  static let library = "en"

  static let germanRefusals: [Refusal.Code: String] = [
    .overflow: "Der Betrag oder die Summe ist zu groß. Geben Sie einen kleineren Betrag ein.",
    .day: "Das Datum gibt es nicht, oder der Zeitraum endet vor seinem Beginn.",
    .currency: "Diese Währung gibt es nicht, oder sie hat eine andere Zahl von Nachkommastellen.",
    .unbalanced: "Die Posten der Buchung ergeben zusammen nicht null. Ändern Sie einen Betrag.",
    .missing: "Das gibt es nicht oder nicht mehr. Laden Sie die Seite neu.",
    .currencyMismatch: "Der Betrag ist in einer anderen Währung als das Konto.",
    .noRate: "Dafür fehlt ein Kurs. Fügen Sie ihn unter „Kurse“ hinzu.",
    .text: "Der Text fehlt, ist zu lang oder enthält unzulässige Zeichen.",
    .duplicateName: "Diesen Namen gibt es schon. Wählen Sie einen anderen.",
    .duplicateID: "Das gibt es schon.",
    .negative: "Der Betrag muss größer als null sein.",
    .transfer: "Eine Umbuchung braucht einen Betrag und zwei verschiedene Konten.",
    .reconciled:
      "Die Buchung ist abgeglichen. Konto, Datum und Betrag lassen sich erst ändern, wenn der Abgleich aufgehoben ist.",
    .closedPeriod: "Der Zeitraum ist abgeschlossen. Öffnen Sie ihn in den Einstellungen wieder.",
    .closed: "Das Konto oder die Kategorie ist geschlossen oder gelöscht.",
    .inUse: "Das wird noch verwendet und kann so nicht gelöscht werden.",
    .cycle: "Eine Kategorie kann nicht ihre eigene Unterkategorie sein.",
    .kind: "Diese Art passt hier nicht.", .limit: "Das ist mehr, als erlaubt ist.",
    .conflict: "Jemand anderes hat dasselbe inzwischen geändert. Laden Sie die Seite neu.",
    .shape: "Diese Buchung lässt sich so nicht ändern.",
    .builtin: "Das ist eingebaut und lässt sich nicht ändern.",
    .importedTotal:
      "Die Teile ergeben nicht den Betrag der importierten Buchung. Ein Teil kann ohne Kategorie bleiben.",
    .value: "Dieser Wert ist nicht erlaubt.",
    .rows: "Einige Zeilen der Datei können nicht gebucht werden.",
    .state: "Das Haushaltsbuch konnte nicht gelesen oder geschrieben werden.",
  ]

  static let germanFailures: [DaybookError.Code: String] = [
    .missing: "An diesem Ort ist kein Haushaltsbuch.",
    .alreadyOpen: "Das Haushaltsbuch ist schon geöffnet.",
    .foreign: "Das ist kein Haushaltsbuch von Daybook.",
    .nested:
      "Sicherung und Haushaltsbuch können nicht ineinander liegen. Wählen Sie einen anderen Ort.",
    .damaged:
      "Die Dateien sind beschädigt. Prüfen Sie sie unter „Zustand“ oder spielen Sie eine Sicherung zurück.",
    .missingCommits:
      "Dem Haushaltsbuch fehlen bestätigte Buchungen. Spielen Sie das neuere Journal zurück oder rufen Sie „daybook recover“ auf.",
    .newerFormat: "Das Haushaltsbuch stammt von einer neueren Version. Aktualisieren Sie Daybook.",
    .migrationFailed: "Das Haushaltsbuch konnte nicht auf diese Version umgestellt werden.",
    .readOnly: "Das Haushaltsbuch kann nur gelesen werden.",
    .closed: "Das Haushaltsbuch ist geschlossen.",
    .suspended:
      "Das Haushaltsbuch ist vorübergehend geschlossen. Versuchen Sie es gleich noch einmal.",
    .notReady: "Das Haushaltsbuch wird gerade aktualisiert. Versuchen Sie es gleich noch einmal.",
    .projectionUnavailable:
      "Diese Zahlen sind gerade nicht verfügbar. Versuchen Sie es später noch einmal.",
    .refused: "Das wurde abgelehnt.",
    .conflict:
      "Jemand anderes hat inzwischen etwas geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
    .invalidToken: "Diesen Zeitpunkt gibt es in diesem Haushaltsbuch nicht.",
    .expiredToken: "So weit zurück wird der Verlauf nicht mehr aufbewahrt.",
    .keyReused: "Dieses Formular wurde schon mit anderem Inhalt gesendet.",
    .outcomeUnknown:
      "Es ist nicht bekannt, ob die Änderung gebucht wurde. Sehen Sie im Verlauf nach.",
    .full: "Der Datenträger ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal.",
    .invalidQuery: "Diese Abfrage ist ungültig.",
    .cancelled: "Die Anfrage wurde abgebrochen. Nichts hat sich geändert.",
    .limitExceeded: "Das ist mehr, als erlaubt ist.",
    .system: "Das Betriebssystem hat einen Fehler gemeldet.",
  ]
}
