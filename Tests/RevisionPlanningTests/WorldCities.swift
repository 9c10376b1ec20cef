/// Cities around the world, with their country, their province where the country has several time zones, and their time zone.
///
/// Among them are those that a rule of thumb gets wrong: near a boundary, on an island far from the coast, or with the time of a neighbour.
enum WorldCities {
    struct City: Sendable {
        let name: String
        let country: String
        let province: String?
        let longitude: Double
        let latitude: Double
        let zone: String
    }

    static let all: [City] = Self.text.split(separator: "\n").map { line in
        let columns = line.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        let codes = columns[1].split(separator: "-", maxSplits: 1)
        return City(
            name: columns[0], country: String(codes[0]), province: codes.count > 1 ? columns[1] : nil,
            longitude: Double(columns[2]) ?? .nan, latitude: Double(columns[3]) ?? .nan, zone: columns[4])
    }

    private static let text = """
        London, GB, -0.13, 51.51, Europe/London
        Dublin, IE, -6.26, 53.35, Europe/Dublin
        Reykjavík, IS, -21.94, 64.15, Atlantic/Reykjavik
        Oslo, NO, 10.75, 59.91, Europe/Oslo
        Stockholm, SE, 18.07, 59.33, Europe/Stockholm
        Helsinki, FI, 24.94, 60.17, Europe/Helsinki
        Paris, FR, 2.35, 48.86, Europe/Paris
        Munich, DE, 11.58, 48.14, Europe/Berlin
        Zürich, CH, 8.54, 47.38, Europe/Zurich
        Rome, IT, 12.5, 41.9, Europe/Rome
        Athens, GR, 23.73, 37.98, Europe/Athens
        Istanbul, TR, 28.98, 41.01, Europe/Istanbul
        Kyiv, UA, 30.52, 50.45, Europe/Kiev
        Ceuta, ES-CE, -5.32, 35.89, Africa/Ceuta
        Funchal, PT-30, -16.91, 32.65, Atlantic/Madeira
        Cairo, EG, 31.24, 30.04, Africa/Cairo
        Casablanca, MA, -7.59, 33.57, Africa/Casablanca
        Lagos, NG, 3.38, 6.52, Africa/Lagos
        Nairobi, KE, 36.82, -1.29, Africa/Nairobi
        Johannesburg, ZA, 28.05, -26.2, Africa/Johannesburg
        Kinshasa, CD-KN, 15.27, -4.44, Africa/Kinshasa
        Lubumbashi, CD-HK, 27.48, -11.66, Africa/Lubumbashi
        Dubai, AE, 55.27, 25.2, Asia/Dubai
        Riyadh, SA, 46.68, 24.71, Asia/Riyadh
        Tehran, IR, 51.39, 35.69, Asia/Tehran
        Karachi, PK, 67.01, 24.86, Asia/Karachi
        Kathmandu, NP, 85.32, 27.72, Asia/Kathmandu
        Delhi, IN, 77.21, 28.61, Asia/Kolkata
        Colombo, LK, 79.86, 6.93, Asia/Colombo
        Dhaka, BD, 90.41, 23.81, Asia/Dhaka
        Yangon, MM, 96.16, 16.87, Asia/Yangon
        Bangkok, TH, 100.5, 13.76, Asia/Bangkok
        Hanoi, VN, 105.83, 21.03, Asia/Ho_Chi_Minh
        Kuala Lumpur, MY-14, 101.69, 3.14, Asia/Kuala_Lumpur
        Kota Kinabalu, MY-12, 116.07, 5.98, Asia/Kuching
        Singapore, SG, 103.85, 1.29, Asia/Singapore
        Manila, PH, 120.98, 14.6, Asia/Manila
        Hong Kong, HK, 114.17, 22.32, Asia/Hong_Kong
        Shenzhen, CN-GD, 114.06, 22.54, Asia/Shanghai
        Ürümqi, CN-XJ, 87.6, 43.83, Asia/Shanghai
        Kashgar, CN-XJ, 75.99, 39.47, Asia/Shanghai
        Taipei, TW, 121.57, 25.03, Asia/Taipei
        Seoul, KR, 126.98, 37.57, Asia/Seoul
        Sapporo, JP, 141.35, 43.06, Asia/Tokyo
        Ulaanbaatar, MN-1, 106.92, 47.92, Asia/Ulaanbaatar
        Khovd, MN-043, 91.64, 48.01, Asia/Hovd
        Tashkent, UZ-TK, 69.24, 41.3, Asia/Tashkent
        Kaliningrad, RU-KGD, 20.51, 54.71, Europe/Kaliningrad
        Samara, RU-SAM, 50.15, 53.2, Europe/Samara
        Vladivostok, RU-PRI, 131.89, 43.12, Asia/Vladivostok
        Yuzhno-Sakhalinsk, RU-SAK, 142.74, 46.96, Asia/Sakhalin
        Petropavlovsk-Kamchatsky, RU-KAM, 158.65, 53.02, Asia/Kamchatka
        Makassar, ID-SN, 119.43, -5.15, Asia/Makassar
        Jayapura, ID-PA, 140.72, -2.53, Asia/Jayapura
        Port Moresby, PG-NCD, 147.18, -9.44, Pacific/Port_Moresby
        Arawa, PG-NSB, 155.57, -6.23, Pacific/Bougainville
        Adelaide, AU-SA, 138.6, -34.93, Australia/Adelaide
        Darwin, AU-NT, 130.84, -12.46, Australia/Darwin
        Hobart, AU-TAS, 147.33, -42.88, Australia/Hobart
        Eucla, AU-WA, 128.88, -31.68, Australia/Eucla
        Lord Howe Island, AU-NSW, 159.08, -31.55, Australia/Lord_Howe
        Auckland, NZ-AUK, 174.76, -36.85, Pacific/Auckland
        Waitangi, NZ-CIT, -176.56, -43.95, Pacific/Chatham
        Suva, FJ, 178.44, -18.14, Pacific/Fiji
        Tarawa, KI-G, 173.0, 1.33, Pacific/Tarawa
        Kiritimati, KI-L, -157.4, 1.87, Pacific/Kiritimati
        Papeete, PF, -149.57, -17.54, Pacific/Tahiti
        Buenos Aires, AR-C, -58.38, -34.6, America/Argentina/Buenos_Aires
        Mendoza, AR-M, -68.84, -32.89, America/Argentina/Mendoza
        Santiago, CL-RM, -70.67, -33.45, America/Santiago
        Valparaíso, CL-VS, -71.62, -33.05, America/Santiago
        Hanga Roa, CL-VS, -109.43, -27.15, Pacific/Easter
        Punta Arenas, CL-MA, -70.91, -53.16, America/Punta_Arenas
        Lima, PE, -77.04, -12.05, America/Lima
        Bogotá, CO, -74.07, 4.71, America/Bogota
        Quito, EC-P, -78.47, -0.18, America/Guayaquil
        Puerto Ayora, EC-W, -90.31, -0.74, Pacific/Galapagos
        Rio de Janeiro, BR-RJ, -43.17, -22.91, America/Sao_Paulo
        Rio Branco, BR-AC, -67.81, -9.97, America/Rio_Branco
        Tabatinga, BR-AM, -69.94, -4.25, America/Eirunepe
        Fernando de Noronha, BR-PE, -32.42, -3.85, America/Noronha
        Santarém, BR-PA, -54.71, -2.44, America/Santarem
        Panama City, PA, -79.52, 8.98, America/Panama
        Havana, CU, -82.37, 23.11, America/Havana
        San Juan, PR, -66.11, 18.47, America/Puerto_Rico
        Monterrey, MX-NLE, -100.32, 25.69, America/Monterrey
        Hermosillo, MX-SON, -110.96, 29.07, America/Hermosillo
        La Paz, MX-BCS, -110.31, 24.14, America/Mazatlan
        Nuevo Laredo, MX-TAM, -99.51, 27.48, America/Matamoros
        Nuuk, GL, -51.74, 64.18, America/Nuuk
        St. John's, CA-NL, -52.71, 47.56, America/St_Johns
        Happy Valley-Goose Bay, CA-NL, -60.33, 53.3, America/Goose_Bay
        Halifax, CA-NS, -63.57, 44.65, America/Halifax
        Blanc-Sablon, CA-QC, -57.14, 51.43, America/Blanc-Sablon
        Winnipeg, CA-MB, -97.14, 49.9, America/Winnipeg
        Creighton, CA-SK, -101.88, 54.76, America/Winnipeg
        Lloydminster, CA-SK, -109.99, 53.28, America/Edmonton
        Dawson Creek, CA-BC, -120.24, 55.76, America/Dawson_Creek
        Fort Nelson, CA-BC, -122.7, 58.81, America/Fort_Nelson
        Kelowna, CA-BC, -119.5, 49.89, America/Vancouver
        Prince George, CA-BC, -122.75, 53.92, America/Vancouver
        Whitehorse, CA-YT, -135.06, 60.72, America/Whitehorse
        Iqaluit, CA-NU, -68.52, 63.75, America/Iqaluit
        Boston, US-MA, -71.06, 42.36, America/New_York
        Chicago, US-IL, -87.63, 41.88, America/Chicago
        Gary, US-IN, -87.35, 41.59, America/Chicago
        Phenix City, US-AL, -85.0, 32.47, America/New_York
        Birmingham, US-AL, -86.8, 33.52, America/Chicago
        Louisville, US-KY, -85.76, 38.25, America/Kentucky/Louisville
        Chattanooga, US-TN, -85.31, 35.05, America/New_York
        Menominee, US-MI, -87.61, 45.11, America/Menominee
        Fargo, US-ND, -96.79, 46.88, America/Chicago
        Dickinson, US-ND, -102.79, 46.88, America/Denver
        Rapid City, US-SD, -103.23, 44.08, America/Denver
        Scottsbluff, US-NE, -103.67, 41.87, America/Denver
        Goodland, US-KS, -101.71, 39.35, America/Denver
        Window Rock, US-AZ, -109.05, 35.68, America/Denver
        Tucson, US-AZ, -110.97, 32.22, America/Phoenix
        Coeur d'Alene, US-ID, -116.78, 47.68, America/Los_Angeles
        Ontario, US-OR, -116.96, 44.03, America/Boise
        Jackpot, US-NV, -114.67, 41.98, America/Denver
        West Wendover, US-NV, -114.07, 40.74, America/Denver
        Reno, US-NV, -119.81, 39.53, America/Los_Angeles
        Adak, US-AK, -176.64, 51.88, America/Adak
        Juneau, US-AK, -134.42, 58.3, America/Juneau
        """
}
