/// An error that means that unfinished work must start again.
///
/// It is thrown if the journal was purged or replaced during the work, or text was erased from it.
struct Overtaken: Error {}
