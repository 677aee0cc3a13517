import Foundation
import Testing

@testable import PropertyLists

/// SplitMix64: the same numbers on every machine for a seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Foundation's reading of property lists, as the reference for ours.
enum Reference {
    static func read(_ data: Data) -> PropertyList? {
        guard let value = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) else { return nil }
        return convert(value)
    }

    static func convert(_ value: Any) -> PropertyList? {
        switch value {
        case let flag as Bool where type(of: value) == Bool.self: return .boolean(flag)
        case let text as String: return .string(text)
        case let date as Date: return .date(date)
        case let data as Data: return .data(data)
        case let items as [Any]: return .array(items.compactMap(convert))
        case let entries as [String: Any]:
            return .dictionary(
                entries.sorted { $0.key < $1.key }.compactMap { key, value in
                    convert(value).map { PropertyList.Entry(key: key, value: $0) }
                })
        case let number as Int: return .integer(Int64(number))
        case let number as Double: return .real(number)
        default: return nil
        }
    }

    /// The same value with the keys of all dictionaries sorted, as `convert` gives them.
    static func sorted(_ value: PropertyList) -> PropertyList {
        switch value {
        case .array(let items): .array(items.map(sorted))
        case .dictionary(let entries):
            .dictionary(
                entries.sorted { $0.key < $1.key }.map { PropertyList.Entry(key: $0.key, value: sorted($0.value)) })
        default: value
        }
    }

    /// A random property list as Foundation's writer takes it.
    static func random(depth: Int, using generator: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: return text(using: &generator)
        case 1: return Int.random(in: -300...300, using: &generator)
        case 2: return Int.random(in: .min ... .max, using: &generator)
        // Never whole: Foundation's numbers do not tell those from integers.
        case 3: return Double.random(in: -1e9...1e9, using: &generator).rounded() + 0.25
        case 4: return Bool.random(using: &generator)
        case 5:
            return Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -3_000_000_000...9_000_000_000, using: &generator)))
        case 6:
            return Data((0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 7: return (0..<Int.random(in: 0...20, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
        default:
            var entries: [String: Any] = [:]
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                entries[text(using: &generator)] = random(depth: depth - 1, using: &generator)
            }
            return entries
        }
    }

    static func text(using generator: inout SeededGenerator) -> String {
        let alphabet = Array("abcXYZ019 _-.<>&\"'\\/{}();=,\n\téßЖ日😀")
        return String(
            (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            })
    }
}

func read(_ text: String) throws -> PropertyList { try PropertyListReader.read(data: Data(text.utf8)) }

/// The message of the error that reading gives; nil when there is none.
func problem(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) -> String? {
    do {
        _ = try PropertyListReader.read(bytes: bytes, limits: limits)
        return nil
    } catch {
        return error.problem
    }
}

func problem(_ text: String) -> String? { problem(Array(text.utf8)) }
