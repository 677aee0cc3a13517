internal import Foundation

extension BinaryPropertyList {
    /// The whole property list as a value, after its size and depth are known to be within the limits. Linear in the number of
    /// objects and in the size of the values.
    package func propertyList(limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError) -> PropertyList {
        try checkExpansion(limits: limits)
        return try value(of: top)
    }

    /// What is known of an object while sizes are computed.
    private enum Progress: UInt8 { case unseen, open, done }

    /// Computes, from the leaves up and once for each object, what the property list takes when it is spread out. A cycle has no
    /// such size. O(objects) in time and memory.
    private func checkExpansion(limits: PropertyListLimits) throws(PropertyListError) {
        let limit = limits.expandedBytes(forFileOf: bytes.count)
        let tooFar = PropertyListError(cause: .expandsTooFar(limit: limit))
        guard objectCount <= limit / PropertyListLimits.bytesPerValue else { throw tooFar }
        var progress = [Progress](repeating: .unseen, count: objectCount)
        var sizes = [Int](repeating: 0, count: objectCount)
        var depths = [Int32](repeating: 0, count: objectCount)
        var path: [(number: Int, children: Children, next: Int)] = []

        func enter(_ reference: Reference) throws(PropertyListError) {
            let children: Children
            sizes[reference.number] = PropertyListLimits.bytesPerValue
            switch try node(reference) {
            case .string(let text): sizes[reference.number] += text.utf8.count
            case .data(let range): sizes[reference.number] += range.count
            case .array(let items), .set(let items):
                children = Children(first: items, second: nil); return try push(reference, children)
            case .dictionary(let keys, let values): return try push(reference, Children(first: keys, second: values))
            default: break
            }
            progress[reference.number] = .done
        }
        func push(_ reference: Reference, _ children: Children) throws(PropertyListError) {
            guard path.count < limits.depth else { throw PropertyListError(cause: .tooDeep(limit: limits.depth, line: nil)) }
            progress[reference.number] = .open
            path.append((reference.number, children, 0))
        }

        try enter(top)
        while let last = path.last {
            guard last.next < last.children.count else {
                path.removeLast()
                progress[last.number] = .done
                depths[last.number] += 1
                continue
            }
            let child = last.children[last.next]
            guard child.number < objectCount else {
                throw .malformed("object \(last.number) refers to object \(child.number), which is not in the file")
            }
            switch progress[child.number] {
            case .unseen: try enter(child)
            case .open: throw .malformed("object \(child.number) contains itself")
            case .done:
                let (size, overflow) = sizes[last.number].addingReportingOverflow(sizes[child.number])
                guard !overflow, size <= limit else { throw tooFar }
                sizes[last.number] = size
                depths[last.number] = max(depths[last.number], depths[child.number])
                guard path.count + Int(depths[child.number]) <= limits.depth else {
                    throw PropertyListError(cause: .tooDeep(limit: limits.depth, line: nil))
                }
                path[path.count - 1].next += 1
            }
        }
    }

    /// The references of a container, a dictionary's keys before its values.
    private struct Children {
        let first: References
        let second: References?

        var count: Int { first.count + (second?.count ?? 0) }

        subscript(index: Int) -> Reference {
            if index < first.count { return first[index] }
            return second?[index - first.count] ?? Reference(number: .max)
        }
    }

    /// Recurses no deeper than the limit that was checked before.
    private func value(of reference: Reference) throws(PropertyListError) -> PropertyList {
        switch try node(reference) {
        case .null: throw .malformed("object \(reference.number) is a null, which property lists do not have")
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .unsigned(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let range): return .data(Data(bytes[range]))
        case .string(let text): return .string(text)
        case .uid(let number): return .uid(number)
        case .array(let items), .set(let items):
            var list: [PropertyList] = []
            list.reserveCapacity(items.count)
            for item in items { list.append(try value(of: item)) }
            return .array(list)
        case .dictionary(let keys, let values):
            var entries = PropertyListEntries()
            for (key, item) in zip(keys, values) {
                guard case .string(let name) = try node(key) else {
                    throw .malformed("a key of the dictionary in object \(reference.number) is not a string")
                }
                entries.set(try value(of: item), for: name)
            }
            return .dictionary(entries.list)
        }
    }
}
