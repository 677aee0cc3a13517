package import Foundation

/// Pictures made in code: the upper half red, the lower half blue.
package enum TestPictures {
    /// 24 bits a pixel, stored without compression.
    package static func png(width: Int = 8, height: Int = 8) -> Data {
        var rows: [UInt8] = []
        for row in 0..<height { rows += [0] + (0..<width).flatMap { _ in color(row, of: height) } }
        return png(width: width, height: height, imageData: zlibStored(rows))
    }

    /// A picture that claims a size and has next to nothing of it.
    package static func pngClaiming(width: Int, height: Int) -> Data {
        png(width: width, height: height, imageData: zlibStored([0]))
    }

    package static func bmp(width: Int = 8, height: Int = 8) -> Data {
        let padding = [UInt8](repeating: 0, count: (4 - width * 3 % 4) % 4)
        var pixels: [UInt8] = []
        // From the bottom to the top, blue first.
        for row in (0..<height).reversed() { pixels += (0..<width).flatMap { _ in color(row, of: height).reversed() } + padding }
        let header: [UInt8] =
            Array("BM".utf8) + little(54 + pixels.count, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(width, 4)
            + little(height, 4) + little(1, 2) + little(24, 2) + [UInt8](repeating: 0, count: 24)
        return Data(header + pixels)
    }

    /// One frame; its codes are all of eight bits, since the table is cleared before they would grow.
    package static func gif(width: Int = 8, height: Int = 8) -> Data {
        var palette = [UInt8](repeating: 0, count: 128 * 3)
        palette[0] = 255
        palette[5] = 255
        let header: [UInt8] =
            Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0xF6, 0, 0] + palette
            + [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, 7]
        var codes: [UInt8] = []
        for place in 0..<width * height {
            if place % 100 == 0 { codes.append(128) }
            codes.append(place / width < height / 2 ? 0 : 1)
        }
        codes.append(129)
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: codes.count, by: 255) {
            let block = codes[start..<min(codes.count, start + 255)]
            blocks += [UInt8(block.count)] + block
        }
        return Data(header + blocks + [0, 0x3B])
    }

    /// 8×8 pixels, in colours that are nearly those; by an encoder of libjpeg, since writing one takes more than a test may.
    package static var jpeg: Data {
        let text = """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PT\
            gyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAI\
            AAgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhBy\
            JxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT\
            lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAA\
            AAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRom\
            JygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExc\
            bHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDzP+3P+nb/AMf/APrUUUV+l/6n5L/z5/8AJp//ACR3f61Zv/z+\
            /wDJY/8AyJ//2Q==
            """
        return Data(base64Encoded: text) ?? Data()
    }

    private static func color(_ row: Int, of height: Int) -> [UInt8] { row < height / 2 ? [255, 0, 0] : [0, 0, 255] }

    private static func png(width: Int, height: Int, imageData: [UInt8]) -> Data {
        let header = big(width) + big(height) + [8, 2, 0, 0, 0]
        return Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", imageData)
                + chunk("IEND", []))
    }

    private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + contents
        return big(contents.count) + checked + big(Int(crc32(checked)))
    }

    private static func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(bytes.count, start + 65_535)]
            let isLast: UInt8 = start + 65_535 >= bytes.count ? 1 : 0
            result += [isLast] + little(block.count, 2) + little(block.count ^ 0xFFFF, 2) + block
        }
        var low = 1
        var high = 0
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(high << 16 | low)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    private static func big(_ number: Int) -> [UInt8] { little(number, 4).reversed() }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
