import Daybook
import HTTPTypes

/// `/v1/mappings`: saved mappings, which give the meaning of the columns of a bank's tables.
enum MappingsAPI {
  static let endpoints: [Endpoint] = [
    .read("/mappings", "listMappings", query: ["cursor", "limit"]) { call, snapshot in
      Listing("mappings", try call.query.page(snapshot.mappings()) { $0.number })
    },
    .write(.post, "/mappings", "createMapping", command: "putMapping", .created),
    .write(.put, "/mappings/{mapping}", "putMapping", command: "putMapping", id: ("id", "mapping")),
    .write(
      .delete, "/mappings/{mapping}", "removeMapping", command: "removeMapping",
      id: ("mapping", "mapping")),
  ]
}
