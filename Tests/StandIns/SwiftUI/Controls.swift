// The views and modifiers that the documentation's code uses.

/// A text.
public struct Text: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// A text.
  public init(_ text: some StringProtocol) {}
}

/// Rows below each other.
public struct List: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Rows one by one.
  public init(@ViewBuilder content: () -> some View) {}
  /// Rows of a collection.
  public init<Rows: RandomAccessCollection>(
    _ rows: Rows, id: KeyPath<Rows.Element, some Hashable>,
    @ViewBuilder content: @escaping (Rows.Element) -> some View
  ) {}
}

/// Views of the elements of a collection.
public struct ForEach: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Views of the elements of a collection.
  public init<Rows: RandomAccessCollection>(
    _ rows: Rows, @ViewBuilder content: @escaping (Rows.Element) -> some View
  ) where Rows.Element: Identifiable {}
}

/// Rows under a title.
public struct Section: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Rows under a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> some View) {}
}

/// Fields to fill in.
public struct Form: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Fields to fill in.
  public init(@ViewBuilder content: () -> some View) {}
}

/// A field for a text.
public struct TextField: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// A field for a text.
  public init(_ title: some StringProtocol, text: Binding<String>) {}
}

/// A choice of one.
public struct Picker: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// A choice of one, by what it is tagged with.
  public init(
    _ title: some StringProtocol, selection: Binding<some Hashable>,
    @ViewBuilder content: () -> some View
  ) {}
}

/// Something to press.
public struct Button: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Something to press, and what it does.
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

/// Views beside each other.
public struct HStack: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// Views beside each other.
  public init(@ViewBuilder content: () -> some View) {}
}

/// A label and a value.
public struct LabeledContent: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// A label and a value.
  public init(_ title: some StringProtocol, value: some StringProtocol) {}
}

/// How much of something is done.
public struct ProgressView: View {
  /// There is none.
  public var body: Never { undrawn() }
  /// How much, from 0 to 1, under a label.
  public init(value: (some BinaryFloatingPoint)?, @ViewBuilder label: () -> some View) {}
}

extension View {
  /// What choosing the view gives.
  public func tag(_ value: some Hashable) -> some View { Drawn() }
  /// Does something when the view comes into sight.
  public func onAppear(perform: (() -> Void)? = nil) -> some View { Drawn() }
  /// A field to search by.
  public func searchable(text: Binding<String>) -> some View { Drawn() }
  /// What pulling down does.
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Drawn() }
  /// Does something as long as the view is there.
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void)
    -> some View
  { Drawn() }
  /// Does something as long as the view is there, and anew when a value changes.
  public func task(
    id: some Equatable, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Drawn() }
  /// Does something when a value changes.
  public func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some View {
    Drawn()
  }
}
