import Foundation
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The user that PostgreSQL runs as: the current user, or another one if that is root, because PostgreSQL refuses root.
struct Account: Hashable, Sendable {
    static let candidates = ["postgres", "_postgres", "nobody"]

    let name: String
    let userID: uid_t
    let groupID: gid_t

    /// True when programs have to be started as another user.
    var isOther: Bool { self.userID != geteuid() }

    /// The account for a cluster. PostgreSQL requires the owner of an existing cluster.
    init(forClusterAt path: String) throws(EmbeddedPostgresError) {
        let currentUser = geteuid()
        var status = stat()
        let exists = lstat(path, &status) == 0
        if currentUser != 0 {
            guard !exists || status.st_uid == currentUser else {
                throw .foreignData(folder: path, owner: Self.user(id: status.st_uid).name)
            }
            self = Self.user(id: currentUser)
        } else if exists {
            guard status.st_uid != 0 else {
                throw .foreignData(folder: path, owner: "root, and PostgreSQL refuses to run as root")
            }
            self = Self.user(id: status.st_uid)
        } else {
            let found = Self.candidates.lazy.compactMap { Self.user(named: $0) }.first { $0.userID != 0 }
            guard let found else { throw .noOtherUser(tried: Self.candidates) }
            self = found
        }
    }

    private init(name: String, userID: uid_t, groupID: gid_t) {
        self.name = name
        self.userID = userID
        self.groupID = groupID
    }

    private static func user(id: uid_t) -> Account {
        Self.entry { getpwuid_r(id, $0, $1, $2, $3) } ?? Account(name: "user \(id)", userID: id, groupID: getegid())
    }

    private static func user(named name: String) -> Account? {
        Self.entry { getpwnam_r(name, $0, $1, $2, $3) }
    }

    private typealias Lookup = (
        UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> CInt

    private static func entry(_ lookup: Lookup) -> Account? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let base = buffer.baseAddress, lookup(&entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return Account(name: String(cString: name), userID: entry.pw_uid, groupID: entry.pw_gid)
        }
    }
}

extension Subprocess.Configuration {
    /// A program that runs as this account, without root's supplementary groups and, on Linux, without a way to regain
    /// privileges. It gets only the safe variables of the environment, and runs in `/`, because the account may not be able
    /// to enter the working folder.
    ///
    /// On Linux `setpriv` changes the user. Subprocess would change it in the forked child, where glibc's `setgroups` may
    /// wait for threads that exist only in the parent, if one of them was just ending. The child would then hang before
    /// `exec`.
    init(program: String, arguments: [String], as account: Account?) throws(EmbeddedPostgresError) {
        var program = program
        var arguments = arguments
        var options = PlatformOptions()
        if let account, account.isOther {
            #if os(Linux)
                let paths: [String] = ["/usr/bin/setpriv", "/bin/setpriv"]
                let setpriv = paths.first { access($0, X_OK) == 0 }
                guard let setpriv else { throw .missingSetpriv }
                let change = [
                    "--reuid=\(account.userID)", "--regid=\(account.groupID)", "--clear-groups", "--no-new-privs",
                ]
                arguments = change + ["--", program] + arguments
                program = setpriv
            #else
                options.userID = account.userID
                options.groupID = account.groupID
                options.supplementaryGroups = [account.groupID]
            #endif
        }
        self.init(
            executable: .path(FilePath(program)), arguments: Arguments(arguments), environment: .forPrograms,
            workingDirectory: "/", platformOptions: options)
    }
}

extension Subprocess.Environment {
    /// The environment for PostgreSQL's programs. Keys, passwords and variables such as PGHOST are not passed on.
    fileprivate static let forPrograms: Self = {
        let passed = ["PATH", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
        var values: [Key: String] = ["LC_ALL": "C"]
        for name in passed {
            guard let key = Key(rawValue: name) else { continue }
            values[key] = ProcessInfo.processInfo.environment[name]
        }
        return .custom(values)
    }()
}
