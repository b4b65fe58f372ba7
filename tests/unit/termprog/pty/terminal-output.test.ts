import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { loadLibc } from '../../../../src/termprog/pty/libc.ts';
import { TerminalOutput } from '../../../../src/termprog/pty/terminal-output.ts';
import { beBusy } from './terminals.ts';

/** Most bytes that are taken between two looks at the clock. */
const MOST_BYTES = 256;

test('a terminal that was closed, and is open again before that is dealt with, is read on', async () => {
  const { first, open, read } = startTerminal();
  let slave = first;
  onTestFinished(() => closeSync(slave));
  for (let time = 1; time <= 20; time += 1) {
    // The event loop learns of the end while it polls, and closes its stream after the immediate callbacks.
    await delay(1);
    closeSync(slave);
    await new Promise((resolve) => setImmediate(resolve));
    slave = open();
    writeSync(slave, `again ${time};`);
    await waitFor('what was written is read', () => read().endsWith(`again ${time};`));
  }

  expect(read()).not.toContain('abandoned');
});

test('the rest of a read is given also when the terminal is closed before its turn', async () => {
  const { first, open, output, read } = startTerminal((text) => {
    beBusy(6);
    if (text === 'ab') writeSync(first, 'x');
    else if (text === 'x') {
      closeSync(first);
      // Once the loop knows that it is closed, and before it deals with that.
      setImmediate(() => {
        slave = open();
        writeSync(slave, 'BCDEF');
      });
    } else if (text === 'BCDEF') {
      closeSync(slave);
      return 1;
    }
    return undefined;
  });
  let slave = first;
  writeSync(first, 'ab');

  await waitFor('the end is known', () => read().endsWith('abandoned'));

  expect(read()).toBe('abxBCDEFabandoned');
  output.close();
});

test('output that takes long is given in the parts that its taker takes, in order, with a turn of the event loop between them', async () => {
  const libc = loadLibc();
  const master = libc.openMaster();
  const slave = openSync(libc.slaveName(master), constants.O_RDWR | constants.O_NOCTTY);
  const sent = Array.from({ length: 700 }, (_, number) => `${number}.`).join('');
  const told: string[] = [];
  const output = new TerminalOutput(libc, master, {
    onData: (bytes, start) => {
      const end = Math.min(bytes.length, start + MOST_BYTES);
      told.push(Buffer.from(bytes.subarray(start, end)).toString('latin1'));
      beBusy(6);
      // Written meanwhile, it comes behind what was read before.
      if (told.length === 1) writeSync(slave, 'end');
      return end;
    },
    onDrained: ({ hasMore }) => told.push(hasMore ? '|' : '.'),
    onAbandoned: () => {},
  });
  onTestFinished(() => {
    output.close();
    closeSync(slave);
    closeSync(master);
  });
  writeSync(slave, sent);

  await waitFor('everything is read', () => told.at(-1) === '.' && told.some((piece) => piece.endsWith('end')));

  const pieces = told.filter((_, place) => place % 2 === 0);
  expect(told.filter((_, place) => place % 2 === 1).join('')).toMatch(/^\|+\.?$/);
  expect(pieces.join('').replace(/\.$/, '')).toBe(Buffer.from(`${sent}end`).toString('latin1'));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(MOST_BYTES);
});

test('written output can be requested at once, but not in the middle of other output', () => {
  const libc = loadLibc();
  const master = libc.openMaster();
  const slave = openSync(libc.slaveName(master), constants.O_RDWR | constants.O_NOCTTY);
  const told: string[] = [];
  const output = new TerminalOutput(libc, master, {
    onData: (bytes) => {
      told.push(Buffer.from(bytes).toString('latin1'));
      if (told.length === 1) writeSync(slave, 'second');
      output.catchUp();
      told.push('.');
      return undefined;
    },
    onDrained: () => {},
    onAbandoned: () => {},
  });
  onTestFinished(() => {
    output.close();
    closeSync(slave);
    closeSync(master);
  });
  output.catchUp();
  expect(told).toEqual([]);
  writeSync(slave, 'first');
  output.catchUp();
  // A busy machine may use up the turn's time before the rest is read.
  output.catchUp();
  expect(told).toEqual(['first', '.', 'second', '.']);
});

