import Foundation
import Synchronization

/// Where background work leaves its results for the loop; posting wakes it.
package final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let readEnd: Int32
    private let writeEnd: Int32

    /// Nil if the system has no descriptors left.
    package init?() {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return nil }
        readEnd = descriptors[0]
        writeEnd = descriptors[1]
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Readable while something may be in the mailbox.
    package var wakeDescriptor: Int32 { readEnd }

    package func post(_ message: Message) {
        let isFirst = messages.withLock {
            $0.append(message)
            return $0.count == 1
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        // A full pipe is readable already: nothing is lost.
        _ = write(writeEnd, &byte, 1)
    }

    /// Takes what is there, in the order of posting.
    package func drain() -> [Message] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) == bytes.count {}
        return messages.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
