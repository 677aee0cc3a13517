/// The smallest of many elements that come one by one; no more than twice as many are kept as are wanted.
struct Smallest<Element> {
    /// So many are wanted.
    let limit: Int
    private var kept: [Element] = []
    /// The last of those that are certainly enough: what stands behind it is not wanted.
    private(set) var last: Element?

    init(_ limit: Int) { self.limit = limit }

    /// Keeps an element, if it may be wanted. O(log limit) comparisons on the average of many.
    mutating func take(_ element: Element, by isBefore: (Element, Element) -> Bool) {
        guard limit > 0 else { return }
        if let last, !isBefore(element, last) { return }
        kept.append(element)
        guard kept.count >= limit * 2 else { return }
        kept = sorted(by: isBefore)
        last = kept.last
    }

    /// As many as are wanted, or all where there are fewer, in their order.
    func sorted(by isBefore: (Element, Element) -> Bool) -> [Element] { Array(kept.sorted(by: isBefore).prefix(limit)) }
}
