package import Testing

/// Gives every test of a suite its own database and a server on it: `@Suite(.server)`, then `Harness.current`. Both are closed when
/// the test ends, however it ends.
package struct ServerTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let hasNotifier = test.traits.contains { $0 is ChangeNotifierTrait }
        try await withoutActuallyEscaping(function) { function in
            try await DatabaseTrait().provideScope(for: test, testCase: testCase) {
                let runTest: @Sendable (Harness) async throws -> Void = { harness in
                    try await Harness.$bound.withValue(harness) { try await function() }
                }
                try await hasNotifier ? Harness.withChangeNotifier(runTest) : Harness.run(runTest)
            }
        }
    }
}

/// Lets the server of a test run a change notifier, as a running server does.
package struct ChangeNotifierTrait: SuiteTrait, TestTrait {
    package let isRecursive = true
}

extension Trait where Self == ServerTrait {
    package static var server: ServerTrait { ServerTrait() }
}

extension Trait where Self == ChangeNotifierTrait {
    package static var changeNotifier: ChangeNotifierTrait { ChangeNotifierTrait() }
}

extension Harness {
    @TaskLocal static var bound: Harness?

    /// The server of the running test, whose suite needs the trait `.server`.
    package static var current: Harness {
        guard let bound else { preconditionFailure("the suite needs the trait .server") }
        return bound
    }
}
