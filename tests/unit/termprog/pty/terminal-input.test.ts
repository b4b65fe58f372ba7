import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { NOTHING_YET, TERMINAL_CLOSED } from '../../../../src/termprog/pty/libc.ts';
import { TerminalInput } from '../../../../src/termprog/pty/terminal-input.ts';
import { startChild } from './open-pty.ts';

const WAITING_MAX_BYTES = 8 * 1024 * 1024;
const md5 = (...parts: Uint8Array[]): string => createHash('md5').update(Buffer.concat(parts)).digest('hex');

/** A terminal that takes as many bytes of a write as `room` says and then refuses; with the bytes that it took. */
function terminalWithRoom(room: number) {
  const taken: Buffer[] = [];
  const state = { room, calls: 0, isClosed: false };
  const send = (bytes: Uint8Array): number => {
    state.calls += 1;
    if (state.isClosed) return TERMINAL_CLOSED;
    const length = Math.min(bytes.length, state.room);
    if (length === 0) return NOTHING_YET;
    state.room -= length;
    taken.push(Buffer.from(bytes.subarray(0, length)));
    return length;
  };
  return { state, send, taken: () => Buffer.concat(taken) };
}

test('written bytes arrive in order, however the terminal makes room', () => {
  const writes = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
  const rooms = fc.array(fc.nat(200), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(writes, rooms, (parts, roomOfStep) => {
      const terminal = terminalWithRoom(0);
      const input = new TerminalInput(terminal.send, () => {});
      for (const [step, part] of parts.entries()) {
        terminal.state.room += roomOfStep[step % roomOfStep.length] ?? 0;
        input.write(part);
        // The caller may use its bytes for something else.
        const copy = Buffer.from(part);
        part.fill(0);
        parts[step] = copy;
        input.retry();
      }
      terminal.state.room = Number.MAX_SAFE_INTEGER;
      input.retry();
      expect(terminal.taken()).toEqual(Buffer.concat(parts));
    }),
  );
});

test('a long text keeps its place among other input, and does not take the room of typed input', async () => {
  const terminal = terminalWithRoom(0);
  const dropped: number[] = [];
  const input = new TerminalInput(terminal.send, (bytes) => dropped.push(bytes));
  const long = Buffer.alloc(20 * 1024 * 1024, 'long');
  input.write(Buffer.from('before'));
  input.writeWhole(long);
  input.write(Buffer.from('behind'));
  input.writeWhole(Buffer.from('short'));
  input.write(Buffer.from('last'));
  expect(dropped).toEqual([]);
  terminal.state.room = Number.MAX_SAFE_INTEGER;
  input.retry();
  await waitFor('all is taken', () => terminal.taken().subarray(-4).toString() === 'last');
  expect(md5(terminal.taken())).toBe(md5(Buffer.from('before'), long, Buffer.from('behindshortlast')));
});

test('more long texts than may wait are dropped whole', () => {
  const terminal = terminalWithRoom(0);
  const dropped: number[] = [];
  const input = new TerminalInput(terminal.send, (bytes) => dropped.push(bytes));
  const half = Buffer.alloc(32 * 1024 * 1024);
  for (const text of [half, half, Buffer.from('x')]) input.writeWhole(text);
  input.close();
  expect(dropped).toEqual([1]);
});

test('a full terminal is tried only seldom', async () => {
  const terminal = terminalWithRoom(0);
  const input = new TerminalInput(terminal.send, () => {});
  input.write(Buffer.from('x'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  input.close();
  // 1, 2, 4 … 64 ms apart, where each write as a task of its own would be hundreds.
  expect(terminal.state.calls).toBeLessThan(15);
});

test('each turn of the event loop gives at most its share', async () => {
  const terminal = terminalWithRoom(Number.MAX_SAFE_INTEGER);
  const input = new TerminalInput(terminal.send, () => {});
  const all = Buffer.alloc(1_000_000, 'abcdefg');
  input.write(all);
  expect(terminal.taken().length).toBeLessThanOrEqual(64 * 1024);
  await waitFor('all is taken', () => terminal.taken().length === all.length);
  expect(terminal.taken().equals(all)).toBe(true);
});

test('writes above 8 MiB are dropped whole and reported once, until the terminal has read the rest', () => {
  const terminal = terminalWithRoom(0);
  const dropped: number[] = [];
  const input = new TerminalInput(terminal.send, (bytes) => dropped.push(bytes));
  const most = Buffer.alloc(WAITING_MAX_BYTES - 10, 'm');
  input.write(most);
  input.write(Buffer.alloc(11, 'x'));
  input.write(Buffer.alloc(12, 'y'));
  input.write(Buffer.from('0123456789'));
  input.write(Buffer.from('!'));
  expect(dropped).toEqual([11]);

  terminal.state.room = 2 * WAITING_MAX_BYTES;
  for (let turn = 0; turn < 200; turn += 1) input.retry();
  input.close();
});

test('after that a drop is reported again', async () => {
  const terminal = terminalWithRoom(0);
  const dropped: number[] = [];
  const input = new TerminalInput(terminal.send, (bytes) => dropped.push(bytes));
  input.write(Buffer.from('abc'));
  input.write(Buffer.alloc(WAITING_MAX_BYTES));
  terminal.state.room = 3;
  await waitFor('what waited is taken', () => terminal.taken().length === 3);
  terminal.state.room = 0;
  input.write(Buffer.from('d'));
  input.write(Buffer.alloc(WAITING_MAX_BYTES + 1));
  expect(dropped).toEqual([WAITING_MAX_BYTES, WAITING_MAX_BYTES + 1]);
  input.close();
});

test('a hundred thousand small writes that wait take the memory of their bytes', () => {
  const terminal = terminalWithRoom(0);
  const input = new TerminalInput(terminal.send, () => {});
  const before = process.memoryUsage();
  for (let n = 0; n < 100_000; n += 1) input.write(Buffer.from('x'));
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(2_000_000);
  terminal.state.isClosed = true;
  input.retry();
  const { calls } = terminal.state;
  // The terminal is closed: no input waits any more.
  input.retry();
  expect(terminal.state.calls).toBe(calls);
});

test('a paste of 8 MB arrives in order while the child answers, and more than that is dropped whole', async () => {
  const { pty, ended, output, dropped } = startChild('stty raw -echo; echo ready; sleep 0.3; head -c 8000007 | md5sum');
  await waitFor('the child runs', () => output().includes('ready'));
  const paste = Buffer.alloc(8_000_000, 'abcdefghijk');
  pty.input.write(paste);
  pty.input.write(Buffer.alloc(4_000_000, 'no'));
  pty.input.write(Buffer.from('the end'));
  await ended;

  expect(dropped).toEqual([4_000_000]);
  expect(output().toString()).toContain(md5(paste, Buffer.from('the end')));
});

test('many small writes arrive in order, more than the kernel takes at once', async () => {
  const { pty, ended, output } = startChild('stty raw -echo; echo ready; head -c 300000 | md5sum');
  await waitFor('the child reads', () => output().includes('ready'));
  const input = Buffer.alloc(300_000, 'abcdefg');
  for (let at = 0; at < input.length; at += 1000) pty.input.write(input.subarray(at, at + 1000));
  await ended;
  expect(output().toString()).toContain(md5(input));
});
