/// The accounts, purchases and regular payments of the sample household, from which its rows are
/// generated.
enum HouseholdCatalogue {
  static let checking = "Checking"
  static let joint = "Joint account"
  static let savings = "Savings"
  static let cash = "Cash"
  static let card = "Credit card"
  static let dollars = "Dollar account"
  static let tenge = "Kaspi Gold"
  static let yen = "Yen purse"

  static let accounts: [HouseholdAccount] = [
    .init(name: checking, currency: "EUR", opening: 412_350),
    .init(name: joint, currency: "EUR", opening: 180_000),
    .init(name: savings, currency: "EUR", opening: 1_250_000),
    .init(name: cash, currency: "EUR", opening: 15_000),
    .init(name: card, currency: "EUR", opening: -38_420, isLiability: true),
    .init(name: dollars, currency: "USD", opening: 90_000),
    .init(name: tenge, currency: "KZT", opening: 25_000_000),
    .init(name: yen, currency: "JPY", opening: 12_000),
  ]

  /// A kind of purchase made on ordinary days.
  struct Purchase {
    var weight: Int64
    var category: [String]
    var payees: [String]
    var prices: Range<Int64>
    var accounts: [String]
    var notes: [String] = []
  }

  static let purchases: [Purchase] = [
    .init(
      weight: 26, category: ["Food", "Groceries"],
      payees: ["Edeka", "Rewe", "Lidl", "Aldi Nord", "dm-drogerie markt", "Wochenmarkt"],
      prices: 180..<6_400, accounts: [joint, joint, joint, cash],
      notes: ["for the weekend", "birthday dinner", "milk, bread, apples"]),
    .init(
      weight: 13, category: ["Food", "Bakery"],
      payees: ["Bäckerei Kühn", "Zeit für Brot", "Steinecke"], prices: 90..<1_250,
      accounts: [cash, cash, joint]),
    .init(
      weight: 12, category: ["Food", "Coffee"],
      payees: ["Café Oberholz", "The Barn", "Père Noël"], prices: 240..<1_180,
      accounts: [cash, card]),
    .init(
      weight: 8, category: ["Food", "Restaurants"],
      payees: ["Trattoria \"Da Enzo\"", "Samarkand", "寿司 まさ", "Curry 36", "Noodle & Co."],
      prices: 850..<6_900, accounts: [card, card, cash],
      notes: ["with Aigerim, Tom", "lunch; team", ""]),
    .init(
      weight: 7, category: ["Transport", "Public transport"], payees: ["BVG", "S-Bahn Berlin"],
      prices: 200..<1_100, accounts: [joint, cash]),
    .init(
      weight: 3, category: ["Transport", "Fuel"], payees: ["Aral", "Shell", "Total"],
      prices: 3_200..<8_900, accounts: [card]),
    .init(
      weight: 3, category: ["Transport", "Taxi"], payees: ["Uber", "FreeNow"],
      prices: 790..<3_900, accounts: [card]),
    .init(
      weight: 5, category: ["Household", "Drugstore"], payees: ["Rossmann", "Müller"],
      prices: 250..<3_900, accounts: [joint, card]),
    .init(
      weight: 3, category: ["Household", "Furnishing"],
      payees: ["IKEA", "Bauhaus", "Flohmarkt am Mauerpark"], prices: 600..<18_000,
      accounts: [card, joint], notes: ["shelf, 2 lamps", "returned one, see receipt"]),
    .init(
      weight: 4, category: ["Children", "Clothes"], payees: ["H&M", "C&A", "Vinted"],
      prices: 400..<5_400, accounts: [card]),
    .init(
      weight: 2, category: ["Children", "Toys and books"], payees: ["Dussmann", "Smyths Toys"],
      prices: 500..<4_200, accounts: [card, cash]),
    .init(
      weight: 3, category: ["Health", "Pharmacy"], payees: ["Apotheke am Markt", "DocMorris"],
      prices: 350..<4_600, accounts: [joint, card]),
    .init(
      weight: 4, category: ["Leisure", "Cinema and concerts"],
      payees: ["Kino International", "Philharmonie", "Lido"], prices: 900..<6_500,
      accounts: [card]),
    .init(
      weight: 2, category: ["Leisure", "Sports"], payees: ["Berliner Bäder", "Boulderwelt"],
      prices: 450..<2_600, accounts: [cash, card]),
    .init(
      weight: 2, category: ["Gifts"], payees: ["Blumen Risse", "Etsy"], prices: 900..<6_500,
      accounts: [card]),
    .init(
      weight: 2, category: ["Clothes"], payees: ["Zalando", "Uniqlo", "Humana"],
      prices: 1_500..<9_900, accounts: [card]),
  ]

