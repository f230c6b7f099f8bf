import Daybook

// The recording, change and deletion of a transaction with a form.
extension LedgerSite {
  func newTransaction(_ context: PageContext) async throws -> Page {
    try await read(context) { context, snapshot in
      try TransactionFormPage.page(TransactionForm(new: context), nil, context, snapshot)
    }
  }

  func editedTransaction(_ context: PageContext, _ id: TransactionID) async throws -> Page {
    try await read(context) { context, snapshot in
      guard let transaction = try snapshot.transaction(id) else { throw PageError.notFound }
      return try TransactionFormPage.page(
        TransactionForm(transaction, context, NameBook(snapshot)), transaction, context, snapshot)
    }
  }

  func record(_ context: PageContext) async throws -> PageAnswer {
    var form = TransactionForm(sent: context)
    let names = try ledger.read { try NameBook($0) }
    if form.text("do") == "part" { return try again(form, nil, context) }
    if let draft = form.draft(context, names) {
      do {
        let receipt = try await append([.record(draft)], context, key: form.values["key"])
        let id = receipt.transactions.first.map { "\($0)" } ?? ""
        return redirect(Address("/transactions/\(id)", [("done", "recorded")]))
      } catch {
        form.refuse(error, context)
      }
    }
    return try again(form, nil, context)
  }

  func amend(_ context: PageContext, _ id: TransactionID) async throws -> PageAnswer {
    var form = TransactionForm(sent: context)
    let (found, token, names) = try ledger.read {
      (try $0.transaction(id), $0.token, try NameBook($0))
    }
    guard let transaction = found else { throw PageError.notFound }
    if form.text("do") == "part" { return try again(form, transaction, context) }
    let seen = context.field("seen").flatMap { UInt64($0) } ?? 0
    let newest = try timeline(of: id.rawValue, context).first?.sequence ?? 0
    if newest > seen {
      form.faults[""] = "\(context[.conflict]) \(context[.conflictHint])"
    } else if let amendment = form.amendment(of: transaction, context, names) {
      do {
        try await append([.amend(id, amendment)], context, expecting: token)
        return redirect(Address("/transactions/\(id)", [("done", "saved")]))
      } catch {
        form.refuse(error, context)
      }
    }
    return try again(form, transaction, context)
  }

  func delete(_ context: PageContext, _ id: TransactionID) async throws -> PageAnswer {
    try await append([.delete(id)], context)
    return redirect(Address("/transactions", [("done", "deleted")]))
  }

  /// Returns the form with its input and errors.
  private func again(
    _ form: TransactionForm, _ transaction: Transaction?, _ context: PageContext
  ) throws -> PageAnswer {
    var page = try ledger.read {
      try TransactionFormPage.page(form, transaction, context, $0)
    }
    // The form is also shown again when the user adds a part, which is not an error.
    page.status = form.text("do") == "part" ? 200 : 422
    return try laidOut(page, context)
  }
}

