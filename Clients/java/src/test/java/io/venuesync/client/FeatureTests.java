package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;

final class FeatureTests {
    private static Feature feature(String properties) throws SyncException {
        return Wire.feature(null, Pages.feature("a1", "level", properties).getBytes(StandardCharsets.UTF_8));
    }

    @Test("A name is in the first available language, otherwise in English, otherwise in any")
    void names() throws Exception {
        Feature feature = feature("\"name\":{\"de\":\"Laden\",\"en\":\"Shop\",\"ja\":\"店\"}");
        Check.same(feature.name("fr", "ja"), "店", "in a requested language");
        Check.same(feature.name("fr"), "Shop", "in English");
        Check.same(feature("\"name\":{\"de\":\"Laden\"}").name("fr"), "Laden", "in any");
        Check.same(feature("\"name\":null").name(), null, "without a name");
        Check.same(feature("\"name\":{\"en\":1}").labels("name"), Map.of(), "a label that is no text");
    }

    @Test("An ordinal is an integer; other values are ignored")
    void ordinals() throws Exception {
        Check.same(feature("\"ordinal\":-1").ordinal(), -1, "an ordinal");
        Check.same(feature("\"ordinal\":1.5").ordinal(), null, "a fraction");
        Check.same(feature("\"ordinal\":99999999999").ordinal(), null, "a large number");
        Check.same(feature("").ordinal(), null, "no ordinal");
    }
}