test('a paused terminal delivers output only on request, and by itself once it is resumed', async () => {
  const { first, output, read } = startTerminal();
  onTestFinished(() => closeSync(first));
  writeSync(first, 'one;');
  await waitFor('the output is read', () => read() === 'one;');
  output.pause();
  writeSync(first, 'two;');
  for (let turn = 0; turn < 20; turn += 1) await delay(1);
  expect(read()).toBe('one;');

  output.catchUp();
  expect(read()).toBe('one;two;');

  writeSync(first, 'three;');
  for (let turn = 0; turn < 20; turn += 1) await delay(1);
  expect(read()).toBe('one;two;');

  output.resume();
  await waitFor('the rest is read', () => read() === 'one;two;three;');
  writeSync(first, 'four;');
  await waitFor('the next output is read', () => read() === 'one;two;three;four;');
});

test('a terminal that is paused as soon as it is resumed is paused after one read at most', async () => {
  const { first, output, pieces, read } = startTerminal();
  onTestFinished(() => closeSync(first));
  output.pause();
  output.resume();
  output.pause();
  for (const word of ['one;', 'two;', 'three;']) {
    writeSync(first, word);
    for (let turn = 0; turn < 20; turn += 1) await delay(1);
  }
  expect(pieces.length).toBeLessThanOrEqual(1);

  output.resume();
  await waitFor('the rest is read', () => read() === 'one;two;three;');
});

test('a terminal that is closed while it is paused is read on when it is open again', async () => {
  const { first, open, output, read } = startTerminal();
  output.pause();
  writeSync(first, 'last words;');
  closeSync(first);
  output.catchUp();
  output.catchUp();
  output.resume();
  await delay(1);
  const slave = open();
  onTestFinished(() => closeSync(slave));
  writeSync(slave, 'again;');

  await waitFor('what was written is read', () => read() === 'last words;again;');
});

test('a terminal that is open again before it is resumed is read on', async () => {
  const { first, open, output, read } = startTerminal();
  output.pause();
  closeSync(first);
  output.catchUp();
  const slave = open();
  onTestFinished(() => closeSync(slave));
  writeSync(slave, 'again;');
  await waitFor('what was written is found', () => read() === 'again;');
  output.resume();
  writeSync(slave, 'and again;');

  await waitFor('what was written later is read', () => read() === 'again;and again;');
});

test('the end of the child delivers its output also while it is paused', async () => {
  const { first, output, read } = startTerminal();
  onTestFinished(() => closeSync(first));
  const words = 'last words;'.repeat(300);
  output.pause();
  writeSync(first, words);
  let isOver = false;
  output.finish(() => {
    isOver = true;
  });
  output.pause();
  await waitFor('the end', () => isOver);

  expect(read()).toBe(words);
});

/** A terminal whose slave the test itself opens and closes. */
/** @param take returns how many bytes of a text are taken; undefined for all */
function startTerminal(take: (text: string) => number | undefined = () => undefined) {
  const libc = loadLibc();
  const master = libc.openMaster();
  const open = (): number => openSync(libc.slaveName(master), constants.O_RDWR | constants.O_NOCTTY);
  const first = open();
  const read: string[] = [];
  const output = new TerminalOutput(libc, master, {
    onData: (bytes, start) => {
      const text = Buffer.from(bytes.subarray(start)).toString();
      const taken = take(text) ?? text.length;
      read.push(text.slice(0, taken));
      return start + taken;
    },
    onDrained: () => {},
    onAbandoned: () => read.push('abandoned'),
  });
  onTestFinished(() => {
    output.close();
    closeSync(master);
  });
  return { first, open, output, pieces: read, read: () => read.join('') };
}
