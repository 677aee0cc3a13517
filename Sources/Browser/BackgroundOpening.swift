import Foundation
package import ObjectStore
package import Screens
package import TerminalUI

/// Something that is opened on a thread of its own, so that the terminal can say how far it is, and be left.
package final class BackgroundOpening<Result: Sendable>: Sendable {
    /// Something to be done by whoever waits.
    package typealias Errand = @Sendable () -> Void

    private enum Message: Sendable {
        case errand(Errand)
        case result(Result)
    }

    private let name: String
    private let progress: FetchProgress
    private let mailbox: Mailbox<Message>
    private let started = ContinuousClock.now

    /// Begins the work.
    ///
    /// - Parameters:
    ///   - name: what is opened, for people.
    ///   - progress: what the work reports to.
    ///   - work: may ask the one who waits for the result to do something meanwhile; it is not done once the result is there.
    ///   - afterwards: done on the same thread once the result is on its way.
    /// - Returns: nil if the system has no descriptors left.
    package init?(
        name: String, progress: FetchProgress, _ work: @escaping @Sendable (_ ask: (@escaping Errand) -> Void) -> Result,
        afterwards: @escaping @Sendable (Result) -> Void = { _ in }
    ) {
        guard let mailbox = Mailbox<Message>() else { return nil }
        self.name = name
        self.progress = progress
        self.mailbox = mailbox
        // Its own thread, as deep as the main one: documents nest.
        let thread = Thread {
            let result = work { mailbox.post(.errand($0)) }
            mailbox.post(.result(result))
            afterwards(result)
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// What came of it, if that is there within the time.
    package func result(milliseconds: Int) -> Result? {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var left = milliseconds
        while true {
            var descriptor = pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, Int32(clamping: left))
            let messages = mailbox.drain()
            if let result = take(messages) { return result }
            left = Int(((end - .now) / .milliseconds(1)).rounded(.up))
            guard !messages.isEmpty, left > 0 else { return nil }
        }
    }

    /// The result among what has come; errands are done where it is not there yet.
    private func take(_ messages: [Message]) -> Result? {
        for case .result(let result) in messages { return result }
        for case .errand(let errand) in messages { errand() }
        return nil
    }

    /// How far it is.
    package var screen: LoadingScreen {
        LoadingScreen(
            name: name, bytesDone: progress.bytesDone, bytesExpected: progress.bytesExpected, rows: progress.rowsDone,
            milliseconds: Int((ContinuousClock.now - started) / .milliseconds(1)))
    }

    /// Shows how far it is until it is done, or the user has enough of it.
    ///
    /// - Returns: what came of it, or how the waiting ended. The work goes on to its next look at `progress`.
    package func result(on terminal: any Terminal) -> (result: Result?, ending: Browser.Ending) {
        while true {
            var buffer = CellBuffer(size: terminal.size)
            screen.render(into: &buffer)
            terminal.present(buffer, cursor: nil)
            let events = terminal.events(wakeDescriptor: mailbox.wakeDescriptor, milliseconds: Self.interval)
            if let result = take(mailbox.drain()) { return (result, .quit) }
            for event in events {
                guard let ending = ending(of: event, on: terminal) else { continue }
                progress.cancel()
                return (nil, ending)
            }
        }
    }

    private func ending(of event: TerminalEvent, on terminal: any Terminal) -> Browser.Ending? {
        switch event {
        case .key(.control("c")): return .interrupted
        case .key(.character("q")): return .quit
        case .key(.control("l")), .resumed: terminal.invalidate()
        case .key(.control("z")): terminal.suspend()
        case .terminate(let signal): return .signal(signal)
        case .endOfInput: return .hangUp
        default: break
        }
        return nil
    }

    private static var interval: Int { 100 }
}
