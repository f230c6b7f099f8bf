// Goal: whoever mistypes a command, a flag or a value is told what there is, in words of the command line.
// Method: the built command is given what people coming from other programs type; the answers are read.
import Foundation
import Testing

@Suite struct UnknownWordsTests {
  @Test(arguments: [
    ("blance", "daybook balance"), ("bal", "daybook balance"), ("registr X", "daybook register"),
    ("transactions", "daybook list"), ("lst", "daybook list"), ("account list", "daybook accounts"),
    ("category", "daybook categories"), ("new", "daybook init"), ("remove 5", "daybook delete"),
    ("find x", "daybook search"), ("verfy --json2", "daybook verify"),
    ("BALANCE", "daybook balance"),
    ("categories crate Food", "daybook categories create"),
    ("categories add Food", "daybook categories create"),
    ("accounts new Cash", "daybook accounts create"),
    ("accounts rm Cash", "daybook accounts delete"),
    ("budget remove Food", "daybook budget delete"),
    ("rules ad X --contains y", "daybook rules add"),
    ("rate delete EUR USD", "daybook rate remove"), ("recurring paus X", "daybook recurring pause"),
  ])
  func anUnknownCommandGetsTheNearest(line: String, meant: String) throws {
    let run = try Desk().run(line)
    #expect(run.status == 64)
    #expect(run.errors.contains("Did you mean: \(meant)"), "\(run.errors)")
    #expect(run.errors.hasPrefix("Error: There is no command “daybook"), "\(run.errors)")
  }

  @Test func aCommandLikeNoneIsToldWhereToLook() throws {
    let desk = try Desk()
    #expect(try desk.run("frobnicate").errors.contains("daybook --help"))
    #expect(try desk.run("categories frobnicate").errors.contains("rename, move, edit, delete"))
  }

  @Test(arguments: [
    ("add expense 5 --account Cash --date 2026-02-01", "--on"),
    ("add expense 5 --acount Cash", "--account"), ("add expense 5 --cat Food", "--category"),
    ("add expense 5 --merchant Rewe", "--payee"), ("add expense 5 --memo x", "--note"),
    ("add transfer 5 --from Cash --to-account Bank", "--account"),
    ("list --since 2026-01-01", "--from"), ("list --until 2026-01-01", "--through"),
    ("list --to 2026-01-01", "--through"), ("balance --date 2026-01-01", "--on"),
    ("add expense 5 --tags x", "--tag"), ("list --max 5", "--limit"), ("list --file x", "--ledger"),
    ("accounts delete Cash --keeprows", "--keep-rows"),
    ("accounts delete Cash --keepRows", "--keep-rows"),
    ("categories create Food --under Home", "--parent"),
  ])
  func anUnknownFlagGetsTheNearest(line: String, meant: String) throws {
    let run = try Desk().run(line)
    #expect(run.status == 64)
    #expect(run.errors.contains("Did you mean \(meant)?"), "\(run.errors)")
  }

  @Test func flagsBeforeTheCommandAndShortOnesAreExplained() throws {
    let desk = try Desk()
    let before = try desk.run("--ledger x.daybook list")
    #expect(before.errors.contains("daybook list --ledger"), "\(before.errors)")
    let short = try desk.run("add expense 5 -a Cash")
    #expect(short.errors.contains("--account"), "\(short.errors)")
  }

