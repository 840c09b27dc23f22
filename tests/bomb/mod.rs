//! Small files that are large when they are unpacked.

/// A frame of Zstandard that refers back over so many powers of two, and repeats a blank so many times.
pub fn blanks(window: u8, megabytes: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (window - 10) << 3];
    let block = |last: u32, kind: u32, size: u32| {
        let head = last | kind << 1 | size << 3;
        head.to_le_bytes()[..3].to_vec()
    };
    frame.extend(block(0, 0, 1));
    frame.push(b'\n');
    for _ in 0..megabytes * 8 {
        frame.extend(block(0, 1, 1 << 17));
        frame.push(b' ');
    }
    frame.extend(block(1, 0, 0));
    frame
}
