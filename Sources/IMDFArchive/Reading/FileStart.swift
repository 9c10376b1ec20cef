internal import IMDF

/// What was known when a file began, in case its features are not those of a collection.
struct FileStart {
    var features = 0
    var candidates = 0
    var blockingFindings = 0
    var venues = 0
    var unusableIDs: Set<AssignedIDs.Unusable> = []
    var repairs = IDRepairs()
    var growth = 0
    var exceedsGrowth = false
    var isIncomplete = false
}
