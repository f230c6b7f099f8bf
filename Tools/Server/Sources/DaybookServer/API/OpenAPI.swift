/// The OpenAPI description of the API, from `openapi.json` in this target.
///
/// The document is written by hand. A test checks that it describes every endpoint, and nothing
/// else.
enum OpenAPI {
  /// The document as JSON text.
  static let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
}
