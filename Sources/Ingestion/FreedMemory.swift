#if os(Linux)
    import CMalloc
#endif

/// Returns memory that was freed to the system.
///
/// The threads of a worker allocate from arenas of their own. What an import has freed would stay with its thread while the rules, on
/// another one, allocate as much again.
func releaseFreedMemory() {
    #if os(Linux)
        malloc_trim(0)
    #endif
}
