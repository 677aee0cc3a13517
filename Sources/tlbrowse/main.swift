import CommandLineProgram
import Foundation

exit(CommandLineProgram.run())
