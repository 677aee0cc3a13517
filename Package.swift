// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled alike: Swift 6, warnings are errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], linking: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: linking)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "tlbrowse",
    products: [
        .library(name: "IndexPathModel", targets: ["IndexPathModel"]),
        .library(name: "CustomRows", targets: ["CustomRows"]),
        .library(name: "CommandLineProgram", targets: ["CommandLineProgram"]),
        .executable(name: "tlbrowse", targets: ["tlbrowse"]),
        .executable(name: "tlpicture", targets: ["tlpicture"]),
    ],
    targets: [
        // C libraries of the system, each behind a module map and a shim of static inlines.
        .systemLibrary(name: "CNcursesLibrary", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
        .target(name: "CNcurses", dependencies: ["CNcursesLibrary"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CWideCharacters"),
        .systemLibrary(name: "CMemoryFile"),
        .systemLibrary(name: "CMemorySearch"),
        .systemLibrary(name: "CScheduling"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),

        // From the bottom to the top: a target may import only what it names here (Tests/HouseTests checks it).
        library("ObjectStore", ["CScheduling"]),
        library("PropertyLists", ["CZlib"]),
        library("IndexPathModel"),
        library("CustomRows"),
        library("TerminalUI", ["CWideCharacters"]),
        library(
            "SQLiteStores", ["ObjectStore", "PropertyLists", "CSQLite", "CMemoryFile"],
            linking: [.linkedLibrary("_FoundationICU")]),
        library("DocumentStores", ["SQLiteStores", "PropertyLists", "ObjectStore", "CSQLite"]),
        library("PlistConfig", ["PropertyLists", "ObjectStore"]),
        library("Presentation", ["ObjectStore", "PropertyLists"]),
        library(
            "Fetching",
            [
                "CMemorySearch", "CustomRows", "ObjectStore", "PlistConfig", "IndexPathModel", "Presentation", "PropertyLists",
            ]),
        library(
            "Screens",
            ["PropertyLists", "Fetching", "TerminalUI", "IndexPathModel", "Presentation", "PlistConfig", "ObjectStore"]),
        library("Reports", ["Fetching", "Presentation", "PlistConfig", "ObjectStore", "IndexPathModel", "PropertyLists"]),
        library(
            "Browser",
            [
                "CustomRows", "Screens", "Fetching", "Reports", "Presentation", "PlistConfig", "PropertyLists", "ObjectStore",
                "IndexPathModel", "TerminalUI",
            ]
        ),
        library("NcursesTerminal", ["TerminalUI", "CNcurses", "CMemoryFile"]),
        // The whole program as a library, so that others can start it with rows of their own.
        library(
            "CommandLineProgram",
            [
                "Browser", "CustomRows", "NcursesTerminal", "SQLiteStores", "DocumentStores", "Reports", "Screens", "Fetching",
                "Presentation",
                "PlistConfig",
                "PropertyLists", "ObjectStore", "IndexPathModel", "TerminalUI",
            ]),
        .executableTarget(name: "tlbrowse", dependencies: ["CommandLineProgram"], swiftSettings: settings),
        // The worked example of a custom row, which the tests run.
        .executableTarget(
            name: "CustomRowExample", dependencies: ["CommandLineProgram", "CustomRows"], swiftSettings: settings),
        // Draws pictures for tlbrowse, as a program of its own.
        .executableTarget(name: "tlpicture", dependencies: ["CChafa", "CGdkPixbuf"], swiftSettings: settings),
        // Measures beside a plain peer in the same run: script/bench.
        .executableTarget(name: "tlbench", dependencies: ["IndexPathModel", "CSQLite"], swiftSettings: settings),
        // Writes the stores in Data from the tables in Data/source: script/make-examples.
        .executableTarget(name: "ExampleStores", dependencies: ["CSQLite"], swiftSettings: settings),
        .target(name: "TestSupport", dependencies: ["TerminalUI", "ObjectStore"], swiftSettings: settings),

        tests("ObjectStore", ["TestSupport"]),
        tests("PropertyLists", ["TestSupport"]),
        tests("IndexPathModel", ["TestSupport"]),
        tests("TerminalUI", ["TestSupport"]),
        tests("SQLiteStores", ["TestSupport", "ObjectStore", "PropertyLists", "CSQLite"]),
        tests("DocumentStores", ["TestSupport", "ObjectStore", "SQLiteStores"]),
        tests("PlistConfig", ["TestSupport", "PropertyLists", "ObjectStore"]),
        tests("Presentation", ["TestSupport", "ObjectStore", "PropertyLists"]),
        tests("CustomRows", []),
        tests("Fetching", ["CustomRows", "TestSupport", "ObjectStore", "PlistConfig", "Presentation", "IndexPathModel"]),
        tests("Reports", ["TestSupport", "ObjectStore", "PlistConfig", "Presentation", "IndexPathModel", "Fetching"]),
        tests(
            "Browser",
            [
                "TestSupport", "TerminalUI", "ObjectStore", "PlistConfig", "PropertyLists", "Presentation", "IndexPathModel",
                "Screens", "Fetching",
            ]),
        tests(
            "Screens",
            [
                "TestSupport", "Fetching", "TerminalUI", "IndexPathModel", "Presentation", "PlistConfig", "PropertyLists",
                "ObjectStore",
            ], exclude: ["Snapshots"]),
        tests("NcursesTerminal", ["TestSupport", "TerminalUI"]),
        .testTarget(name: "HouseTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"], swiftSettings: settings),
    ]
)
