import type { Painter } from '../../render/painter.ts';
import type { XConnection } from '../../x11/x-connection.ts';

/** Most requests that may be on their way without a question to the server, in bytes: a screen of text has as many. */
const UNASKED_MAX_BYTES = 2_048;

/** Most frames without a question. */
const UNASKED_MAX_FRAMES = 16;

export interface FrameFenceParts {
  connection: Pick<XConnection, 'fence' | 'flush' | 'isOpen' | 'packedBytes'>;
  painter: Pick<Painter, 'hasMovedPixels'>;
}

/**
 * Returns what ends a frame: its requests leave, and the callback is called when the next frame may be painted. That is
 * when the server has handled this one; a few small frames in a row share a question, because the answer costs as much
 * as such a frame. A frame that moves pixels always has its own: a loss that the server reports later would be looked
 * for in the wrong rows.
 */
export function createFrameFence({ connection, painter }: FrameFenceParts): (done: () => void) => void {
  let askedBytes = 0;
  let unaskedFrames = 0;
  return (done) => {
    if (!connection.isOpen) return;
    const isSmall = connection.packedBytes - askedBytes <= UNASKED_MAX_BYTES;
    if (isSmall && unaskedFrames < UNASKED_MAX_FRAMES && !painter.hasMovedPixels) {
      unaskedFrames += 1;
      connection.flush();
      done();
      return;
    }
    unaskedFrames = 0;
    connection.fence(done);
    askedBytes = connection.packedBytes;
  };
}
