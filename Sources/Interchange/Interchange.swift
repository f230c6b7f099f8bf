// Interchange imports what other programs wrote and writes what other programs read. Everything in it goes through
// the public face of `Daybook`: it knows nothing of the files below. Who reads or writes a file also names its
// format, so the formats come along.
@_exported public import InterchangeFormats
