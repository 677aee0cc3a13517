import Glibc

/// Keeps the optimizer, which does not look into it, from leaving out what nobody reads.
@inline(never)
@_optimize(none)
func use<Result>(_ result: Result) {}

/// What a piece of work needs.
enum Measuring {
    /// The result of `body` and the seconds it takes.
    static func time<Result>(_ body: () -> Result) -> (result: Result, seconds: Double) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = body()
        use(result)
        let spent = (clock.now - start).components
        return (result, Double(spent.seconds) + Double(spent.attoseconds) * 1e-18)
    }

    /// The seconds for one of `count` calls of `body`, which is told the call's number.
    static func time(calls count: Int, _ body: (Int) -> Void) -> Double {
        time { for call in 0..<count { body(call) } }.seconds / Double(max(1, count))
    }

    /// As `time`, and the bytes that the process held at the peak beyond what it held before.
    static func timeAndMemory<Result>(_ body: () -> Result) -> (result: Result, seconds: Double, memory: Int?) {
        resetPeak()
        let before = status("VmRSS:")
        let (result, seconds) = time(body)
        let peak = status("VmHWM:")
        return (result, seconds, before.flatMap { before in peak.map { max(0, $0 - before) } })
    }

    /// Lets the kernel forget the peak so far (`proc(5)`: writing 5 to `clear_refs`).
    private static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Seconds on a clock that only goes forward.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// A line of a process's `/proc/…/status`, in bytes.
    static func status(_ name: String, of process: String = "self") -> Int? {
        guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return text.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }

    /// What a process has used of the processors, in ticks: fields 14 and 15 of its `/proc/…/stat`.
    static func processorTime(of process: Int32) -> Int? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The name in front may hold spaces and parentheses.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return nil }
        return user + system
    }
}