/// The page with the form for a transaction.
enum TransactionFormPage {
  static func page(
    _ form: TransactionForm, _ transaction: Transaction?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let names = try NameBook(snapshot)
    guard transaction != nil || !TransactionFilterForm.accounts(names).isEmpty else {
      return Page(context[.record], .transactions, body: OverviewPage.beginning(context))
    }
    let payees = try snapshot.payees(limit: 50, today: context.today)
    let path = transaction.map { "/transactions/\($0.id)" } ?? "/transactions"
    let isSimple =
      transaction.map { $0.ownSide != nil && (!$0.hasParts || !form.parts.lines.isEmpty) } ?? true
    var fields = HTML()
    if isSimple {
      var types = TransactionType.allCases.map { ("\($0)", context[$0.word]) }
      types.insert(("refund", context[.refund]), at: 1)
      fields += choice("type", .type, types, form, context, isOptional: false)
    }
    if isSimple {
      fields += input(
        "amount", .amount, form, context, more: "inputmode=\"decimal\" required autofocus")
    }
    fields += input("day", .day, form, context, type: "date", more: "required")
    if isSimple {
      fields += choice(
        "account", .account, TransactionFilterForm.accounts(names), form, context,
        isOptional: false)
      if transaction?.hasParts != true {
        fields += choice(
          "category", .category, TransactionFilterForm.categories(names, context), form, context)
      }
      fields += choice(
        "otherAccount", .toAccount, TransactionFilterForm.accounts(names), form, context)
      fields += input("received", .received, form, context, more: "inputmode=\"decimal\"")
      if transaction?.hasParts != true {
        fields += input(
          "fee", .transferFee, form, context, more: "inputmode=\"decimal\" placeholder=\" \"")
      }
    }
    if isSimple, transaction?.type != .transfer {
      fields += parts(form, transaction, context, names)
      if form.asksForTotal {
        let checked: HTML = form.changesTotal ? " checked" : ""
        fields += """
          <p class="flag"><input id="f-change-total" name="change-total" type="checkbox" value="on"\(checked)> \
          <label for="f-change-total">\(context[.changeTotal])</label></p>
          """
      }
    }
    fields += input("payee", .payee, form, context, more: "list=\"payees\" autocomplete=\"off\"")
    fields += input("description", .description, form, context)
    fields += input("note", .note, form, context)
    fields += input("tags", .tags, form, context)
    let statuses = Status.allCases.filter { $0 != .reconciled || transaction?.status == $0 }
    fields += choice(
      "status", .status, statuses.map { ("\($0)", context[$0.word]) }, form, context,
      isOptional: false)
    let excluded: HTML = form.text("excludedFromTotals") == "on" ? " checked" : ""
    fields += """
      <p class="flag"><input id="f-excludedFromTotals" name="excludedFromTotals" type="checkbox" value="on"\(excluded)> \
      <label for="f-excludedFromTotals">\(context[.excludedFromTotals])</label></p>
      """
    let whole = form.faults[""].map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    let mend: HTML? =
      form.faults.isEmpty || whole != nil
      ? nil : "<p class=\"problem\" role=\"alert\">\(context[.mend])</p>"
    let seen = form.values["seen"] ?? "\(snapshot.token.sequence)"
    let key = form.values["key"] ?? "page-\(TransactionID.random())"
    let options = payees.map { use -> HTML in "<option value=\"\(use.payee)\"></option>" }
    let back = transaction.map { "/transactions/\($0.id)" } ?? "/transactions"
    let title = transaction == nil ? context[.record] : context[.edit]
    return Page(
      title, .transactions,
      body: """
        \(whole)\(mend)
        <form method="post" action="\(path)" class="grid card" data-type="\(isIncome(form, transaction) ? "income" : "expense")">
        <input type="hidden" name="seen" value="\(seen)"><input type="hidden" name="key" value="\(key)">
        <button class="hidden" tabindex="-1" aria-hidden="true">\(context[.save])</button>
        \(fields)<datalist id="payees">\(options)</datalist>
        <p class="actions"><button class="main">\(context[.save])</button> \
        <a class="button" href="\(back)">\(context[.cancel])</a></p></form>
        """)
  }

  /// Returns the parts of a split, or a button to add them.
  private static func parts(
    _ form: TransactionForm, _ transaction: Transaction?, _ context: PageContext, _ names: NameBook
  ) -> HTML {
    guard !form.parts.lines.isEmpty else {
      return """
        <p class="flag"><button name="do" value="part" formnovalidate>\(context[.splitIt])</button></p>
        """
    }
    let account = AccountID(form.text("account"))
    let currency =
      transaction?.ownSide?.amount.currency
      ?? (names.accounts.first { $0.id == account } ?? names.accounts.first)?.currency
    let isIncome = isIncome(form, transaction)
    let rest = currency.flatMap { currency in
      AmountText.read(form.text("amount"), currency, context.locale).flatMap {
        form.parts.remainder(of: $0, isIncome: isIncome, context, names)
      }
    }
    return SplitPartsForm.html(form.parts, form.faults["parts"], rest, context, names)
  }

  /// Whether the parts count as those of income: the money enters the account.
  private static func isIncome(_ form: TransactionForm, _ transaction: Transaction?) -> Bool {
    let type = TransactionType(name: form.text("type"))
    if form.text("type") == "refund" { return true }
    if let transaction, type ?? transaction.type == transaction.type { return transaction.isInflow }
    return type == .income
  }

  private static func fault(_ name: String, _ form: TransactionForm) -> HTML? {
    form.faults[name].map { "<span class=\"fault\" id=\"fault-\(name)\">\($0)</span>" }
  }

  private static func input(
    _ name: String, _ word: Word, _ form: TransactionForm, _ context: PageContext,
    type: String = "text", more: HTML = ""
  ) -> HTML {
    let wrong: HTML? =
      form.faults[name] == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"fault-\(name)\""
    let hints: [String: Word] = ["amount": .amountHint, "received": .receivedHint]
    let hint =
      form.faults[name] != nil
      ? nil
      : hints[name].map { word -> HTML in
        "<span class=\"aside\">\(context[word])</span>"
      }
    return """
      <p><label for="f-\(name)">\(context[word])</label>\
      <input id="f-\(name)" name="\(name)" type="\(type)" value="\(form.values[name] ?? "")" \(more)\(wrong)>\(fault(name, form))\(hint)</p>
      """
  }

  private static func choice(
    _ name: String, _ word: Word, _ choices: [(String, String)], _ form: TransactionForm,
    _ context: PageContext, isOptional: Bool = true
  ) -> HTML {
    Choice.html(
      name, word, choices, form.values[name], context, isOptional: isOptional,
      fault: fault(name, form))
  }
}
