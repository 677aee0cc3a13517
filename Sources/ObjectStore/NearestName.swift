/// The known name that a reader most likely meant, or nil if none is near.
///
/// Nearest by edit distance on lower-cased scalars, at most a third of the longer name; ties go to the earlier name. Where none is so
/// near, the one whose beginning is: who writes `album` may mean `albumByArtistId`. Of three letters at least, and at most a third of
/// them apart; ties go to the shorter name.
/// O(names × length²) scalar comparisons.
package func nearestName(to name: String, among known: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (distance: Int, name: String)?
    var beginning: (distance: Int, length: Int, name: String)?
    for candidate in known {
        let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
        let distances = editDistances(wanted, letters)
        let distance = distances[letters.count]
        if distance <= max(wanted.count, letters.count) / 3 || (distance <= 1 && letters.count > 1) {
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        guard best == nil, wanted.count >= 3, let start = distances.min(), start <= wanted.count / 3 else { continue }
        if beginning.map({ (start, letters.count) < ($0.distance, $0.length) }) ?? true {
            beginning = (start, letters.count, candidate)
        }
    }
    return best?.name ?? beginning?.name
}

/// Levenshtein distance to each beginning of the other, from the empty one to all of it, with two neighbours swapped counting as one
/// edit.
private func editDistances(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> [Int] {
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
    return last
}
