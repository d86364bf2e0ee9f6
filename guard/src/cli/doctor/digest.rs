//! SHA-256 (FIPS 180-4), of a few hundred bytes: how Codex knows a hook again.

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the
/// cube roots of the first 64 (FIPS 180-4, 5.3.3 and 4.2.2), computed here.
fn constants() -> ([u32; 8], [u32; 64]) {
    let mut primes = (2_u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: [u64; 64] = std::array::from_fn(|_| primes.next().unwrap_or_default());
    let fraction = |root: &dyn Fn(u128) -> bool| {
        // The greatest number below 2^40 whose root holds, in 32 bits behind the point.
        let bits = (0..40).rev().map(|bit| 1_u128 << bit);
        bits.fold(0, |sum, bit| if root(sum + bit) { sum + bit } else { sum }) as u32
    };
    let square = |prime: u64| fraction(&|root| root * root <= u128::from(prime) << 64);
    let cube = |prime: u64| fraction(&|root| root * root * root <= u128::from(prime) << 96);
    (std::array::from_fn(|at| square(primes[at])), std::array::from_fn(|at| cube(primes[at])))
}

/// The digest in hexadecimal.
pub fn sha256(message: &[u8]) -> String {
    let (mut state, constants) = constants();
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let (end, bits) = (padded.len() - 8, (message.len() as u64) << 3);
    padded[end..].copy_from_slice(&bits.to_be_bytes());
    for block in padded.chunks_exact(64) {
        add(&mut state, block, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// One block of 64 bytes (6.2.2).
fn add(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let (early, late) = (words[at - 15], words[at - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        let sum = words[at - 16].wrapping_add(words[at - 7]);
        words[at] = sum.wrapping_add(early).wrapping_add(late);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(constants) {
        let chosen = (e & f) ^ (!e & g);
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first =
            [turned, chosen, *constant, *word].iter().fold(h, |sum, it| sum.wrapping_add(*it));
        let most = (a & b) ^ (a & c) ^ (b & c);
        let second =
            (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(most);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The digests are those of coreutils' `sha256sum`.
    #[test]
    fn digests_are_those_of_others() {
        for (message, digest) in [
            (Vec::new(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (b"a".repeat(55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (b"a".repeat(56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (b"a".repeat(200), "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5"),
        ] {
            assert_eq!(sha256(&message), digest, "{} bytes", message.len());
        }
    }
}
