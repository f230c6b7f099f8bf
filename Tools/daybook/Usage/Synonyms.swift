/// Other programs' words for commands and flags, with Daybook's names for them, likeliest first.
///
/// A word can have several meanings; only names that exist in the command are suggested.
enum Synonyms {
  /// Command names by synonym.
  static let commands: [String: [String]] = [
    "new": ["create", "init", "add"], "create": ["create", "init", "add"],
    "make": ["create", "init", "add"], "category": ["categories"], "add": ["add", "create"],
    "record": ["add"],
    "expense": ["add"], "income": ["add"], "transfer": ["add"], "spend": ["add"],
    "rm": ["delete", "remove"], "remove": ["remove", "delete"], "del": ["delete", "remove"],
    "delete": ["delete", "remove"], "drop": ["delete", "remove"],
    "ls": ["list"], "all": ["list"], "print": ["list"], "transactions": ["list"],
    "rows": ["list"], "register": ["register", "list"], "reg": ["register", "list"],
    "view": ["show", "list"], "show": ["show", "list"],
    "mv": ["move", "rename"], "change": ["edit"], "modify": ["edit"], "update": ["edit"],
    "set": ["set", "edit", "settings"], "config": ["settings"],
    "find": ["search"], "grep": ["search"], "bal": ["balance"], "worth": ["networth"],
    "log": ["history"], "revert": ["undo"], "check": ["verify"], "fsck": ["verify"],
    "report": ["insights", "months"], "stats": ["insights"], "summary": ["insights"],
    "fx": ["rate"], "prices": ["rate"], "currency": ["rate"], "reconciliation": ["reconcile"],
    "restart": ["resume"], "dump": ["export"], "save": ["backup"], "demo": ["sample"],
    "dedupe": ["duplicates"], "join": ["merge"], "combine": ["merge"], "unite": ["merge"],
    "move": ["move", "edit"], "edit": ["edit", "rename", "set"],
  ]

  /// Flag names by synonym, without the dashes.
  static let flags: [String: [String]] = [
    "date": ["on", "from"], "day": ["on", "from"], "when": ["on", "from"], "at": ["on"],
    "memo": ["note", "description"], "comment": ["note"], "desc": ["description"],
    "name": ["description"], "title": ["description"],
    "merchant": ["payee"], "vendor": ["payee"], "shop": ["payee"], "who": ["payee"],
    "label": ["tag"], "labels": ["tag"], "tags": ["tag"],
    "since": ["from", "start"], "begin": ["from", "start"], "start": ["start", "from"],
    "until": ["until", "through", "end"], "end": ["through", "end", "until"],
    "to": ["through", "to", "move-to"], "before": ["through", "until"],
    "till": ["through", "until"],
    "source": ["account"], "from": ["account"], "from-account": ["account"],
    "target": ["to"], "to-account": ["to"], "destination": ["to"],
    "target-amount": ["to-amount"], "file": ["ledger"], "db": ["ledger"], "folder": ["ledger"],
    "path": ["ledger"], "format": ["output", "json"], "query": ["text"], "search": ["text"],
    "currency": ["currency", "base"], "base-currency": ["base"],
    "under": ["parent", "below"], "parent": ["parent", "below"], "below": ["below", "parent"],
    "count": ["count", "limit"], "max": ["limit"], "top": ["limit"], "rows": ["limit"],
    "skip": ["offset"], "yes": ["yes", "force"], "confirm": ["yes"], "force": ["force", "yes"],
    "dry-run": ["dry-run", "preview"], "preview": ["preview", "dry-run"],
    "period": ["every", "month"], "interval": ["every"], "frequency": ["every"],
    "kind": ["kind", "type"], "type": ["type", "kind"], "sum": ["amount"], "value": ["amount"],
    "closed": ["all"], "deleted": ["all"],
  ]
}
