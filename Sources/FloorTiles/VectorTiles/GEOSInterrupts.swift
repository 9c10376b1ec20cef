import CGEOS
import Foundation

/// What GEOS calls between pieces of its work, because cutting one polygon may take a second.
///
/// GEOS has one callback for the process, so each thread has its own function that the callback calls. GEOS could be told to stop, but
/// only for all threads: work that is cancelled is finished, up to the budget of ``GEOSClipper``.
enum GEOSInterrupts {
    private final class Function {
        let call: () -> Void

        init(_ call: @escaping () -> Void) {
            self.call = call
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The callback of the process before this one, which goes on being called: the rule book has one, too.
    private static let formerCallback: (@convention(c) () -> Void)? = GEOS_interruptRegisterCallback {
        if let pointer = pthread_getspecific(GEOSInterrupts.key) {
            Unmanaged<Function>.fromOpaque(pointer).takeUnretainedValue().call()
        }
        GEOSInterrupts.formerCallback?()
    }

    /// Does work, during which GEOS calls the function on this thread.
    static func calling<Value>(_ function: () -> Bool, _ work: () throws -> Value) rethrows -> Value {
        _ = self.formerCallback
        return try withoutActuallyEscaping(function) { function in
            let box = Function { _ = function() }
            let former = pthread_getspecific(self.key)
            pthread_setspecific(self.key, Unmanaged.passUnretained(box).toOpaque())
            defer { pthread_setspecific(self.key, former) }
            return try withExtendedLifetime(box) { try work() }
        }
    }
}
