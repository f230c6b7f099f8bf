/// The description of the API, `openapi.json` beside these files.
///
/// It is written by hand; a test holds it and the endpoints against each other, both ways.
enum OpenAPI {
  /// The document.
  static let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
}
