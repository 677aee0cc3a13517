import Foundation
package import ObjectStore

/// A value as a reader sees it.
package struct PresentedText: Sendable, Hashable {
    package var text: String
    /// Whether the text stands for a value without text (`—`, `""`, `0 bytes`) and is shown dimmed.
    package var isPlaceholder: Bool

    package init(_ text: String, isPlaceholder: Bool = false) {
        self.text = text
        self.isPlaceholder = isPlaceholder
    }

    /// What stands for NULL, and for an empty to-many relationship.
    package static let null = PresentedText("—", isPlaceholder: true)
    package static let emptyString = PresentedText("\"\"", isPlaceholder: true)
    package static let emptyData = PresentedText("0 bytes", isPlaceholder: true)
}

/// Values as text, the same in list, detail and print. Formats only what it is asked for; date formatters are made once.
package struct ValuePresentation: Sendable {
    package let localization: Localization
    private let dates: DateTexts

    package init(localization: Localization) {
        self.localization = localization
        dates = DateTexts(localization: localization)
    }

    /// The text of a value; not yet made safe for a terminal, and as long as the value is.
    ///
    /// - NULL `—`, an empty string `""` and empty bytes `0 bytes` are placeholders.
    /// - Numbers as `NumberText`; booleans `YES` and `NO`, so that they do not look like numbers (CDL's lists show 1 and 0).
    /// - Dates in locale and zone. A style left out counts as none if the other one is given; none for both is medium date and
    ///   time (CDL raises an exception). Outside of the years 1 to 9999 the number of seconds since 2001.
    /// - Bytes by what they hold, else their number; UUIDs upper-case; objects by entity and key; lists joined by `, `.
    /// - A foreign key that leads to no row is a placeholder, too: `(no Artist 99)`.
    package func present(_ value: Value, dateStyle: DateStyle? = nil, timeStyle: DateStyle? = nil) -> PresentedText {
        switch value {
        case .null: .null
        case .integer(let number): PresentedText(String(number))
        case .double(let number): PresentedText(NumberText.text(number))
        case .boolean(let flag): PresentedText(flag ? "YES" : "NO")
        case .string(let text): text.isEmpty ? .emptyString : PresentedText(text)
        case .date(let seconds): PresentedText(date(seconds, dateStyle, timeStyle))
        case .data(let bytes): bytes.isEmpty ? .emptyData : PresentedText(RecognizedContent(bytes).summary)
        case .uuid(let uuid): PresentedText(uuid.uuidString)
        case .object(let object): PresentedText("\(object.entityName) \(object.key)")
        case .list(let values): list(values) { present($0, dateStyle: dateStyle, timeStyle: timeStyle) }
        case .danglingReference(let entityName, let key): PresentedText("(no \(entityName) \(key))", isPlaceholder: true)
        case .source(let text): PresentedText(text)
        }
    }

    /// The title of the section of a value: nil for NULL (the screen's `(none)`), "" for an empty string (its `""`).
    package func sectionTitle(for value: Value, dateStyle: DateStyle? = nil, timeStyle: DateStyle? = nil) -> String? {
        switch value {
        case .null, .danglingReference: nil
        case .string(let text): text
        default: present(value, dateStyle: dateStyle, timeStyle: timeStyle).text
        }
    }

    private func date(_ seconds: Double, _ dateStyle: DateStyle?, _ timeStyle: DateStyle?) -> String {
        guard CalendarDate.presentable.contains(seconds) else { return NumberText.text(seconds) }
        let styles = Self.styles(dateStyle, timeStyle)
        return dates.text(seconds, styles.date, styles.time)
    }

    private static func styles(_ date: DateStyle?, _ time: DateStyle?) -> (date: DateStyle, time: DateStyle) {
        let styles = (date: date ?? .none, time: time ?? .none)
        return styles.date == .none && styles.time == .none ? (.medium, .medium) : styles
    }

    /// Makes the formatter of such dates, which takes as long as a thousand texts, so that the first of them need not wait for it.
    package func prepareDates(dateStyle: DateStyle? = nil, timeStyle: DateStyle? = nil) {
        let styles = Self.styles(dateStyle, timeStyle)
        dates.prepare(styles.date, styles.time)
    }
}

extension ValuePresentation {
    /// So many members of a list are spelled out; a to-many of a million objects is not one text.
    private static let longestList = 1000

    func list(_ values: [Value], text: (Value) -> PresentedText) -> PresentedText {
        guard !values.isEmpty else { return .null }
        let shown = values.prefix(ValuePresentation.longestList).map { text($0).text }.joined(separator: ", ")
        return PresentedText(values.count > ValuePresentation.longestList ? shown + ", …" : shown)
    }

    /// A value in the form that was read: as it is stored, or presented.
    package func text(_ value: Value, as form: ValueForm, dateStyle: DateStyle?, timeStyle: DateStyle?) -> PresentedText {
        form == .stored ? stored(value) : present(value, dateStyle: dateStyle, timeStyle: timeStyle)
    }

    /// The text of a value as the store holds it (`v`): dates as seconds, booleans 0 and 1, bytes as their number and the first of
    /// them in hexadecimal. NULL is the placeholder `NULL`.
    package func stored(_ value: Value) -> PresentedText {
        switch value {
        case .null: PresentedText("NULL", isPlaceholder: true)
        case .integer(let number): PresentedText(String(number))
        case .double(let number): PresentedText(NumberText.text(number))
        case .boolean(let flag): PresentedText(flag ? "1" : "0")
        case .string(let text): text.isEmpty ? .emptyString : PresentedText(text)
        case .date(let seconds): PresentedText(NumberText.text(seconds))
        case .data(let bytes): bytes.isEmpty ? .emptyData : PresentedText(hexadecimal(bytes))
        case .uuid(let uuid): PresentedText(hexadecimal(withUnsafeBytes(of: uuid.uuid) { Data($0) }))
        case .object(let object): PresentedText(String(object.key))
        case .list(let values): list(values, text: stored)
        case .danglingReference: present(value)
        case .source(let text): PresentedText(text)
        }
    }

    private func hexadecimal(_ bytes: Data) -> String {
        let shown = bytes.prefix(32)
        let digits = shown.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return byteCount(bytes.count) + ": " + digits + (shown.count < bytes.count ? " …" : "")
    }
}

/// `1 byte`, `31 bytes`.
func byteCount(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
