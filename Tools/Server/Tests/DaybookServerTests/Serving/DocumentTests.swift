// Goal: the OpenAPI document tells of every endpoint, and of nothing else. Method: both are read as sets of
// operations with their parameters and compared.
import Daybook
import HTTPTypes
import Testing

@testable import DaybookServer

@Suite struct DocumentTests {
  private struct Operation: Hashable, Comparable, CustomStringConvertible {
    var method: String
    var path: String
    var name: String
    var query: [String]
    var lists: [String]
    var hasBody: Bool

    var description: String {
      "\(method) \(path) \(name) \(query) \(lists) \(hasBody ? "with a body" : "")"
    }
    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
  }

  private func documented() throws -> [Operation] {
    let document = try JSONText.read(Array(OpenAPI.text.utf8))
    let paths = try #require(document["paths"])
    var found: [Operation] = []
    for path in paths.names {
      let item = try #require(paths[path])
      for method in item.names {
        let operation = try #require(item[method])
        var query: [String] = []
        var lists: [String] = []
        for parameter in operation["parameters"]?.elements ?? [] {
          let resolved = try resolve(parameter, in: document)
          guard resolved["in"]?.text == "query", let name = resolved["name"]?.text else { continue }
          query.append(name)
          if resolved["schema"]?["type"]?.text == "array" { lists.append(name) }
        }
        found.append(
          Operation(
            method: method.uppercased(), path: path, name: operation["operationId"]?.text ?? "",
            query: query.sorted(), lists: lists.sorted(), hasBody: operation["requestBody"] != nil))
      }
    }
    return found.sorted()
  }

  private func resolve(_ value: JSONValue, in document: JSONValue) throws -> JSONValue {
    guard let reference = value["$ref"]?.text else { return value }
    var found = document
    for part in reference.split(separator: "/").dropFirst() {
      found = try #require(found[String(part)], "\(reference) leads nowhere")
    }
    return found
  }

  @Test func everyEndpointIsDocumentedAndTheOtherWayRound() throws {
    let served = API.endpoints.map {
      Operation(
        method: $0.method.rawValue, path: $0.path, name: $0.operation, query: $0.query.sorted(),
        lists: $0.lists.sorted(), hasBody: $0.bodyByteCountMax > 0)
    }
    // Whether a write has a body is the document's to say: some need none, and take none.
    func compared(_ operations: [Operation]) -> Set<Operation> {
      Set(
        operations.map {
          var operation = $0
          operation.hasBody = false
          return operation
        })
    }
    let (left, right) = (compared(served), compared(try documented()))
    #expect(left.subtracting(right).sorted() == [], "not in openapi.json")
    #expect(right.subtracting(left).sorted() == [], "not served")
    for operation in try documented() where operation.hasBody {
      #expect(
        served.contains { $0.name == operation.name && $0.hasBody },
        "\(operation.name) takes no body")
    }
    #expect(Set(served.map(\.name)).count == served.count, "names of operations are taken once")
  }

  @Test func everyReadIsOfAnyMomentAndEveryWriteIsRehearsed() {
    // What is of no moment: the files, one commit, the stream, what was sent, what merging left, the document.
    let ofNow: Set = [
      "getInfo", "getCommit", "followChanges", "getUpload", "listFindings", "getDocument",
    ]
    // What records nothing.
    let harmless: Set = ["uploadFile", "removeUpload", "previewImport", "verify"]
    // What is no list of entities: words and days, of which the first are wanted, and pairs.
    let words: Set = [
      "listDays", "listPayees", "listTags", "listDuplicates", "listTransferPairs",
    ]
    for endpoint in API.endpoints {
      let (name, query) = (endpoint.operation, endpoint.query)
      if endpoint.method == .get {
        #expect(query.contains("asOf") != ofNow.contains(name), "\(name)")
        guard name.hasPrefix("list"), !words.contains(name) else { continue }
        #expect(query.isSuperset(of: ["cursor", "limit"]), "\(name)")
      } else {
        #expect(query.contains("dryRun") != harmless.contains(name), "\(name)")
      }
    }
  }

  /// An entity's schemas, and its properties that the commands don't have or state otherwise.
  struct Schemas: Sendable {
    var kind: EntityKind
    var names: [String]
    var others: Set<String>
  }

  @Test(arguments: [
    Schemas(
      kind: .transaction, names: ["Transaction", "NewTransaction", "TransactionChange"],
      others: [
        "type", "postings", "imported", "importReference", "series", "occurrence", "categorizedBy",
        "halves", "statedPayee",
      ]),
    Schemas(
      kind: .account, names: ["Account", "NewAccount", "AccountChange"],
      others: ["currency", "opening", "openingDay", "closed", "deleted"]),
    Schemas(
      kind: .category, names: ["Category", "NewCategory", "CategoryChange"],
      others: ["kind", "deleted"]),
  ]) func everyPropertyIsDocumented(_ schemas: Schemas) throws {
    let document = try JSONText.read(Array(OpenAPI.text.utf8))
    let kind = try #require(KindDescription.all.first { $0.kind == schemas.kind })
    let properties = Set(kind.properties.compactMap(\.jsonName))
    #expect(schemas.others.isSubset(of: properties))
    for name in schemas.names {
      let schema = try #require(document["components"]?["schemas"]?[name])
      let wanted =
        name == schemas.names[0] ? properties : properties.subtracting(schemas.others)
      let missing = wanted.subtracting(schema["properties"]?.names ?? [])
      #expect(missing.sorted() == [], "not in the schema \(name)")
    }
  }

  @Test func everyReferenceLeadsSomewhere() throws {
    let document = try JSONText.read(Array(OpenAPI.text.utf8))
    func walk(_ value: JSONValue) throws {
      switch value {
      case .array(let values): for value in values { try walk(value) }
      case .object(let members):
        if value["$ref"] != nil { _ = try resolve(value, in: document) }
        for member in members { try walk(member.value) }
      default: break
      }
    }
    try walk(document)
  }
}
