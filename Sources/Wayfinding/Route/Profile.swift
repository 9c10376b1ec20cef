/// Who walks. How fast is one of ``TravelTimes``.
public enum Profile: String, Hashable, Sendable, CaseIterable {
    case walk
    /// Without stairs, steps, escalators and openings narrower than 0.8 m.
    case stepFree = "step-free"
}
