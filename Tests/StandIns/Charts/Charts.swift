/// A stand-in for Apple's Charts, as the one for SwiftUI.
public import SwiftUI

/// What a chart is made of.
@MainActor @preconcurrency public protocol ChartContent {}

/// A value that can be placed along an axis.
public protocol Plottable {}
extension String: Plottable {}
extension Int: Plottable {}
extension Double: Plottable {}

/// A value with what it is called.
public struct PlottableValue<Value: Plottable> {
  /// A value with what it is called.
  public static func value(_ label: some StringProtocol, _ value: Value) -> PlottableValue {
    PlottableValue()
  }
}

/// A bar.
public struct BarMark: ChartContent {
  /// A bar by its place and height.
  public init(x: PlottableValue<some Plottable>, y: PlottableValue<some Plottable>) {}
}

/// Puts marks one after the other.
@resultBuilder public enum ChartContentBuilder {
  /// One mark.
  public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }
}

/// A chart of the elements of a collection.
public struct Chart: View {
  /// There is none.
  public var body: Never { preconditionFailure("a stand-in draws nothing") }
  /// A chart with marks for each element.
  public init<Rows: RandomAccessCollection>(
    _ rows: Rows, id: KeyPath<Rows.Element, some Hashable>,
    @ChartContentBuilder content: @escaping (Rows.Element) -> some ChartContent
  ) {}
}
