import Glibc

/// The machine that was measured.
enum Machine {
    /// Processor, cores, memory and date.
    static var description: String {
        let model = field("model name", of: "/proc/cpuinfo") ?? "unknown processor"
        let memory = field("MemTotal", of: "/proc/meminfo").flatMap { $0.split(separator: " ").first.flatMap { Int($0) } } ?? 0
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \((memory + 524_288) / 1_048_576) GB, "
            + date.joined(separator: "-") + "; the least of several runs."
    }

    private static func field(_ name: String, of path: String) -> String? {
        let line = contents(of: path)?.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let line, let colon = line.firstIndex(of: ":") else { return nil }
        return String(line[line.index(after: colon)...].drop { $0 == " " })
    }

    static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
