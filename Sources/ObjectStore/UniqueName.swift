/// The name, or with the first number from 2 on behind it that makes it one that is not taken; it is taken then.
package func uniqueName(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
        candidate = name + String(number)
        number += 1
    }
    return candidate
}
