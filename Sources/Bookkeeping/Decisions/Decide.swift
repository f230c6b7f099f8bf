/// Decides a command: applies its changes to `state` and says what it made, or refuses it.
///
/// Same state and command, same changes: there is no clock and no chance in it (new ids come from
/// the state).
///
/// - Throws: `Refusal`; what was applied by then is to be dropped by the caller.
public func decide(
  _ command: Command, on state: inout some BookkeepingState
) throws(Refusal) -> Outcome {
  throw Refusal(.value, "not decided yet")
}
