// DaybookInterchange imports files from other programs, and exports files for them. It uses only
// the public API of `Daybook`, and none of the lower modules. DaybookFormats is re-exported,
// because callers need the names of formats.
@_exported public import DaybookFormats
