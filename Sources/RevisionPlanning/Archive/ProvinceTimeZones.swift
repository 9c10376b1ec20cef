import Foundation
import IMDF

/// The time zones of provinces of countries with several time zones, and of the parts of countries that have one.
///
/// Facts of the IANA time zone database and its commentary, release 2025b. A province with a boundary of time zones in it, or with towns that keep
/// the time of their neighbours, is listed with the range of longitudes where there is no doubt; what is in no line is not known.
enum ProvinceTimeZones {
    /// Lines: ISO 3166-2 codes (or a country), optional range of longitudes, optional range of latitudes, time zone.
    private static let text = """
        US-CT US-DE US-DC US-GA US-ME US-MD US-MA US-NH US-NJ US-NY US-NC US-OH US-PA US-RI US-SC US-VT US-VA US-WV America/New_York
        US-FL -84.8..-79 America/New_York
        US-AL -89..-85.3 America/Chicago
        US-AR US-IL US-IA US-LA US-MN US-MS US-MO US-OK US-WI America/Chicago
        US-TX -104..-93 America/Chicago
        US-KS US-NE US-ND US-SD -100..-94 America/Chicago
        US-TN -91..-85.8 America/Chicago
        US-KY -90..-87 America/Chicago
        US-MI -87..-82 America/Detroit
        US-CO US-MT US-NM US-UT US-WY America/Denver
        US-CA US-WA America/Los_Angeles
        US-NV -121..-114.9 America/Los_Angeles
        US-OR -125..-118.4 America/Los_Angeles
        US-AZ -115..-111.7 America/Phoenix
        US-HI Pacific/Honolulu
        CA-AB America/Edmonton
        CA-MB America/Winnipeg
        CA-NB America/Moncton
        CA-NS CA-PE America/Halifax
        CA-YT America/Whitehorse
        CA-ON -89..-74 America/Toronto
        CA-QC -80..-66 America/Toronto
        CA-SK -109..-101 49..54 America/Regina
        CA-BC -140..-119 48..54.6 America/Vancouver
        AU-NSW 143..154 Australia/Sydney
        AU-ACT Australia/Sydney
        AU-VIC Australia/Melbourne
        AU-QLD Australia/Brisbane
        AU-SA Australia/Adelaide
        AU-NT Australia/Darwin
        AU-TAS Australia/Hobart
        AU-WA 110..125 Australia/Perth
        BR-SP BR-RJ BR-MG BR-ES BR-PR BR-SC BR-RS BR-GO BR-DF America/Sao_Paulo
        BR-BA America/Bahia
        BR-CE BR-MA BR-PB BR-PI BR-RN America/Fortaleza
        BR-AL BR-SE America/Maceio
        BR-TO America/Araguaina
        BR-AP BR-PA America/Belem
        BR-MT America/Cuiaba
        BR-MS America/Campo_Grande
        BR-RO America/Porto_Velho
        BR-RR America/Boa_Vista
        BR-AC America/Rio_Branco
        BR-AM -66..-56 America/Manaus
        BR-PE -42..-34 America/Recife
        MX-CMX MX-MEX MX-JAL MX-PUE MX-VER MX-GUA MX-QUE MX-MIC MX-MOR MX-HID MX-TLA MX-GRO MX-OAX MX-CHP America/Mexico_City
        MX-TAB MX-COL MX-AGU MX-ZAC MX-SLP America/Mexico_City
        MX-YUC MX-CAM America/Merida
        MX-ROO America/Cancun
        MX-BCN America/Tijuana
        MX-SON America/Hermosillo
        MX-BCS MX-SIN America/Mazatlan
        ID-JK ID-JB ID-JT ID-JI ID-BT ID-YO ID-AC ID-SU ID-SB ID-RI ID-JA ID-SS ID-BE ID-LA ID-KR ID-BB Asia/Jakarta
        ID-KB ID-KT Asia/Pontianak
        ID-BA ID-NB ID-NT ID-KS ID-KI ID-KU ID-SA ID-ST ID-SN ID-SG ID-GO ID-SR Asia/Makassar
        ID-MA ID-MU ID-PA ID-PB Asia/Jayapura
        RU-MOW RU-MOS RU-SPE RU-LEN RU-NIZ RU-TA RU-KDA RU-ROS Europe/Moscow
        RU-KGD Europe/Kaliningrad
        RU-SAM Europe/Samara
        RU-SVE RU-CHE RU-PER RU-TYU RU-BA Asia/Yekaterinburg
        RU-OMS Asia/Omsk
        RU-NVS Asia/Novosibirsk
        RU-KYA Asia/Krasnoyarsk
        RU-IRK Asia/Irkutsk
        RU-PRI Asia/Vladivostok
        CN 97..135 Asia/Shanghai
        NZ 160..180 Pacific/Auckland
        EC -82..-75 America/Guayaquil
        CL-RM CL-BI CL-AN America/Santiago
        CL-VS -73..-69 America/Santiago
        """

    private struct Area {
        let timeZone: String
        /// Nil for a whole province.
        let longitudes: ClosedRange<Double>?
        /// Nil for all.
        let latitudes: ClosedRange<Double>?
    }

    private static let areas: [String: [Area]] = {
        var areas: [String: [Area]] = [:]
        for line in Self.text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let ranges = words.compactMap(Self.range)
            for code in words.dropLast() where Self.range(code) == nil {
                areas[code, default: []].append(
                    Area(
                        timeZone: words[words.count - 1], longitudes: ranges.first,
                        latitudes: ranges.dropFirst().first))
            }
        }
        return areas
    }()

    /// Reads `-140..-119`.
    private static func range(_ word: String) -> ClosedRange<Double>? {
        let ends = word.components(separatedBy: "..").compactMap(Double.init)
        return ends.count == 2 ? ends[0]...ends[1] : nil
    }

    /// The time zone of a position in a province, or in a country; nil if it is not known.
    ///
    /// - Parameters:
    ///   - code: An ISO 3166-2 code such as `US-WA`, or an ISO 3166-1 one such as `CN`.
    ///   - position: Needed where a boundary is in the province.
    static func timeZone(of code: String, at position: GeoJSONGeometry.Position?) -> String? {
        Self.areas[code]?.first { area in
            guard let longitudes = area.longitudes else { return true }
            return position.map { position in
                longitudes.contains(position.longitude) && area.latitudes?.contains(position.latitude) != false
            } ?? false
        }?.timeZone
    }
}
