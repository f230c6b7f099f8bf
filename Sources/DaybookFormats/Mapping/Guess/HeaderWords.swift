import Foundation

/// Words that occur in column titles, in the languages of bank files.
///
/// Titles are compared in lowercase and without accents, with a space around each word. `" net "`
/// matches only the whole word, and `betrag` also matches `Rechnungsbetrag`.
enum HeaderWords {
  static let date = [
    " date", "datum", " data ", "fecha", " dato", " dag ", "buchungstag", "valutatag",
    "transakciodatuma",
    "paivamaara", " pvm", "kirjauspaiva", "maksupaiva", "kuupaev", " created ", " completed ",
    " time ",
    "timestamp", "datas ", "f valor", "f operacion", " dt ", "buchung ", "wertstellung", "dateop",
    "konyveles", "ertekna", " tarih", "kontanteffekt", "bokford",
  ]
  static let valueDate = [
    "wert", "valut", "value", "valeur", "valor", "rente", "ranta", "ertekna", "arvopaiva",
    "dateval",
    "waluty", "maturity",
  ]
  static let amount = [
    "amount", "betrag", "montant", " valor ", "importe", "importo", "bedrag", " gross ", "belop",
    " suma ",
    "beloep", "сумма", " net ", "netto", "brutto", "umsatz ", "kwota", "castka", " osszeg", "summa",
    "monto", "importancia", "quantia", " value ", "maara", " objem ", " ciastka",
    "transakcio osszege",
    "konyvelt osszeg", " summe ", " volume ", " tutar", "einzelbetrag", " importi ", " sum ",
  ]
  static let debit = [
    "debit", "withdraw", "paid out", "money out", " soll ", "charge", "debet", " debe ", "cargo",
    "addebit",
    "uscit", " dare ", "belastung", "lastschrift", "ut fra", " ut ", "outflow", " out ", "paid ",
    "spent",
    " obciazenia ", "wyplaty", "afschrijving", "depense", "saida", "terheles", " ausgabe",
    " gastos",
    "lahtenyt", " ud ",
  ]
  static let credit = [
    "credit", "deposit", "paid in", "money in", " haben ", "kredit", " haber ", "abono", "accredit",
    "entrat", " avere ", "gutschrift", "inn pa", " inn ", "inflow", " in ", "received", " uznania ",
    "wplaty", "bijschrijving", "recette", "entrada", "jovairas", "einnahme", "ingresos", "saapunut",
    " ind ",
  ]
  static let balance = [
    "balance", "saldo", "solde", "kontostand", "disponible", "egyenleg", "zustatek", "zostatok",
    "stan konta",
    "kontoutskrift", "running", "bakiye", "salgo", "saldi", " stan ", "guthaben",
  ]
  /// Fees, taxes and other secondary amounts.
  static let fee = [
    " fee ", "gebuhr", "entgelt", "commission", "comision", "frais", "poplatek", "avgift", "gebyr",
    "kosten",
    " tax", "mwst", " vat ", " ust ", "prowizja", "oplata", "auslagenersatz", "ursprungsbetrag",
  ]
  /// Numbers that aren't amounts of money, such as rates and account numbers.
  static let beside = [
    " kurs", "kurs ", " rate", "koers", "cours", "taux", "kurz",
    "arfolyam", "quantity", "anzahl", " price", "points", " iban", "iban ", "number", "nummer",
    " nr ",
    " no ", "numero", "numer ", " id ", "identif", "reference", "referenz", "referens",
    "referencia",
    " ref ", "kontonr", " blz ", "bankleitzahl", " bic ", "swift", "check ", "cheque ", " code ",
    "kode",
    "symbol", " volgnr", "dokument", "document", "karten", " card ", "cislo", "kontonummer",
    "rekening", "szamlaszam", " mcc ", "agencia", "phone", "branch", "postleit", " plz ",
    "postcode",
    "cuenta", " account ", "tilinumero", "viite",
  ]
  /// An amount or currency before the conversion to the account's currency.
  static let foreign = [
    "foreign", "fremd", "original", "oorspr", "ursprung", "puvodni", "povodna", "estrange",
    "extranj",
    "extranjera", "devise d origine", "valuta estera", "w oryginale", "kwota operacji",
    "waluta operacji",
    "oprindelig", "alkuperai", "instructed", "utenlandsk", "utlandsk", "udenlandsk", "eredeti",
    "etranger",
    " orig ", "vreemde",
  ]
  /// Similar words that can also refer to the account's currency.
  static let local = ["local", "merchant", "transaction curr", "lokal"]
  static let ownCurrency = [
    "currency", "wahrung", "waehrung", "valuta", "munt ", "devise", "divisa", "moneda", "moeda",
    "waluta",
    " mena", "deviza", "devizanem", "valuutta", "valuutakood", " ccy ", "monnaie", "divise",
    "para birimi",
    " curr ", "valutacode",
  ]
  static let payee = [
    "payee", "counterparty", "counter party", "merchant", "empfanger", "empfaenger", "begunstigt",
    "beguenstigt", "zahlungspflicht", "zahlungsbeteiligt", "auftraggeber", "gegenpartei",
    "tegenpartij",
    "nadawc", "odbiorc", "protistran", "kontrahent", "beneficiar", "benefic", " tiers ",
    "ordenante", "mottag",
    "mottaker", "modtager", "saaja", "nazev protiuctu", "nazov protiuctu", "protistrana", "partner",
    "destinat", "controparte", "naam ", "handelaar", "vendor", " name ", "supplier", "makse saaja",
    "avsandare", "avsender", "nom du", "handler", "store", "shop ", "nome ",
    " navn ", " namn ", " nimi ", " nombre ", "nazwa",
  ]
  /// Names and numbers of the account holder.
  static let own = [
    "account name", "auftragskonto", "rubriek", "kaarthouder", "holder", "card member",
    "cardmember",
    "kontoinhaber", "name konto", "karteninhaber", "account label", "accountlabel", "product",
    " iban",
    "iban ", "kontonummer", "account num", "accountnum", "nazev uctu", "szamla neve", "own account",
    "kontobezeichnung", "naam rekening", "account no", "omanimi", " bic ", "rekeningnummer",
    "e mail", "email",
    "swift",
  ]
  /// Titles of descriptions, most specific first.
  static let text = [
    "verwendungszweck", "description", "descript", "descripcion", "descrizione", "descricao",
    "omschrijving",
    "mededeling", "libelle", "concepto", "conceito", "betreff", "subject", "memo", "details",
    "detail",
    "kozlemeny", "reszletek", "tytul", "opis", "szczegoly", "popis", "zprava", "sprava", "rubrik",
    "meddelande",
    "beskrivning", "beskrivelse", "forklaring", "tekst", " text ", "viesti", "selitys", "selgitus",
    "narrative", "particulars", "causale", "historico", "movimiento", "movimento", "buchungstext",
    "beschreibung", "bezeichnung", "payment reference", "communication", "informacion", "message",
    "note",
    "comment", "kommentar", "remark", "poznam", "megjegyz", "transaktion", "transaction",
    "operazione", "operation", "lancamento",
    "konzept", "reference", "vorgang", "aciklama",
  ]
  /// Titles of texts that describe the kind of row rather than its purpose.
  static let kind = [
    "type", " typ ", "art ", "umsatzart", "tipo", "rodzaj", "soort", "kind", "category", "kategori",
    "categor", "status", "state", " code ", "transaktionstyp", "channel", " land ", "country",
    "city", "wise", "tags", "spaces", "emoji", " laji", "savetype", "tilaus",
    " smer", "retning", "direction", "irany", "debet kredit", "sens ",
  ]
  static let all = [date, amount, debit, credit, balance, ownCurrency, payee, text, foreign, kind]

  /// Normalises a title for comparison.
  static func folded(_ title: String) -> String {
    var spaced = ""
    var wasLower = false
    for character in title {
      if wasLower, character.isUppercase { spaced.append(" ") }
      wasLower = character.isLowercase
      spaced.append(character)
    }
    let words = MonthNames.folded(spaced).lowercased().replacing("ß", with: "ss")
      .replacing("æ", with: "ae").split { !$0.isLetter && !$0.isNumber }
    return " " + words.joined(separator: " ") + " "
  }
}
