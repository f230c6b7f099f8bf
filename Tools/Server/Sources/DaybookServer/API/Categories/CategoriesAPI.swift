import Daybook
import HTTPTypes

/// `/v1/categories`: the categories of transactions.
enum CategoriesAPI {
  static let endpoints: [Endpoint] = [
    .read("/categories", "listCategories", query: ["kind", "deleted", "cursor", "limit"]) {
      call, snapshot in
      let categories = try snapshot.categories(
        call.query.choice("kind"), includingDeleted: call.query.flag("deleted") ?? false)
      return Listing("categories", try call.query.page(categories) { $0.number })
    },
    .read("/categories/{category}", "getCategory") { call, snapshot in
      let id = try call.id("category", CategoryID.self)
      guard let category = try snapshot.category(id) else {
        throw Problem.missing("category", "\(id)")
      }
      return category
    },
    .write(.post, "/categories", "createCategory", command: "createCategory", .created),
    .write(
      .patch, "/categories/{category}", "amendCategory", command: "amendCategory",
      id: ("category", "category")),
    .write(
      .post, "/categories/{category}/merge", "mergeCategories", command: "mergeCategories",
      id: ("category", "category")),
    .write(.delete, "/categories/{category}", "deleteCategory", query: ["rows"]) { call in
      [try call.deletion("deleteCategory", of: "category")]
    },
  ]
}
