import Daybook

// A write's body is a command of Docs/JSON.md without its name, and without the id that the path has.
extension Call {
  /// The command of a name, whose members are the body's.
  ///
  /// - Parameters:
  ///   - name: The command, as Docs/JSON.md names it.
  ///   - id: The member that the path says, and the path's parameter.
  func command(
    _ name: String, id: (member: String, parameter: String)? = nil
  ) throws -> Command {
    try command(name, members: body(id: id))
  }

  /// The command of a name with these members.
  func command(_ name: String, members: JSONValue) throws -> Command {
    do {
      return try JSONText.decode(Command.self, from: .object([.init(name, members)]))
    } catch let error as DecodingError {
      // Whoever sent the body knows nothing of the command around it.
      throw Problem(error, inside: name)
    }
  }

  /// The body with the id that the path says.
  func body(id: (member: String, parameter: String)? = nil) throws -> JSONValue {
    let value = try json()
    guard case .object = value else {
      throw Problem.body("An object is expected.", remedy: "See /v1/openapi.json for its form.")
    }
    guard let id else { return value }
    guard let entity = EntityID(parameter(id.parameter)) else {
      throw Problem.missing(id.parameter, parameter(id.parameter))
    }
    if let other = value[id.member], other.text.flatMap({ EntityID($0) }) != entity {
      throw Problem.body(
        "The body names another id than the path.", path: id.member,
        remedy: "Leave out “\(id.member)”.")
    }
    return value.setting(id.member, .string("\(entity)"))
  }
}
