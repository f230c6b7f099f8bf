public enum Terminal { public static func show(_ text: String) { print(text) } }
