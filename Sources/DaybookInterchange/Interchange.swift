// Interchange imports files from other programs and exports files for them. It only uses the public
// API of `Daybook` and none of the modules below it. Callers also need the names of formats, so
// InterchangeFormats is re-exported.
@_exported public import DaybookFormats
