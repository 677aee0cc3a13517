import Glibc

// tlbench [--smallest] [--largest N] [--full] [--stores] [--readme FILE]: measures, beside a plain peer in the same run, and prints tables.

let benchmarks: [any Benchmark] = [IndexPathModelBenchmark()]
let usage = """
    usage: tlbench [--smallest] [--largest N] [--full] [--stores] [--readme FILE]
      --smallest     only the smallest size; checks what comes out and prints no times
      --largest N    no size above N objects
      --full         stores of ten million objects, too
      --stores       only the program and its stores, without the models
      --readme FILE  writes the table of the stores between the marks in a file
    """

var largest = Int.max
var checksOnly = false
var isFull = false
var onlyStores = false
var readme: String?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--smallest": checksOnly = true
    case "--full": isFull = true
    case "--stores": onlyStores = true
    case "--readme":
        guard let file = arguments.popFirst() else {
            print(usage)
            exit(2)
        }
        readme = file
        onlyStores = true
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

let allSizes = [10_000, 100_000, 1_000_000, 10_000_000]
let sizes = checksOnly ? Array(allSizes.prefix(1)) : allSizes.filter { $0 <= largest }

var faults: [String] = []
if !onlyStores {
    var table = BenchmarkTable(checksOnly: checksOnly)
    for benchmark in benchmarks {
        table.begin(benchmark.title)
        for size in sizes { benchmark.measure(size: size, into: &table) }
    }
    faults += table.faults
}

if let program = getenv("TLBROWSE_BINARY").map({ String(cString: $0) }) {
    let folder = "/tmp/tlbench-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard mkdir(folder, 0o700) == 0 else {
        print("tlbench: no temporary folder")
        exit(1)
    }
    let benchmark = StoreBenchmark(program: program, folder: folder, checksOnly: checksOnly)
    var table = StoreTable(checksOnly: checksOnly)
    print("\nThe program and its stores\n")
    if !checksOnly { print(Machine.description + "\n\n" + StoreTable.heading) }
    benchmark.measureStart(into: &table)
    for size in sizes where isFull || size <= 1_000_000 { benchmark.measure(size: size, into: &table) }
    if !checksOnly { print("\n" + table.growth.joined(separator: "\n")) }
    _ = Processes.run(["rm", "-r", folder], environment: ["PATH": "/usr/bin:/bin"])
    faults += table.faults
    if let readme, !table.write(to: readme) { faults.append("\(readme) has no place for the table, or cannot be written") }
} else {
    print("TLBROWSE_BINARY names no program: script/bench does")
}

if !faults.isEmpty {
    for fault in faults { print("FAULT: " + fault) }
    exit(1)
}
if checksOnly { print("right at \(sizes[0]) objects") }
