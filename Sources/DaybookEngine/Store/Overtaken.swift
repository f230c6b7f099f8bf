/// Thrown if unfinished work must be started again, because the journal was purged or replaced, or
/// text was erased from it, in the meantime.
struct Overtaken: Error {}
