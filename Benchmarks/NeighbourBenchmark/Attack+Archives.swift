import Foundation
import SampleVenue

extension Attack {
    /// Archives that cost work rather than bytes. Each is measured until its report is complete.
    static var archives: [Attack] {
        []
    }
}