  /// A monthly payment, or a payment that is due only in the given `months`.
  struct Regular {
    var day: Int
    var category: [String]
    var payee: String
    var amount: Range<Int64>
    var account: String
    var currency: String
    var kind: HouseholdRow.Kind = .expense
    var months: Set<Int> = Set(1...12)
    var description: String = ""
  }

  static let regulars: [Regular] = [
    .init(
      day: 1, category: ["Housing", "Rent"], payee: "Hausverwaltung Lindner",
      amount: 138_000..<138_001, account: joint, currency: "EUR", description: "Miete Whg. 14"),
    .init(
      day: 3, category: ["Housing", "Electricity"], payee: "Naturstrom",
      amount: 7_200..<11_900, account: joint, currency: "EUR"),
    .init(
      day: 3, category: ["Housing", "Heating"], payee: "GASAG", amount: 6_100..<17_500,
      account: joint, currency: "EUR", months: [1, 2, 3, 4, 10, 11, 12]),
    .init(
      day: 5, category: ["Housing", "Internet"], payee: "Vodafone", amount: 3_999..<4_000,
      account: joint, currency: "EUR"),
    .init(
      day: 5, category: ["Insurance"], payee: "HUK-Coburg", amount: 5_870..<5_871,
      account: joint, currency: "EUR", description: "Haftpflicht, Hausrat, Kfz"),
    .init(
      day: 7, category: ["Children", "Kindergarten"], payee: "Kita Löwenzahn",
      amount: 12_300..<12_301, account: joint, currency: "EUR"),
    .init(
      day: 9, category: ["Leisure", "Subscriptions"], payee: "Spotify",
      amount: 1_799..<1_800, account: card, currency: "EUR"),
    .init(
      day: 12, category: ["Leisure", "Subscriptions"], payee: "GitHub",
      amount: 1_000..<1_001, account: card, currency: "USD", description: "foreign currency"),
    .init(
      day: 14, category: ["Leisure", "Subscriptions"], payee: "The New Yorker",
      amount: 999..<1_000, account: dollars, currency: "USD"),
    .init(
      day: 15, category: ["Housing", "Flat in Almaty"], payee: "АлматыЭнергоСбыт",
      amount: 900_000..<2_400_000, account: tenge, currency: "KZT", description: "коммунальные"),
    .init(
      day: 20, category: ["Family", "Support"], payee: "Апа", amount: 5_000_000..<9_000_000,
      account: tenge, currency: "KZT", description: "перевод маме"),
    .init(
      day: 20, category: ["Health", "Dentist"], payee: "Dr. Sørensen", amount: 4_500..<26_000,
      account: checking, currency: "EUR", months: [3, 9]),
    .init(
      day: 8, category: ["Taxes"], payee: "Finanzamt Pankow", amount: 41_000..<78_000,
      account: checking, currency: "EUR", months: [3, 6, 9, 12]),
    .init(
      day: 2, category: ["Rental income"], payee: "Жилец, Абая 12", amount: 18_000_000..<18_000_001,
      account: tenge, currency: "KZT", kind: .income),
    .init(
      day: 18, category: ["Freelance"], payee: "Blue Harbor LLC", amount: 38_000..<96_000,
      account: dollars, currency: "USD", kind: .income, description: "invoice"),
    .init(
      day: 10, category: ["Child benefit"], payee: "Familienkasse", amount: 51_000..<51_001,
      account: joint, currency: "EUR", kind: .income),
    .init(
      day: 28, category: ["Interest"], payee: "Savings bank", amount: 800..<3_100,
      account: savings, currency: "EUR", kind: .income, months: [3, 6, 9, 12]),
  ]

  /// Purchases in yen on the yearly trip.
  static let journey: [(category: [String], payee: String, prices: Range<Int64>)] = [
    (["Travel", "Food"], "一蘭ラーメン", 890..<2_400),
    (["Travel", "Food"], "セブン-イレブン", 160..<1_800),
    (["Travel", "Trains"], "JR東日本", 200..<14_000),
    (["Travel", "Museums"], "東京国立博物館", 1_000..<2_100),
    (["Travel", "Lodging"], "旅館 山水", 9_800..<23_000),
  ]
}
