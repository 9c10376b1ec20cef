import ArchiveStore
import Foundation
import SystemCrypto
import Testing

/// The examples of the Amazon S3 API Reference, *Signature Calculations for the Authorization Header*.
struct S3SignatureTests {
    private let signature = S3Signature(
        region: "us-east-1",
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        date: Date(timeIntervalSince1970: 1_369_353_600))  // 2013-05-24T00:00:00Z

    private func authorization(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: String = ""
    ) -> String? {
        self.signature.headers(
            method, host: "examplebucket.s3.amazonaws.com", path: path, query: query, headers: headers,
            payload: SHA256.hash(of: body.utf8))["authorization"]
    }

    @Test func `S3 signature: an object with another signed field`() {
        #expect(
            self.authorization("GET", "/test.txt", headers: ["range": "bytes=0-9"])
                == """
                AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
                SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,\
                Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
                """)
    }

    @Test func `S3 signature: a body`() {
        let headers = ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"]
        let authorization = self.authorization(
            "PUT", "/test%24file.text", headers: headers, body: "Welcome to Amazon S3.")
        #expect(
            authorization?.hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") ?? false)
    }

    @Test(arguments: [
        ([("lifecycle", "")], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ([("prefix", "J"), ("max-keys", "2")], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `S3 signature: a query in any order`(query: [(String, String)], signature: String) {
        let authorization = self.authorization("GET", "/", query: query.map { (name: $0.0, value: $0.1) })
        #expect(authorization?.hasSuffix("Signature=\(signature)") ?? false)
    }

    @Test func `S3 credentials are described without their secrets`() {
        let credentials = S3Credentials(accessKey: "visible", secretKey: "hidden", sessionToken: "hidden")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect("\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("visible"))
        #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("hidden"))
    }
}
