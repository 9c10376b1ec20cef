/// The release that this is; `Scripts/release` writes it, and everything else that says a version reads it here.
package enum Release {
    package static let version = "0.1.0"
}
