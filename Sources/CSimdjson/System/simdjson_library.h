/* The library is C++: its face in C is ../include/CSimdjson.h. */
