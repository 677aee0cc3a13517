import Glibc

// tlbench [--smallest] [--largest N]: measures, beside a plain peer in the same run, and prints a table.

let benchmarks: [any Benchmark] = [IndexPathModelBenchmark()]
let sizes = [10_000, 100_000, 1_000_000, 10_000_000]
let usage = """
    usage: tlbench [--smallest] [--largest N]
      --smallest    only the smallest size; checks what comes out and prints no times
      --largest N   no size above N objects
    """

var largest = Int.max
var checksOnly = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--smallest": checksOnly = true
    case "--largest":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else {
            print(usage)
            exit(2)
        }
        largest = number
    case "--help":
        print(usage)
        exit(0)
    default:
        print(usage)
        exit(2)
    }
}

var table = BenchmarkTable(checksOnly: checksOnly)
for benchmark in benchmarks {
    table.begin(benchmark.title)
    for size in checksOnly ? Array(sizes.prefix(1)) : sizes.filter({ $0 <= largest }) {
        benchmark.measure(size: size, into: &table)
    }
}
if !table.faults.isEmpty { exit(1) }
if checksOnly { print("right at \(sizes[0]) objects") }
