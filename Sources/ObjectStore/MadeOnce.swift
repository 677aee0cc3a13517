import Synchronization

/// A value that is made when it is first asked for; who asks meanwhile waits for it.
///
/// A thread that has nothing else to do may ask early, so that it is there for the one that needs it.
package final class MadeOnce<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    package var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
