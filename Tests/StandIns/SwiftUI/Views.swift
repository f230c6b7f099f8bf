/// A stand-in for Apple's SwiftUI, where that is not to be had: the names and shapes that the documentation's
/// code needs, so that it is compiled on every platform. Nothing is drawn.
@_exported import Observation

/// A piece of user interface.
@MainActor @preconcurrency public protocol View {
  /// What it is made of.
  associatedtype Body: View
  /// What it is made of.
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  /// There is none.
  public var body: Never { undrawn() }
}

extension Optional: View where Wrapped: View {
  /// There is none.
  public var body: Never { undrawn() }
}

func undrawn() -> Never { preconditionFailure("a stand-in draws nothing") }

/// A view that is made of nothing else: what stands for all of SwiftUI's own here.
public struct Drawn: View {
  /// There is none.
  public var body: Never { undrawn() }
}

/// Puts views one after the other.
@resultBuilder public enum ViewBuilder {
  /// Several views, or none.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Drawn {
    Drawn()
  }
  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// A view that may be missing.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// One of two views.
  public static func buildEither(first: some View) -> Drawn { Drawn() }
  /// One of two views.
  public static func buildEither(second: some View) -> Drawn { Drawn() }
}

/// A value that a view owns.
@propertyWrapper public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  /// A value that a view owns.
  public init(wrappedValue value: Value) { box = Box(value) }
  /// The value.
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  /// A way to change it.
  public var projectedValue: Binding<Value> {
    Binding(get: { box.value }, set: { box.value = $0 })
  }
}

/// A way to read and change a value that somebody else owns.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// A way to read and change a value.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }
  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  /// Itself.
  public var projectedValue: Binding<Value> { self }
  /// A way to change a part of it.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(
      get: { wrappedValue[keyPath: path] },
      set: { part in
        var value = wrappedValue
        value[keyPath: path] = part
        set(value)
      })
  }
}

/// Values that views get from those around them.
public struct EnvironmentValues {
  /// The phase of the scene.
  public var scenePhase: ScenePhase
}

/// The phase of a scene.
public enum ScenePhase: Comparable, Sendable {
  /// The scene is not visible.
  case background
  /// The scene is visible and gets no events.
  case inactive
  /// The scene is visible and gets events.
  case active
}

/// Reads a value from the environment.
@MainActor @preconcurrency @propertyWrapper public struct Environment<Value> {
  /// Reads a value by its key path.
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  /// Reads an observable object by its type.
  public init(_ type: Value.Type) where Value: AnyObject, Value: Observable {}
  /// The value.
  public var wrappedValue: Value { undrawn() }
}
