/// Access to the cookies of a request.
enum Cookies {
  /// Returns the value of a cookie in the header, or `nil` if it is missing.
  static func value(_ name: String, in header: String?) -> Substring? {
    (header ?? "").split(whereSeparator: { $0 == ";" || $0 == "," })
      .map { $0.split(separator: "=", maxSplits: 1) }
      .first { $0.count == 2 && $0[0].filter { $0 != " " } == name }?[1]
  }
}
