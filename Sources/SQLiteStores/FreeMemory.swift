import Foundation
import Glibc
import ObjectStore

/// What this process can still have of the machine's memory.
enum FreeMemory {
    /// Bytes to be had without pushing others out, by the machine, the process's groups and its own limit. Very many where none of it
    /// is known.
    static var bytes: Int {
        var free = 1 << 60
        func limit(_ bytes: Int?) { if let bytes { free = min(free, max(0, bytes)) } }
        limit(number("MemAvailable:", "/proc/meminfo").map { $0 << 10 })
        for folder in groups() { limit(group(folder)) }
        limit(ownLimit())
        return free
    }

    /// What the limit on the process's addresses leaves; nil where there is none.
    private static func ownLimit() -> Int? {
        let line = lines("/proc/self/limits").first { $0.hasPrefix("Max address space") }
        guard let most = line?.split(separator: " ").dropFirst(3).first.flatMap({ Int($0) }) else { return nil }
        return number("VmSize:", "/proc/self/status").map { most - $0 << 10 }
    }

    /// Folders of the control groups that the process is in, and those above; both versions.
    private static func groups() -> [String] {
        var folders: [String] = []
        for line in lines("/proc/self/cgroup") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isUnified = parts[1].isEmpty
            guard isUnified || parts[1].split(separator: ",").contains("memory") else { continue }
            let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            var path = parts[2].split(separator: "/").prefix(32)
            folders.append(root)
            while !path.isEmpty {
                folders.append(root + "/" + path.joined(separator: "/"))
                path.removeLast()
            }
        }
        return folders
    }

    /// What a group's limit leaves; nil where there is none. What it has of files can be put aside, so it counts as free.
    private static func group(_ folder: String) -> Int? {
        for (most, used, files) in [
            ("memory.max", "memory.current", ["inactive_file", "active_file"]),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", ["total_inactive_file", "total_active_file"]),
        ] {
            guard let most = lines(folder + "/" + most).first.flatMap({ Int($0) }), most < 1 << 60,
                let used = lines(folder + "/" + used).first.flatMap({ Int($0) })
            else { continue }
            let kept = files.reduce(0) { $0 + (number($1 + " ", folder + "/memory.stat") ?? 0) }
            return most - used + kept
        }
        return nil
    }

    private static func number(_ name: String, _ path: String) -> Int? {
        guard let line = lines(path).first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).split(whereSeparator: { $0 == " " || $0 == "\t" }).first.flatMap { Int($0) }
    }

    /// Of a small file that the kernel makes.
    private static func lines(_ path: String) -> [Substring] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    }
}
