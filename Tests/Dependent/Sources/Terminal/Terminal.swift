package enum Terminal { package static func show(_ text: String) { print(text) } }
