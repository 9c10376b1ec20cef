package io.venuesync.client;

/**
 * Properties of a whole venue; each may be null.
 *
 * @param language a BCP 47 tag, such as {@code ja-JP}
 * @param timeZone a name of the IANA time zone database, such as {@code Asia/Tokyo}
 * @param country an ISO 3166 code, such as {@code JP}
 */
public record About(String language, String timeZone, String country) {}
