/// The known name that a reader most likely meant, or nil if none is near.
///
/// Nearest by edit distance on lower-cased scalars, at most a third of the longer name; ties go to the earlier name.
/// O(names × length²) scalar comparisons.
package func nearestName(to name: String, among known: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (distance: Int, name: String)?
    for candidate in known {
        let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
        let distance = editDistance(wanted, letters)
        guard distance <= max(wanted.count, letters.count) / 3 || (distance <= 1 && letters.count > 1) else { continue }
        if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
    }
    return best?.name
}

/// Levenshtein distance, with two neighbours swapped counting as one edit.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (i, letter) in left.enumerated() {
        var row = [i + 1]
        for (j, other) in right.enumerated() {
            var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
            if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { cost = min(cost, beforeLast[j - 1] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[right.count]
}
