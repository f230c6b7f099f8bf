/// The static files of the pages: a style sheet, JavaScript modules and an icon.
enum Assets {
  /// The JavaScript modules: `page.js`, followed by the modules that it imports.
  static let modules: [(path: String, bytes: [UInt8])] = [
    ("/assets/page.js", PackageResources.page_js),
    ("/assets/basics.js", PackageResources.basics_js),
    ("/assets/complete.js", PackageResources.complete_js),
    ("/assets/counting.js", PackageResources.counting_js),
    ("/assets/entry.js", PackageResources.entry_js),
    ("/assets/envelopes.js", PackageResources.envelopes_js),
    ("/assets/inbox.js", PackageResources.inbox_js),
    ("/assets/list.js", PackageResources.list_js),
    ("/assets/news.js", PackageResources.news_js),
    ("/assets/palette.js", PackageResources.palette_js),
    ("/assets/rows.js", PackageResources.rows_js),
  ]
  private static let files: [String: (type: String, bytes: [UInt8])] = {
    var files = [
      "/assets/page.css": ("text/css; charset=utf-8", PackageResources.page_css),
      "/assets/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]
    for (path, bytes) in modules { files[path] = ("text/javascript; charset=utf-8", bytes) }
    return files
  }()
  private static let tags = files.mapValues { file in
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in file.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }

  static func answer(_ request: PageRequest) -> PageAnswer {
    guard let file = files[request.path], let tag = tags[request.path] else {
      return PageAnswer(status: 404)
    }
    let headers = [("Content-Type", file.type), ("ETag", tag), ("Cache-Control", "no-cache")]
    if request.headers["if-none-match"] == tag { return PageAnswer(status: 304, headers: headers) }
    return PageAnswer(headers: headers, body: file.bytes)
  }
}
