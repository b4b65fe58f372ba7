import { close, constants, open, read } from 'node:fs';
import { promisify } from 'node:util';

/** Size of one read, which is the most that the kernel returns of a generated file. */
const PIECE_BYTES = 64 * 1024;

/** Flags that keep `open` from waiting, as it would for the writer of a pipe in place of a file. */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * A whole file as text, each byte as one character, read in other threads: for files that may never answer.
 * @param maxBytes a larger file is an error
 */
export async function readLater(path: string, maxBytes: number): Promise<string> {
  const descriptor = await promisify(open)(path, READ_WITHOUT_WAITING);
  try {
    const pieces: string[] = [];
    for (let length = 0; ; ) {
      const { bytesRead, buffer } = await promisify(read)(
        descriptor,
        Buffer.allocUnsafe(PIECE_BYTES),
        0,
        PIECE_BYTES,
        length,
      );
      if (bytesRead === 0) return pieces.join('');
      length += bytesRead;
      if (length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
      pieces.push(buffer.toString('latin1', 0, bytesRead));
    }
  } finally {
    await promisify(close)(descriptor);
  }
}
