internal import CZlib

/// The model that a store keeps of itself, in `Z_MODELCACHE`: the archive, compressed without a header.
extension ManagedObjectModel {
    /// Reads the contents of `Z_MODELCACHE.Z_CONTENT`. Linear in the size of the inflated model, which is bounded.
    package static func read(modelCache: [UInt8]) throws(ManagedObjectModelError) -> ManagedObjectModel {
        if modelCache.starts(with: "bplist".utf8) { return try read(bytes: modelCache, file: "") }
        return try read(bytes: try inflated(modelCache), file: "")
    }

    /// Bytes; the largest cache seen inflates to less than one hundredth.
    private static let inflatedLimit = 256 << 20

    private static func inflated(_ bytes: [UInt8]) throws(ManagedObjectModelError) -> [UInt8] {
        func failure(_ reason: String) -> ManagedObjectModelError { ManagedObjectModelError(file: "", cause: .notAModel(reason)) }
        guard !bytes.isEmpty, UInt32(exactly: bytes.count) != nil else { throw failure("the cached model is empty") }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // Sound: zlib keeps pointers into `input` and `chunk` only between the calls inside of this closure, in which both stay put.
        let problem: String? = input.withUnsafeMutableBufferPointer { source in
            chunk.withUnsafeMutableBufferPointer { target in
                var stream = z_stream()
                // Raw deflate, with its largest window.
                guard czlib_inflate_init2(&stream, -15) == Z_OK else { return "the cached model cannot be inflated" }
                defer { inflateEnd(&stream) }
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                while true {
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    let produced = target.count - Int(stream.avail_out)
                    guard output.count + produced <= inflatedLimit else {
                        return "the cached model inflates to more than \(inflatedLimit) bytes"
                    }
                    output.append(contentsOf: target[..<produced])
                    if status == Z_STREAM_END { return nil }
                    // No progress is possible once the input is used up.
                    guard status == Z_OK, produced > 0 || stream.avail_in > 0 else {
                        return "the cached model is damaged or cut off"
                    }
                }
            }
        }
        if let problem { throw failure(problem) }
        return output
    }
}
