/// Joins what a function returns for both halves of `0..<count`. The first half is computed on another core.
package func onTwoCores<Element: Sendable>(
    _ count: Int, _ elements: @escaping @Sendable (Range<Int>) -> [Element]
) async -> [Element] {
    let middle = count / 2
    async let first = elements(0..<middle)
    let second = elements(middle..<count)
    return await first + second
}
