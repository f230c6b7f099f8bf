/// The status of a response: success, or an error code.
struct OFXStatus {
  var start = 0
  var isSignOn = false
  var code = OFXText()
  var severity = OFXText()
  var message = OFXText()

  init() {}

  init(start: Int, isSignOn: Bool) {
    self.start = start
    self.isSignOn = isSignOn
  }

  /// Returns the meaning of the codes that users may encounter.
  static func meaning(_ code: String) -> String? {
    switch code {
    case "2000": "general error at the bank"
    case "2001": "the account is invalid"
    case "2002": "general error with the account"
    case "2003": "the bank can't find the account"
    case "2004": "the account is closed"
    case "2005": "you don't have access to the account"
    case "2019": "the request was already made"
    case "2020", "2027", "2028": "the bank doesn't accept the requested dates"
    case "3000": "the user isn't registered at the bank"
    case "6500", "6501", "6502": "the request can't be repeated"
    case "10500": "there are too many checks to process"
    case "13000", "13500": "the user ID and password must first be set up at the bank"
    case "13501", "13502", "13503", "13504": "enrolment at the bank failed"
    case "14500", "14501": "the bank rejected the certificate"
    case "15000": "the password must first be changed at the bank"
    case "15500": "the user ID or password is wrong"
    case "15501": "the account is in use by another session"
    case "15502": "the password is locked"
    case "15503": "the password couldn't be changed"
    case "15504": "the bank couldn't create a new password"
    case "15505": "this country isn't supported"
    case "15506": "the password has expired"
    case "15507": "the answer to the bank's security question is wrong"
    case "15508": "the bank requires a password change"
    case "15509": "the session has ended"
    case "15510": "the bank requires more answers at sign-on"
    case "15511": "the bank doesn't support this program's version"
    case "15512": "the bank requires an access token"
    case "16500", "16501", "16502", "16503": "the data isn't available now"
    default: nil
    }
  }
}

extension OFXReader {
  mutating func finishStatus() {
    guard decoder.text(status.severity, in: bytes).uppercased() == "ERROR" else { return }
    let code = decoder.text(status.code, in: bytes)
    let words = decoder.text(status.message, in: bytes)
    let what = status.isSignOn ? "The bank refused the sign-on" : "The bank refused a request"
    var text = what
    if let meaning = OFXStatus.meaning(code) { text += ": \(meaning)" }
    text += code.isEmpty ? "." : " (\(code))."
    if !words.isEmpty { text += " The bank's message: “\(words.prefix(500))”" }
    place = place.advanced(to: status.start, in: bytes)
    refusals.append((place.line, text))
  }
}
