import IMDF
import Testing
import VenueMap

@Suite struct BasemapTests {
    @Test func `a basemap is a style or a template of tiles, for both modes or for each`() throws {
        let style = try Basemap(["style": "https://Tiles.example.com:8443/style.json?key=1", "attribution": "© A, B"])
        #expect(style.origins == ["https://tiles.example.com:8443"] && style.attribution == "© A, B")
        let tiles = try Basemap([
            "tiles": [
                "light": "https://a.example.com/{z}/{x}/{y}{ratio}.png", "dark": "https://b.example.com/{x}-{y}-{z}",
            ],
            "tile_size": 512, "max_zoom": 18,
        ])
        #expect(tiles.origins == ["https://a.example.com", "https://b.example.com"] && tiles.attribution == nil)
        // On this server.
        #expect(try Basemap(["tiles": "/tiles/{z}/{x}/{y}.png"]).origins == [])
        #expect(try Basemap(["style": "/style.json"]).origins == [])
    }

    @Test(
        arguments: [
            ("https://example.com:443/a", "https://example.com"), ("https://example.com:0443/a", "https://example.com"),
            ("https://example.com:08443/a", "https://example.com:8443"),
            ("https://example.com:65535/a", "https://example.com:65535"),
            ("https://192.168.1.20/a", "https://192.168.1.20"),
            ("https://1.example.com:80?a", "https://1.example.com:80"),
        ])
    func `an origin is written as browsers write it`(address: String, origin: String) throws {
        #expect(try Basemap(["style": .string(address)]).origins == [origin])
    }

    private static let faults: [(JSONValue, String)] = [
        (1, ""), ([:], ""), (["attribution": "a"], ""), (["style": "/a", "tiles": "/{z}/{x}/{y}"], ""),
        (["url": "/a"], "/url"), (["style": "/a", "tile_size": 256], "/tile_size"),
        (["style": "/a", "max_zoom": 3], "/max_zoom"), (["tiles": "/{z}/{x}/{y}", "tile_size": 100], "/tile_size"),
        (["tiles": "/{z}/{x}/{y}", "max_zoom": 25], "/max_zoom"),
        (["tiles": "/{z}/{x}/{y}", "max_zoom": 1.5], "/max_zoom"),
        (["style": ["light": "/a"]], "/style/dark"), (["style": ["light": "/a", "dark": "/b", "x": 1]], "/style/x"),
        (["style": nil], "/style"), (["style": "/{z}"], "/style"), (["tiles": "/{z}/{x}.png"], "/tiles"),
        (["tiles": "/{z}/{x}/{y}/{key}"], "/tiles"), (["style": "/a", "attribution": ""], "/attribution"),
        (["style": "/a", "attribution": "a\nb"], "/attribution"),
        (["style": "/a", "attribution": .string(String(repeating: "a", count: 301))], "/attribution"),
    ]

    @Test(arguments: faults)
    func `a fault of a basemap has a JSON pointer`(value: JSONValue, pointer: String) {
        #expect { try Basemap(value) } throws: { ($0 as? SettingFault)?.pointer == pointer }
    }

    /// Whatever is accepted becomes a source of a content security policy.
    @Test(
        arguments: [
            "http://example.com/a", "//example.com/a", "ftp://example.com/a", "data:text/plain,a",
            "javascript:alert(1)",
            "https://user@example.com/a", "https://user:secret@example.com/a", "https://example.com:/a",
            "https://example.com:123456/a", "https:///a", "https://*.example.com/a", "https://example.com;script-src/a",
            "https://example.com, https://b.com", "https://example.com /a", "https://exa\nmple.com/a", "/a\\b",
            "https://a..b/a", "https://-a.com/a", "https://example.com/a#b", "https://example.com\\@b.com/a", "a/b", "",
            "https://example.com:0/a", "https://example.com:65536/a", "https://example.com:99999/a",
            "https://2130706433/a", "https://0x7f000001/a", "https://127.1/a", "https://127.0.0.256/a",
            "https://127.0.0.01/a",
            "https://a.0x/a", "https://a.1/a", "https://[::1]/a", "https://例え.jp/a", "https://example.com/é", "/a\"b",
            "HTTPS://example.com/a",
            "https://example.com/\(String(repeating: "a", count: 2_000))",
        ])
    func `an address that is no https address and no path is refused`(address: String) {
        for member in ["style", "logo"] {
            #expect {
                if member == "style" {
                    _ = try Basemap(["style": .string(address)])
                } else {
                    _ = try MapAppearance(["logo": .string(address)])
                }
            } throws: { ($0 as? SettingFault)?.pointer == "/\(member)" }
        }
    }
}
