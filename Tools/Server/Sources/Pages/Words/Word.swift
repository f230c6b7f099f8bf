import Daybook

/// The keys of all texts on pages.
///
/// Each language has a table with the texts for all keys.
enum Word: String, CaseIterable, Sendable {
  // Views
  case overview, transactions, accounts, categories, budgets, recurring, rules, rates, history
  case importing, health, settings, record, inbox
  // Figures
  case netWorth, income, expense, transfers, net, balance, spent, remaining, available, planned
  case thisMonth, total, rate, share, amount, count, carriedOver, pace, projected
  case day, month, payee, description, note, tags, status, type, account, category, currency, name
  case moneyIn, moneyOut, sumsTooLong
  case otherAccount, kind, toAccount, opening, closed, schedule, next, overdue, condition
  case base, quoted, period, number, property, before, after, author, source, device, moment, commit
  // Kinds and states
  case transfer, cleared, pending, reconciled, asset, liability, equity, split, uncategorized
  case inserted, updated, deleted, undone, redone
  // Actions
  case search, filter, apply, clear, save, edit, delete, cancel, undo, older, newest
  case from, through, preview, verify, choose, dropHere, back
  // Sentences
  case upcoming, latestChanges, why, whyHint, madeBy, importLine, byRule, converted
  case nothingYet, nothingFound, noBase, noBudgets, noSeries, noRules, noRates, noUpcoming
  case asOf, now, asOfHint, backToNow, asOfBanner, previousCommit, nextCommit
  case figuresBelow, skip, menu, keys, palette, recorded, saved, gone, undoneNow, confirmDelete
  case notFound, wrong, mend, conflict, conflictHint, readOnly, undoPreview, noFigures, changesOf
  case changesMade
  case renumbered
  case amountHint, verifiedAll, verifiedNot, verifyHint, rows, oneRow, commits
  case oneCommit, comparedRows, chainHead, format
  case firstWeekday, closedThrough, mergePolicy, unconverted, noConversion, postings, last24, last12
  case importHint, importNew, importKnown, importKnowns, importLikely, importLikelies, importBad,
    importDone, importNothing, importMissing, importUnsettled, importStillPending
  case reconcile, statement, difference, countAgain, newAccount, newCategory, newBudget,
    newRate
  case newRule, newSeries, contains, first
  case compare, compareWithNow, last24Compared, nothingMoved, parent, baseCurrency, week, year
  case allExpenses, every, planned3, periods, since, everything
  // Editing
  case hidden, openingDay, identifiers, several, includesBelow, rollover, rolloverNone
  case rolloverSurplus, rolloverDeficit, rolloverBoth, resetDay, custom, last, archived, stepDay
  case halfMonth, quarter, periodCount, countedFrom, countedFromHint
  case changesFrom, changesFromHint, prorates, validUntil, withoutBelow
  case stepAmount, removeHint, everyCount, monthEnd, endClamp, endNextDay, endSkip, endLastDay
  case recurrenceRule, weekends, weekendsKeep, weekendsBefore, weekendsAfter, holidays
  case countMax, paused, scope, scopeOnly, scopeFuture, scopeAll, skipDay, unskipDay, skippedDay
  case matchesAny, matchAll, matchAny, field, match, text, fieldAny, matchContains, matchEquals
  case matchStarts, matchPattern, newDescription, newPayee, refund, transferFee, newTags, continues,
    enabled, applyToPast
  case least, most, statements, newStatement, holds, holdsNot, policyLast, policyFirst
  case policyError, whatDeletes, itsRows, keepRows, withRows, moveRows, wrongAmount, wrongDay
  case wrongCurrency, wrongNumber, needed, toParent
  // Undo bar, and transfers between currencies
  case received, receivedHint, redoneNow, undoneIn, nothingToUndo, undoStuck, again
  // A busy ledger
  case waiting, waitingHint, busy
  // Several rows
  case selected, noChange, addTags, selectRow, nothingSelected, whatChanges, select
  // Splits
  case parts, addPart, splitIt, remainder, partsDiffer, changeTotal
  // Verification
  case verifiedUpTo, notVerified, verifying
  // Kinds and properties in the history
  case kindSettings, kindAccount, kindCategory, kindTransaction, kindRate, kindBudget
  case kindSeries, kindRule, kindAssertion, kindCurrency, kindMapping, kindAllocation,
    kindOther, envelopes, readyToAssign, outsideBudget, carriesOverspending, goal, neededForGoal,
    setAside
  case excludedFromTotals, excluded, onlyExcluded, onlyCounted
  case kindTerms, dayCount, capitalised, interval, dueDay, principal, paymentCount, repayment,
    loweredOn, equalPeriods, annuity, equalPrincipal
  // More of the history
  case order, reference, occurrence, ahead, tolerance, originals
  // Codes
  case valueDay, code
  // Import and plans
  case columns, columnsHint, columnDebit, columnCredit, columnOther, column, dateFormat
  case columnFee, columnNegativeFee, maybeBalance
  case keptMappings, keepColumns, readAs
  case inverted, decimalMark, afterImport, stated, take, wholeBooks, calendar, forecast, less
  // Findings
  case findings, findingsHint, noFindings, holding, lost, pleaseChoose, putAside, decideAnew,
    bringBack
  case takeHeld, takeOn, direction, existence
  // Texts of the JavaScript modules
  case news, commandList, rowUpAndDown, openRow, selectARow, editInPlace, away, fileNotRead,
    oneFile, beginHint
  case amountAboveZero, exchange, outside, whichAccount, filterWrong
  // Frequencies
  case daily, weekly, monthly, yearly, days, weeks, years
  // Changes since the last visit
  case sinceLastLook, seen, whatMoved
  // Inbox
  case toCategorise, suggested, accept, acceptAll, acceptRow, makeRule, saveAndApply, ruleMatches,
    outOf
  case atPayee, dueNow, recordDue, noLongerDue, pendingLong, maybeDuplicates, maybeTransfers
  case overviewAsOf, anExpense, assets, liabilities
  case attachments, attach, detach, attachHint, notOnDevice
  case linkThem, notTransfer, notDuplicate, distinctFrom, statementsDiffer, inboxEmpty,
    chooseCategory
  // Envelopes
  case assigned, assign, assignAmount, moneyInBudget, uncoveredDebt, availableInEnvelopes
  case assignedLater, missingForGoals, missing, onTrack, assignMissing, assignAsLast, overspent
  case cover, coverOverspending, overassigned, moved, moves, moveMoney, moveFrom, moveTo, reason
  case sameEnvelope, wrongMonth, cardPayments, cardPaymentsHint, cardDebt, debtGrowth
  case amountsOfLastMonth
  case overspentOnCard, notCovered, paidOutside, envelopesIntro, assignTo, envelopesCaps
  case noEnvelopes, carriedOverHint, carriesIt, goalNone, goalMonthly, goalByDay, goalBalance
  case eachMonth, byDay, toKeep, goalAndOverspending, subcategories, monthRange, itself
  // Comparison of two moments
  case moments, momentHint, noMoment, fromMoment, toMoment
  // Devices
  case onDevice, merged
  // Filters
  case tag
  // The register
  case newer, oldest, sortNewest, sortOldest, goToDate, moreFields, signedHint, unknownCategory
  case transferCategory, transferElsewhere, tickUpTo, tickUpToHint, reconciledThrough, showOlder
  case adjustment, adjust, adjustHint, difficulty, selectMore
  // Reports, a day, and the settings of a browser
  case reports, payees, byMonth, byYear, earlier, later, allTransactions, payeeNote, tagNote
  case onBanner, backToToday, recordedThen, recordedThenHint
  case thisBrowser, language, theme, themeLight, themeDark, automatic, export, exportHint
  // Insights
  case insights, perDay, savingsRate, runway, months, spike, usual
}

/// A language with its table of texts.
struct Words: Sendable {
  /// The language code, as in HTML's `lang`.
  let code: String
  let table: [Word: String]
  /// The texts of refusals; empty if the library's messages are in this language.
  var refusals: [Refusal.Code: String] = [:]
  /// The texts of other errors; empty if the library's messages are in this language.
  var failures: [DaybookError.Code: String] = [:]

  subscript(word: Word) -> String { table[word] ?? word.rawValue }

  static let all = [english, german]

  /// Returns the first requested language that is available, and its locale for formatting.
  static func choose(_ locales: [String]) -> (words: Words, locale: String) {
    for name in locales {
      let code = name.split(separator: "-").first.map { $0.lowercased() } ?? ""
      if let words = all.first(where: { $0.code == code }) { return (words, name) }
    }
    return (english, "en")
  }
}
