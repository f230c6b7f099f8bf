/// Thrown if unfinished work must start again.
///
/// In the meantime, the journal was purged or replaced, or text was erased from it.
struct Overtaken: Error {}
