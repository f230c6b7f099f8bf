/// The OpenAPI description of the API, from `openapi.json` in this target.
///
/// The document is written by hand. A test checks that the document describes every endpoint, and
/// no others.
enum OpenAPI {
  /// The document as JSON text.
  static let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
}
