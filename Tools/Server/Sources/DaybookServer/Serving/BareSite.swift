public import Pages

/// A site without pages; at `/`, a sentence refers to the API.
public struct BareSite: PageSite {
  /// Creates the site.
  public init() {}

  /// Returns the sentence for `/`, and 404 for any other path.
  public func answer(_ request: PageRequest) async -> PageAnswer {
    let type = ("Content-Type", "text/plain; charset=utf-8")
    guard request.path == "/" else {
      return PageAnswer(status: 404, headers: [type], body: Array("Page not found.\n".utf8))
    }
    return PageAnswer(
      headers: [type],
      body: Array("The API is at /v1. Its description is at /v1/openapi.json.\n".utf8))
  }
}
