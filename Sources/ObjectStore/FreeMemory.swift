import Foundation
import Glibc

/// What this process can still have of the machine's memory.
package enum FreeMemory {
    /// Bytes to be had without pushing others out, by the machine, the process's groups and its own limit. Very many where none of it
    /// is known.
    package static var bytes: Int {
        var free = 1 << 60
        func limit(_ bytes: Int?) { if let bytes { free = min(free, max(0, bytes)) } }
        limit(number("MemAvailable:", "/proc/meminfo").map { $0 << 10 })
        for folder in groups() { limit(group(folder)) }
        limit(ownLimit("Max address space", "VmSize:"))
        limit(ownLimit("Max data size", "VmData:"))
        return free
    }

    /// Smaller pieces are taken without asking: to ask takes some files to be read.
    private static let small = 8 << 20

    /// Whether so many bytes can be had now, with as much left to go on with: Swift ends the program where its arrays get no memory.
    package static func has(_ size: Int) -> Bool {
        guard size >= small else { return true }
        return size <= bytes / 2 && hasAddresses(size)
    }

    /// Whether the process may have so many bytes of memory of its own, used or not.
    package static func hasAddresses(_ size: Int) -> Bool {
        // Not by `malloc`: the compiler leaves out what is given back at once. The rest is what an array has beside its elements.
        let length = size + (1 << 16)
        let tried = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let tried, tried != MAP_FAILED else { return false }
        munmap(tried, length)
        return true
    }

    /// What a limit of the process leaves; nil where there is none.
    private static func ownLimit(_ limit: String, _ used: String) -> Int? {
        let line = lines("/proc/self/limits").first { $0.hasPrefix(limit) }
        guard let most = line?.split(separator: " ").dropFirst(3).first.flatMap({ Int($0) }) else { return nil }
        return number(used, "/proc/self/status").map { most - $0 << 10 }
    }

    /// Asks ahead for memory that cannot be asked for otherwise.
    ///
    /// - Throws: `outOfMemory` where `has` says no.
    package static func check(_ size: Int) throws(StoreError) {
        if !has(size) { throw StoreError(file: "", cause: .outOfMemory) }
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
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self).split(separator: "\n")
    }
}
