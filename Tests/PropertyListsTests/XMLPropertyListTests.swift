import Foundation
import Testing

@testable import PropertyLists

@Suite struct XMLPropertyListTests {
    @Test func readsScalarsAsFoundationDoes() throws {
        let scalars = [
            "<integer>-5</integer>", "<integer>+7</integer>", "<integer>0x1F</integer>",
            "<integer>-9223372036854775808</integer>", "<integer>9223372036854775807</integer>", "<real>1.25e1</real>",
            "<real>-0.5</real>",
            "<real>+infinity</real>", "<real>-inf</real>", "<true/>", "<false></false>", "<string/>",
            "<string>a&lt;b&#233;&#xe9;</string>",
            "<string><![CDATA[<x>&amp;]]></string>", "<string> kept </string>", "<data>AAEC Aw==</data>", "<array/>",
            "<dict/>",
            "<date>2020-02-29T12:34:56Z</date>", "<date>1970-01-01T00:00:00Z</date>", "<date>0001-01-01T00:00:00Z</date>",
            "<date>1582-10-04T00:00:00Z</date>", "<date>9999-12-31T23:59:59Z</date>",
        ]
        for scalar in scalars {
            let text = "<?xml version=\"1.0\"?><!-- note --><plist version=\"1.0\"><array>\(scalar)</array></plist>"
            let mine = try read(text)
            #expect(mine == Reference.read(Data(text.utf8)), "\(scalar)")
        }
        guard case .real(let number) = try read("<plist><real>nan</real></plist>") else {
            Issue.record("not a number")
            return
        }
        #expect(number.isNaN)
        #expect(try read("<plist><integer>18446744073709551615</integer></plist>") == .unsigned(.max))
        // Foundation is stricter without need.
        #expect(try read("<plist><integer> 12 </integer></plist>") == .integer(12))
        #expect(try read("<plist><data/></plist>") == .data(Data()))
        #expect(try read("<plist><dict><key>CF$UID</key><integer>7</integer></dict></plist>") == .uid(7))
    }

    @Test(arguments: [
        (
            "<plist>\n<dict><key>a</key><string>b</strin></dict></plist>", 2,
            "</strin> where </string> belongs, which began in line 2"
        ),
        ("<plist>\n<dict>\n<key>a</key><string>b", 3, "the file ends inside the <string> that begins in line 3"),
        ("<plist>\n<dict>\n<key>a</key>\n", 4, "the file ends inside the <dict> that begins in line 2"),
        ("<plist><dict><key>a</key></dict></plist>", 1, "the key “a” has no value"),
        ("<plist><dict><string>a</string></dict></plist>", 1, "a value without a <key> before it"),
        ("<plist><dict>a</dict></plist>", 1, "text “a” outside of a <string>"),
        ("<plist><array><key>a</key></array></plist>", 1, "<key> outside of a <dict>"),
        ("<plist><integer>1.5</integer></plist>", 1, "<integer> is “1.5”, not a whole number"),
        (
            "<plist><integer>99999999999999999999</integer></plist>", 1,
            "<integer> is “99999999999999999999”, more than 64 bits hold"
        ),
        ("<plist><date>yesterday</date></plist>", 1, "<date> is “yesterday”, not like 2001-12-31T23:59:59Z"),
        ("<plist><data>A*</data></plist>", 1, "<data> is not in base64"),
        ("<plist><float>1</float></plist>", 1, "<float> is not an element of property lists"),
        ("<plist><true/><false/></plist>", 1, "more than one value at the top"),
        ("<plist></plist>", 1, "no value in it"),
        ("<plist><string>AT&T</string></plist>", 1, "“&” without “;”: a plain “&” is written “&amp;”"),
        ("<html><body/></html>", 1, "<html> is not an element of property lists"),
    ])
    func saysWhatIsWrongAndWhere(source: String, line: Int, reason: String) {
        #expect(problem(source) == "not a property list: line \(line): \(reason)")
    }

    /// Entities are neither expanded nor loaded, wherever they are declared.
    @Test func refusesEntities() {
        var bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n<!ENTITY a \"ha\">\n"
        for index in 0..<20 { bomb += "<!ENTITY a\(index) \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n" }
        bomb += "]>\n<plist><string>&a19;</string></plist>"
        #expect(
            problem(bomb)
                == "not a property list: line 2: a document type with declarations (entities) of its own, which are not read")
        let external = "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><string>&x;</string></plist>"
        #expect(problem(external) == "not a property list: line 1: the entity “&x;” is not one of XML's own; others are not read")
    }

    @Test func boundsDepth() {
        func nested(_ depth: Int) -> String {
            "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth) + "</plist>"
        }
        #expect(problem(nested(512)) == nil)
        #expect(problem(nested(513)) == "nested more than 512 levels deep (line 1)")
        #expect(problem(nested(200_000)) == "nested more than 512 levels deep (line 1)")
        #expect(problem(String(repeating: "(", count: 512) + String(repeating: ")", count: 512)) == nil)
        #expect(problem(String(repeating: "(", count: 200_000)) == "nested more than 512 levels deep (line 1)")
        #expect(problem(String(repeating: "{a=", count: 200_000)) == "nested more than 512 levels deep (line 1)")
    }

    @Test func boundsTheNumberOfValues() {
        var limits = PropertyListLimits()
        limits.expandedBytes = 64 * 10
        let items = Array(("<plist><array>" + String(repeating: "<true/>", count: 20) + "</array></plist>").utf8)
        #expect(problem(items, limits: limits) == "its objects take more than 640 bytes when they are spread out")
        #expect(
            problem(Array("(a,b,c,d,e,f,g,h,i,j,k,l)".utf8), limits: limits)
                == "its objects take more than 640 bytes when they are spread out")
        #expect(problem(Array("(a,b,c,d,e,f,g,h)".utf8), limits: limits) == nil)
    }
}
