/// The files of the page: a style sheet, a module, an icon.
enum Assets {
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "/assets/page.css": ("text/css; charset=utf-8", PackageResources.page_css),
    "/assets/page.js": ("text/javascript; charset=utf-8", PackageResources.page_js),
    "/assets/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
  ]
  private static let tags = files.mapValues { file in
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in file.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }

  /// All that a browser runs.
  static var module: [UInt8] { PackageResources.page_js }

  static func answer(_ request: PageRequest) -> PageAnswer {
    guard let file = files[request.path], let tag = tags[request.path] else {
      return PageAnswer(status: 404)
    }
    let headers = [("Content-Type", file.type), ("ETag", tag), ("Cache-Control", "no-cache")]
    if request.headers["if-none-match"] == tag { return PageAnswer(status: 304, headers: headers) }
    return PageAnswer(headers: headers, body: file.bytes)
  }
}
