import CommandLineProgram
import Foundation

exit(CommandLineProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
