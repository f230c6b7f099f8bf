extension OFXFiles {
  private static let cut = "rows that move no cash of the account are told, not read"

  static let cases: [Case] = [
    Case(
      file: "account_listing_aggregation.ofx",
      outcome: .read(
        ["0000000001", "0000000002", "00000000000003", "4111111111111111"].map {
          Expected(number: $0, rows: 0, sum: "0")
        })),
    Case(
      file: "anzcc.ofx",
      outcome: .read([
        Expected(
          number: "1234123412341234", currency: "AUD", rows: 1, sum: "-5.50", closing: "-123.45",
          days: ["2017-05-08"], references: ["201705080001"])
      ])),
    Case(
      file: "bank_medium.ofx",
      outcome: .read([
        Expected(
          number: "12300 000012345678", currency: "CAD", rows: 3, sum: "-345.27",
          closing: "382.34", days: ["2009-04-01", "2009-04-02", "2009-04-03"],
          references: [
            "0000123456782009040100001", "0000123456782009040200004", "0000123456782009040300005",
          ])
      ])),
    Case(file: "bank_small.ofx", outcome: .read([])),
    Case(
      file: "checking.ofx",
      outcome: .read([
        Expected(
          number: "1452687~7", currency: "USD", rows: 3, sum: "-59.50", closing: "100.99",
          days: ["2011-03-31", "2011-04-05", "2011-04-07"],
          references: ["0000486", "0000487", "0000488"])
      ])),
    Case(
      file: "error_message.ofx", outcome: .refused("General Server Error"),
      exception: "ofxparse gives no account; the file holds nothing but the bank's refusal"),
    Case(
      file: "fidelity-savings.ofx",
      outcome: .badLines(
        [66, 81, 96],
        [
          Expected(
            number: "X0000001", currency: "USD", rows: 1, sum: "-1500.00", days: ["2012-07-20"],
            references: ["X0000000000000000000001"])
        ]),
      exception: "three rows have fractions of a cent, which ofxparse keeps"),
    Case(
      file: "fidelity.ofx",
      outcome: .read([
        // Fourteen trades of -10526.10 in total and three rows of -0.57 in total.
        Expected(
          number: "01234567890", currency: "USD", rows: 17, sum: "-10526.67", closing: "18073.98")
      ])),
    Case(
      file: "investment_401k.ofx",
      outcome: .read([Expected(number: "12345678.123456-01", currency: "USD", rows: 0, sum: "0.00")]
      ),
      exception: cut),
    Case(
      file: "investment_medium.ofx",
      outcome: .read([
        Expected(number: "ABC123", currency: "CAD", rows: 0, sum: "0.00", closing: "1.00"),
        Expected(
          number: "ABC123", currency: "USD", rows: 3, sum: "-3.95",
          days: ["2009-12-15", "2009-12-15", "2009-12-15"],
          references: [
            "20091215.U489357.e.USD.1510480481", "20091215.U489357.e.USD.1510982018",
            "20091215.U489357.e.USD.1511863617",
          ]),
      ]),
      exception: "CURRENCY says that the rows are USD; the days are the bank's, not those of UTC"),
    Case(file: "multiple_accounts.ofx", outcome: .read(two)),
    Case(file: "multiple_accounts2.ofx", outcome: .read(two)),
    Case(
      file: "ofx-v102-empty-tags.ofx",
      outcome: .read([
        Expected(
          number: "12345678", currency: "AUD", rows: 1, sum: "12.34", days: ["2018-05-07"],
          references: [""])
      ]),
      exception: "ofxparse refuses empty values; the row is whole without them"),
    Case(
      file: "signon_fail.ofx", outcome: .refused("The bank refused the sign-on"),
      exception: "ofxparse gives no account; the file holds nothing but the bank's refusal"),
    Case(file: "signon_success.ofx", outcome: .read([])),
    Case(file: "signon_success_no_message.ofx", outcome: .read([])),
    Case(
      file: "suncorp.ofx",
      outcome: .read([
        Expected(
          number: "123456789", currency: "AUD", rows: 1, sum: "-16.85", closing: "1234.12",
          days: ["2013-12-15"], references: ["1"])
      ])),
    Case(
      file: "td_ameritrade.ofx",
      outcome: .read([
        Expected(number: "121212121", currency: "USD", rows: 0, sum: "0.00", closing: "0.00")
      ])),
    Case(
      file: "tiaacref.ofx",
      outcome: .read([
        Expected(
          number: "111A1111 22B222 33C333", currency: "USD", rows: 0, sum: "0.00", closing: "0.00")
      ]), exception: cut),
    Case(
      file: "vanguard.ofx",
      outcome: .read([Expected(number: "01234567890", currency: "USD", rows: 0, sum: "0.00")]),
      exception: cut),
    Case(
      file: "vanguard401k.ofx",
      outcome: .read([Expected(number: "0123456", currency: "USD", rows: 0, sum: "0.00")]),
      exception: cut),
    Case(
      file: "fail_nice/date_missing.ofx",
      outcome: .badLines(
        [33, 40, 50],
        [Expected(number: "192639749", currency: "USD", rows: 0, sum: "0.00", closing: "0.00")])),
    Case(
      file: "fail_nice/decimal_error.ofx",
      outcome: .badLines(
        [36],
        [Expected(number: "192639749", currency: "CAD", rows: 0, sum: "0.00", closing: "0.00")])
    ),
    Case(
      file: "fail_nice/empty_balance.ofx",
      outcome: .read([
        Expected(
          number: "192639749", currency: "CAD", rows: 1, sum: "120.00", days: ["2011-03-08"],
          references: ["2000957249"])
      ]),
      exception:
        "an empty balance is told and not taken, as ofxparse does when it does not fail fast"),
  ]

  private static let two = [
    Expected(number: "9100", currency: "USD", rows: 0, sum: "0.00", closing: "111.00"),
    Expected(number: "9200", currency: "USD", rows: 0, sum: "0.00", closing: "222.00"),
  ]
}
