internal import CZlib

/// Inflates what zlib, gzip or raw deflate have compressed; bounded, since a few bytes can stand for any number of them.
package enum Inflation {
    package enum Format: Sendable {
        /// Without a header.
        case raw
        case zlib
        case gzip

        /// zlib's window bits: the largest window, and the header that is expected.
        fileprivate var windowBits: Int32 {
            switch self {
            case .raw: -15
            case .zlib: 15
            case .gzip: 31
            }
        }
    }

    package enum Failure: Error, Sendable, Equatable {
        case empty
        /// More than the limit, in bytes; with what came out before.
        case tooLarge(Int, [UInt8])
        /// Damaged, cut off, or not of the format; with what could be read.
        case damaged([UInt8])
    }

    /// - Parameter limit: the most that comes out, in bytes.
    /// - Complexity: linear in what comes out.
    package static func inflate(_ bytes: [UInt8], _ format: Format, limit: Int) throws(Failure) -> [UInt8] {
        guard !bytes.isEmpty, UInt32(exactly: bytes.count) != nil else { throw .empty }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // Sound: zlib keeps pointers into `input` and `chunk` only between the calls inside of this closure, in which both stay put.
        let problem: Failure? = input.withUnsafeMutableBufferPointer { source in
            chunk.withUnsafeMutableBufferPointer { target in
                var stream = z_stream()
                guard czlib_inflate_init2(&stream, format.windowBits) == Z_OK else { return .damaged([]) }
                defer { inflateEnd(&stream) }
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                while true {
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    let produced = target.count - Int(stream.avail_out)
                    guard output.count + produced <= limit else { return .tooLarge(limit, output) }
                    output.append(contentsOf: target[..<produced])
                    if status == Z_STREAM_END {
                        // Members of a gzip file stand one after the other.
                        let rest = source.count - Int(stream.avail_in)
                        guard format == .gzip, rest + 1 < source.count, source[rest] == 0x1F, source[rest + 1] == 0x8B,
                            inflateReset(&stream) == Z_OK
                        else { return nil }
                        continue
                    }
                    // No progress is possible once the input is used up.
                    guard status == Z_OK, produced > 0 || stream.avail_in > 0 else { return .damaged(output) }
                }
            }
        }
        if let problem { throw problem }
        return output
    }
}
