import CFuzzer
import Foundation

/// `Fuzz archive|writer|validator|delta [libFuzzer's options] FOLDER…`, or `Fuzz seeds FOLDER` to write the seeds.
@main
enum Fuzz {
    static func main() throws {
        var arguments = CommandLine.arguments
        guard arguments.count > 1 else { self.printUsage() }
        let target = arguments.remove(at: 1)
        if target == "seeds" {
            for folder in arguments.dropFirst() { try Seeds.write(to: URL(filePath: folder)) }
            return
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let code = pointers.withUnsafeMutableBufferPointer { buffer in
            var count = CInt(buffer.count - 1)
            var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = buffer.baseAddress
            return switch target {
            case "archive": LLVMFuzzerRunDriver(&count, &list) { archiveFuzzer.run($0, $1) }
            case "writer": LLVMFuzzerRunDriver(&count, &list) { writerFuzzer.run($0, $1) }
            case "validator": LLVMFuzzerRunDriver(&count, &list) { validatorFuzzer.run($0, $1) }
            case "delta": LLVMFuzzerRunDriver(&count, &list) { deltaFuzzer.run($0, $1) }
            default: self.printUsage()
            }
        }
        exit(code)
    }

    private static func printUsage() -> Never {
        FileHandle.standardError.write(Data("usage: Fuzz archive|writer|validator|delta|seeds …\n".utf8))
        exit(2)
    }
}

/// Runs a test on an input. A violated precondition ends the process, and libFuzzer keeps the input.
struct Fuzzer: Sendable {
    let body: @Sendable ([UInt8]) throws -> Void

    func run(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let bytes = Array(UnsafeBufferPointer(start: data, count: count))
        // Refusing an input with an error is correct; crashing is not.
        try? self.body(bytes)
        return 0
    }
}
