import Testing

@testable import ObjectStore

@Suite struct PredicateParserTests {
    @Test(arguments: [
        ("a = 1", "(== a 1)"),
        ("a==1 and b<>'x'", "(and (== a 1) (!= b 'x'))"),
        ("a = 1 OR b = 2 AND NOT c = 3", "(or (== a 1) (and (== b 2) (not (== c 3))))"),
        ("(a = 1 OR b = 2) && !(c = 3)", "(and (or (== a 1) (== b 2)) (not (== c 3)))"),
        ("a = 1 || b = 2 || c = 3", "(or (== a 1) (== b 2) (== c 3))"),
        ("NOT NOT TRUEPREDICATE", "(not (not true))"),
        ("falsepredicate", "false"),
        ("((a)) >= (3)", "(>= a 3)"),
        ("(((a = 1)))", "(== a 1)"),
        ("a =< 1 AND b => 2", "(and (<= a 1) (>= b 2))"),
        ("a < -1.5e3", "(< a -1500.0)"),
        ("a > 0x1F", "(> a 31)"),
        ("a = -9223372036854775808", "(== a -9223372036854775808)"),
        ("a BETWEEN {1, b}", "(BETWEEN a {1 b})"),
        ("a IN {}", "(IN a {})"),
        ("a in {'x', \"y\", nil, YES, no}", "(IN a {'x' 'y' nil YES NO})"),
        ("name beginswith[cd] 'x'", "(BEGINSWITH[cd] name 'x')"),
        ("name ==[c] 'x'", "(==[c] name 'x')"),
        ("name MATCHES[dc] '\\d+\\.'", "(MATCHES[cd] name '\\d+\\.')"),
        ("name LIKE 'a\\*\\\\*'", "(LIKE name 'a\\*\\*')"),
        (#"name = "a\"b\'c\n\t\u00e9\x41""#, "(== name 'a\"b'c\n\té\u{41}')"),
        ("ANY tags.name = 'x'", "(ANY == tags.name 'x')"),
        ("not none a.b.c IN {1}", "(not (NONE IN a.b.c {1}))"),
        ("some a.b CONTAINS 'x'", "(SOME CONTAINS a.b 'x')"),
        ("orders.@sum.total > 1", "(> orders.@sum.total 1)"),
        ("tags.@count = 0", "(== tags.@count 0)"),
        ("SELF.name = SELF", "(== name SELF)"),
        ("#in = 1 AND a.#like = 2 AND a.contains = 3", "(and (== in 1) (== a.like 2) (== a.contains 3))"),
        ("#\"First Name\" = 'x'", "(== First Name 'x')"),
        ("no.name = NULL", "(== no.name nil)"),
        ("'a' IN name", "(IN 'a' name)"),
        ("d > CAST(1, 'NSDate')", "(> d (cast NSDate 1))"),
        ("d > cast(now(), \"NSDate\")", "(> d (cast NSDate now))"),
        ("SUBQUERY(tags, $t, $t.name = 'x' AND $t.n = n).@count > 1", "(> (count tags t (and (== $t.name 'x') (== $t.n n))) 1)"),
        ("straße = 'ß' AND 名前 = '東'", "(and (== straße 'ß') (== 名前 '東'))"),
    ])
    func parses(text: String, expected: String) throws {
        do {
            #expect(Self.form(try PredicateFormat(text).root) == expected)
        } catch {
            Issue.record("\(text): \(error.problem)")
        }
    }

    /// The fault's place is the character that `expected` begins with.
    @Test(arguments: [
        ("", "", "character 1: expected a key path or a value, found the end"),
        (
            "a", "",
            "character 2: expected a comparison (== != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES), found the end"
        ),
        ("a = ", "", "character 5: expected a key path or a value, found the end"),
        ("a = = 3", "= 3", "character 5: expected a key path or a value, found “=”"),
        ("a = 1 b = 2", "b = 2", "character 7: expected AND, OR or the end, found “b”"),
        ("a = 1 AND", "", "character 10: expected a key path or a value, found the end"),
        ("(a = 1", "", "character 7: expected “)”, found the end"),
        ("a = 1)", ")", "character 6: expected AND, OR or the end, found “)”"),
        ("a = 'x", "'x", "character 5: the text that begins here has no end"),
        ("a = 'x\\", "'x\\", "character 5: the text that begins here has no end"),
        ("a = '\\u12'", "\\u12'", "character 6: “\\u12'” is no character"),
        ("a = '\\ud800'", "\\ud800'", "character 6: “\\ud800” is no character"),
        ("a = %@", "%@", "character 5: “%@” stands for an argument, and there are none here"),
        ("%K = 1", "%K = 1", "character 1: “%K” stands for an argument, and there are none here"),
        ("a + 1 = 2", "+ 1 = 2", "character 3: “+”: arithmetic is not supported"),
        ("a = b * 2", "* 2", "character 7: “*”: arithmetic is not supported"),
        ("a[0] = 1", "[0] = 1", "character 2: “[”: elements cannot be picked by their place"),
        ("a BEGINSWITH[x] 'b'", "x] 'b'", "character 14: no option “x”"),
        ("a BEGINSWITH[cz] 'b'", "z] 'b'", "character 15: no option “z”"),
        ("a BEGINSWITH[c 'b'", "'b'", "character 16: expected “]”, found a text"),
        (
            "a NOT IN {1}", "NOT IN {1}",
            "character 3: expected a comparison (== != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES), found “NOT”"
        ),
        ("a IN {1, 2", "", "character 11: expected “,” or “}”, found the end"),
        ("a IN {1 2}", "2}", "character 9: expected “,” or “}”, found a number"),
        ("a IN {1,}", "}", "character 9: expected a key path or a value, found “}”"),
        ("like = 1", "like = 1", "character 1: expected a key path or a value, found “like”"),
        ("a. = 1", "= 1", "character 4: expected a key after “.”, found “=”"),
        ("a = $", "", "character 6: expected the name of a variable after “$”, found the end"),
        ("a = 12x", "x", "character 7: expected the end of the number, found “x”"),
        ("a = 1e999", "1e999", "character 5: expected a number, found “1e999”"),
        ("a = -'x'", "'x'", "character 6: expected a number after “-”, found a text"),
        ("uppercase(a) = 'X'", "uppercase(a) = 'X'", "character 1: no function “uppercase”"),
        ("CAST(a, \"NSFoo\") = 1", "\"NSFoo\") = 1", "character 9: cannot cast to “NSFoo”"),
        ("CAST(a) = 1", ") = 1", "character 7: expected “,”, found “)”"),
        (
            "SUBQUERY(a, x, TRUEPREDICATE).@count > 1", "x, TRUEPREDICATE).@count > 1",
            "character 13: expected a variable, as $x, found “x”"
        ),
        ("SUBQUERY(a, $x, TRUEPREDICATE) > 1", "> 1", "character 32: expected “.@count”, found “>”"),
        ("SUBQUERY(a, $x, TRUEPREDICATE).@sum > 1", "@sum > 1", "character 32: expected “@count”, found “@sum”"),
        ("a = 1 ; b", "; b", "character 7: expected a predicate, found “;”"),
    ])
    func pointsAtTheFault(text: String, rest: String, problem: String) {
        do {
            _ = try PredicateFormat(text)
            Issue.record("\(text) is parsed")
        } catch {
            #expect(error.problem == problem)
            #expect(String(text.dropFirst(error.offset)) == rest)
            #expect(error.text == text)
        }
    }

    /// The place is shown within the line, however long the predicate is and whatever stands in it.
    @Test func showsThePlaceInOneLine() throws {
        for (text, shown) in [
            ("a = = 3", "a = ▸= 3"), ("a = ", "a = ▸"), ("a =\n= 3", "a = ▸= 3"),
            ("a = 1 AND \(String(repeating: "b", count: 50)) = 2 OR = 3", "…\(String(repeating: "b", count: 24)) = 2 OR ▸= 3"),
            ("%K = \(String(repeating: "x", count: 50))", "▸%K = \(String(repeating: "x", count: 27))…"),
        ] {
            let fault = try #require(throws: PredicateFault.self) { try PredicateFormat(text) }
            #expect(fault.problemWithPlace == "\(fault.problem), at ▸ in “\(shown)”")
        }
        #expect(try #require(throws: PredicateFault.self) { try PredicateFormat("") }.problemWithPlace.hasPrefix("character 1: "))
    }

    @Test func boundsDepthAndLength() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a = 1" + String(repeating: ")", count: depth)
        }
        _ = try PredicateFormat(nested(PredicateFormat.deepestNesting))
        for deep in [
            nested(PredicateFormat.deepestNesting + 1), nested(4000), String(repeating: "!", count: 5000) + "a = 1",
            String(repeating: "(", count: 9000), "a = " + String(repeating: "(", count: 9000),
            "a IN " + String(repeating: "{", count: 9000), String(repeating: "CAST(", count: 1900),
        ] {
            #expect(throws: PredicateFault.self) { try PredicateFormat(deep) }
        }
        let long = "a = '" + String(repeating: "x", count: PredicateFormat.longestText) + "'"
        let fault = #expect(throws: PredicateFault.self) { try PredicateFormat(long) }
        #expect(fault?.cause == .tooLong)
        // One character of many scalars is not a way around it.
        let zalgo = "a = 'a" + String(repeating: "\u{301}", count: 2 * PredicateFormat.longestText) + "'"
        #expect(throws: PredicateFault.self) { try PredicateFormat(zalgo) }
        let wide = (0..<900).map { "a = \($0)" }.joined(separator: " OR ")
        _ = try PredicateFormat(wide)
    }

    /// Cut off or changed at random, a predicate is parsed or refused at a character of its own.
    @Test func survivesDamage() {
        let whole =
            "NOT (ANY a.b BEGINSWITH[cd] \"x\\n\" AND SUBQUERY(t, $x, $x.n BETWEEN {1, 2.5}).@count => 0x1) || #in = CAST('1', 'NSDate')"
        let letters = Array("()[]{}$#@%.,'\"\\=<>!&|-+*0x1 ANDORé")
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var refused = 0
        for _ in 0..<5000 {
            var text = Array(whole)
            for _ in 0...next(3) { text[next(text.count)] = letters[next(letters.count)] }
            if next(4) == 0 { text.removeLast(next(text.count)) }
            do {
                _ = try PredicateFormat(String(text))
            } catch {
                refused += 1
                #expect((0...text.count).contains(error.offset))
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(refused > 2500)
    }

    // MARK: A predicate as a form

    private static func form(_ node: PredicateFormat.Node) -> String {
        switch node {
        case .constant(let value): "\(value)"
        case .not(let inner): "(not \(form(inner)))"
        case .and(let nodes): "(and \(nodes.map(form).joined(separator: " ")))"
        case .or(let nodes): "(or \(nodes.map(form).joined(separator: " ")))"
        case .comparison(let comparison):
            "(" + (comparison.quantifier.map { $0.rawValue + " " } ?? "") + comparison.relation.rawValue
                + (comparison.options.isEmpty ? "" : "[\(comparison.options.letters)]")
                + " \(form(comparison.left)) \(form(comparison.right)))"
        }
    }

    private static func form(_ expression: PredicateFormat.Expression) -> String {
        switch expression.kind {
        case .keyPath(let keys, let variable):
            [variable.map { "$" + $0 }, keys.isEmpty ? (variable == nil ? "SELF" : nil) : keys].compactMap { $0 }
                .joined(separator: ".")
        case .string(let text): "'\(text)'"
        case .integer(let number): "\(number)"
        case .number(let number, _): "\(number)"
        case .boolean(let flag): flag ? "YES" : "NO"
        case .null: "nil"
        case .now: "now"
        case .list(let items): "{\(items.map(form).joined(separator: " "))}"
        case .cast(let inner, let type): "(cast \(type) \(form(inner)))"
        case .subqueryCount(let collection, let variable, let node): "(count \(form(collection)) \(variable) \(form(node)))"
        }
    }
}
