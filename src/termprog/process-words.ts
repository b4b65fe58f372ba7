import { readFileSync } from 'node:fs';
import { textOfBytes } from './pty/byte-text.ts';

/** Node's replacement for bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * Returns the last arguments of this process. Node's decoding loses bytes that are not UTF-8; in that case they are
 * read from the kernel, and decoded by `textOfBytes`. Without /proc they stay lost.
 * @param decoded Node's arguments
 */
export function wholeArguments(decoded: readonly string[]): readonly string[] {
  if (!decoded.some((word) => word.includes(REPLACEMENT))) return decoded;
  return readWords('/proc/self/cmdline')?.slice(-decoded.length) ?? decoded;
}

/**
 * Returns the environment at the start of this process, in the same way.
 * @param decoded Node's environment
 */
export function wholeEnvironment(
  decoded: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const isWhole = !Object.entries(decoded).some((variable) => variable.join().includes(REPLACEMENT));
  const words = isWhole ? undefined : readWords('/proc/self/environ');
  if (words === undefined) return decoded;
  const variables = words.map((word) => {
    const end = word.indexOf('=');
    return [word.slice(0, end), word.slice(end + 1)] as const;
  });
  return Object.fromEntries(variables.filter(([name]) => name !== ''));
}

/** Reads the words of a kernel file, each ended by a zero byte. Undefined when it can't be read. */
function readWords(file: string): string[] | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    // The process has ended, or belongs to another user, or /proc is missing.
    return undefined;
  }
  const words: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0, start);
    const end = found < 0 ? bytes.length : found;
    words.push(textOfBytes(bytes.subarray(start, end)));
    start = end + 1;
  }
  return words;
}
