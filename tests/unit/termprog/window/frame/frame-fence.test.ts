import { expect, test } from 'vitest';
import { createFrameFence } from '../../../../../src/termprog/window/frame/frame-fence.ts';

test('a small frame leaves at once and has no question', () => {
  const { connection, frame, ended } = start();
  frame(60);
  expect([connection.questions, connection.flushes, ended()]).toEqual([0, 1, 1]);
});

test('a large frame has a question, and the next one waits for its answer', () => {
  const { connection, frame, ended } = start();
  frame(4_000);
  expect([connection.questions, ended()]).toEqual([1, 0]);
  connection.answers();
  expect(ended()).toBe(1);
});

test('a server that has stopped gets at most sixteen small frames', () => {
  const { connection, frame, ended } = start();
  for (let count = 0; count < 17; count += 1) frame(60);
  expect([connection.questions, connection.flushes, ended()]).toEqual([1, 16, 16]);
});

test('a server that has stopped gets at most two kilobytes in small frames', () => {
  const { connection, frame, ended } = start();
  for (let count = 0; count < 3; count += 1) frame(1_000);
  expect([connection.questions, connection.flushes, ended()]).toEqual([1, 2, 2]);
});

test('after a question small frames leave without one again', () => {
  const { connection, frame, ended } = start();
  for (let count = 0; count < 17; count += 1) frame(60);
  connection.answers();
  for (let count = 0; count < 16; count += 1) frame(60);
  expect([connection.questions, ended()]).toEqual([1, 33]);
});

test('a small frame that moves pixels has a question', () => {
  const { connection, painter, frame } = start();
  painter.hasMovedPixels = true;
  frame(60);
  expect(connection.questions).toBe(1);
});

test('frames end with the connection', () => {
  const { connection, frame, ended } = start();
  connection.isOpen = false;
  frame(60);
  expect([connection.questions, connection.flushes, ended()]).toEqual([0, 0, 0]);
});

/** A connection that counts; the server answers a question only when `answers` is called. */
function start() {
  const connection = {
    isOpen: true,
    packedBytes: 0,
    questions: 0,
    flushes: 0,
    answers: (): void => {},
    fence(done: () => void): void {
      this.questions += 1;
      this.packedBytes += 4;
      this.answers = done;
    },
    flush(): void {
      this.flushes += 1;
    },
  };
  const painter = { hasMovedPixels: false };
  const fence = createFrameFence({ connection, painter });
  let ended = 0;
  /** Ends a frame of this many bytes. */
  const frame = (bytes: number): void => {
    connection.packedBytes += bytes;
    fence(() => {
      ended += 1;
    });
  };
  return { connection, painter, frame, ended: () => ended };
}