  @Test(arguments: [
    ("2026-02-30", "February 2026 has 28 days"), ("2024-02-30", "February 2024 has 29 days"),
    ("2026-04-31", "April 2026 has 30 days"), ("2026-13-01", "there is no month 13"),
    ("2026-00-01", "there is no month 0"), ("2026-01-00", "there is no day 0"),
    ("0000-01-01", "0001 to 9999"), ("2026-25-12", "Did you mean 2026-12-25?"),
    ("2026-2-5", "Did you mean 2026-02-05?"), ("20260205", "Did you mean 2026-02-05?"),
    ("2026/02/05", "Did you mean 2026-02-05?"), ("5.2.2026", "Did you mean 2026-02-05?"),
    ("02/05/2026", "Did you mean 2026-05-02 or 2026-02-05?"),
    ("25/12/2026", "Did you mean 2026-12-25?"), ("31.2.2026", "February 2026 has 28 days"),
    ("5.2.26", "four digits"), ("2026-02", "it is a month"),
    ("yestrday", "Did you mean yesterday?"),
    ("Friday", "it isn't a day"), ("", "it isn't a day"),
  ])
  func aBadDaySaysWhy(day: String, words: String) throws {
    let run = try Desk().run(["balance", "--on", day])
    #expect(run.status == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(
      run.errors.contains("--on") && run.errors.contains("2026-02-15, or as today"), "\(run.errors)"
    )
  }

  @Test(arguments: [
    ("2026-13", "there is no month 13"), ("2026-02-05", "Did you mean 2026-02?"),
    ("2026-2", "Did you mean 2026-02?"), ("02/2026", "Did you mean 2026-02?"),
    ("2026", "it is a year"), ("Feb", "it isn't a month"),
  ])
  func aBadMonthSaysWhy(month: String, words: String) throws {
    let run = try Desk().run(["list", "--month", month])
    #expect(run.status == 64)
    #expect(run.errors.contains(words) && run.errors.contains("such as 2026-02"), "\(run.errors)")
  }

  @Test(arguments: [
    ("1e3", "“e” isn't allowed in it"), ("12,5", "12.5"), ("1.234.5", "1234.56"),
    ("12.345", "2 decimals"), ("abc", "digits"), ("", "digits"), ("5 eurs", "EUR"),
    ("1,5", "1.5"), ("1.234,56", "1234.56"), ("$5", "currency"), ("5€", "EUR"),
    ("99999999999999999999", "too large"), ("12 50", "1234.56"),
  ])
  func aBadAmountSaysWhy(amount: String, words: String) throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    let run = try desk.run(["add", "expense", amount, "--account", "Cash"])
    #expect(run.status == 64 || run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    ("add expnse 5", "Did you mean expense?"), ("add epxense 5", "Did you mean expense?"),
    ("export", "--format <format> is missing"), ("list --type gift", "income, expense, transfer"),
    ("add", "<kind> is missing"), ("list --limit x", "number of transactions"),
    ("categories create", "<name> is missing"),
    ("list --limit", "--limit needs a value"), ("list Cash", "Unexpected argument"),
    ("balance account Cash --every mnth", "Did you mean month?"),
  ])
  func whatElseIsNotUnderstoodSaysHow(line: String, words: String) throws {
    let run = try Desk().run(line)
    #expect(run.status == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func messagesNameFlags() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create A")
    try desk.done("categories create Food")
    #expect(try desk.run("list --category Fodo").errors.contains("Did you mean “Food”?"))
    #expect(try !desk.run("list --account B").errors.contains("Did you mean"))
    let file = try desk.write(
      "f.csv", "Day,Amount,Cat\n2026-02-01,-3.00,Bread\n2026-02-02,x,Food\n")
    let flags = "--date-column Day --date-format yyyy-MM-dd --amount-column Amount --currency EUR"
    let line = "import \(file) \(flags) --account A --category {Cat}"
    #expect(try desk.run(line).errors.contains("--skip-bad"))
    #expect(try desk.run("\(line) --skip-bad --no-create").errors.contains("--no-create"))
    try desk.done("add expense 5 --account A --category Food --key k")
    #expect(try desk.run("add expense 6 --account A --key k").errors.contains("--key"))
    #expect(try desk.run(["add", "expense", "6", "--key", ""]).errors.contains("--key is empty"))
    let unsaid = try desk.run("categories delete Food").errors
    #expect(unsaid.contains("it has 1 transaction") && unsaid.contains("--with-rows"))
  }

  @Test func scriptsGetItAsJSON() throws {
    let error = try Desk().run("balance --on 2026-02-30 --json").error()
    #expect(error["code"].string == "usage")
    #expect(error["exitCode"].int == 64)
    #expect(error["message"].string?.contains("February 2026 has 28 days") == true)
  }
}
