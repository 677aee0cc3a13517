import Dispatch
import ObjectStore
import Screens

// What is to be said of the store, and is known only after a look at all of it.
extension Navigator {
    package func remark() -> String? { nil }
}

extension ObjectNavigator {
    package func remark() -> String? {
        // What cannot be read says so where it is shown.
        guard let warnings = try? store.lateWarnings(progress: FetchProgress()), !warnings.isEmpty else { return nil }
        return warnings.joined(separator: " ")
    }
}

extension Browser {
    /// Has a look at the whole store, once, when there is nothing else to do; nobody waits for it.
    func lookAtAll() {
        guard !hasLookedAtAll else { return }
        hasLookedAtAll = true
        let (navigator, post) = (navigator, postRemark)
        DispatchQueue.global(qos: .utility).async { if let text = navigator.remark() { post(text) } }
    }

    /// Says it after what is said already.
    func add(remark text: String) {
        if case .message(let earlier) = status { say("\(earlier)  \(text)") } else { say(text) }
    }
}
