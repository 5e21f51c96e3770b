// The PNG encoder kernel's tables block. The kernel and its host (engine/src/encoding/png/png-kernel.ts)
// import these offsets. Plain constants only: this file also runs in Node.

/** The longest match of deflate. */
export const MAX_MATCH = 258;

// Literals come first, u32[256]: code << 5 | length, the code bit-reversed for deflate.
/** u32[MAX_MATCH + 1]: code, extra bits and the distance's one bit. */
export const MATCHES = 1024;
/** Pairs of literals, u32[65536], which buildPairs computes from the literals. */
export const PAIRS = 4096;
export const TABLES_BYTES = PAIRS + 4 * 65536;

/** The counts of countBytes: u32[256] literals, u32[MAX_MATCH + 1] matches by length. */
export const LITERAL_COUNTS = 0;
export const MATCH_COUNTS = 1024;
export const COUNTS_BYTES = MATCH_COUNTS + 4 * (MAX_MATCH + 1);

/** Tables of the CRC-32, for sixteen bytes at once. */
export const CRC_TABLES_BYTES = 16 * 1024;
