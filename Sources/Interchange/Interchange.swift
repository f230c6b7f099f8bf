// Interchange reads what other programs wrote and writes what other programs read. Everything in it
// goes through the public face of `Daybook`: it knows nothing of the files below.
