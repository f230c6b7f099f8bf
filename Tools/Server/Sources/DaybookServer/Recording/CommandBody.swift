import Daybook

// The body of a write is a command in the form of Docs/JSON.md, without its name and without the id
// in the path.
extension Call {
  /// Returns the command with the members of the request's body.
  ///
  /// - Parameters:
  ///   - name: The command's name in Docs/JSON.md.
  ///   - id: The member whose value is in the path, and the name of the path's parameter.
  func command(
    _ name: String, id: (member: String, parameter: String)? = nil
  ) throws -> Command {
    try command(name, members: body(id: id))
  }

  /// Returns the command with these members.
  func command(_ name: String, members: JSONValue) throws -> Command {
    do {
      return try JSONText.decode(Command.self, from: .object([.init(name, members)]))
    } catch let error as DecodingError {
      // The server wrapped the body in a command, which the error's path must not mention.
      throw Problem(error, inside: name)
    }
  }

  /// Returns the body with the id from the path added.
  ///
  /// - Throws: ``Problem`` if the body is not an object or names another id.
  func body(id: (member: String, parameter: String)? = nil) throws -> JSONValue {
    let value = try json()
    guard case .object = value else {
      throw Problem.body("Expected an object.", remedy: "See /v1/openapi.json for the schema.")
    }
    guard let id else { return value }
    guard let entity = EntityID(parameter(id.parameter)) else {
      throw Problem.missing(id.parameter, parameter(id.parameter))
    }
    if let other = value[id.member], other.text.flatMap({ EntityID($0) }) != entity {
      throw Problem.body(
        "The id in the body differs from the id in the path.", path: id.member,
        remedy: "Remove “\(id.member)” from the body.")
    }
    return value.setting(id.member, .string("\(entity)"))
  }
}
