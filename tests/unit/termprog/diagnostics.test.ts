import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createDiagnostics, createTolerantWriter } from '../../../src/termprog/diagnostics.ts';

/** A stream whose reader goes away after `most` lines. */
function streamOf(lines: string[], most = Number.POSITIVE_INFINITY): Writable {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      if (lines.length === most) return done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      lines.push(line);
      done();
    },
  });
}

test('messages below the least severity are left out', () => {
  const lines: string[] = [];
  const diagnostics = createDiagnostics('warning', (line) => lines.push(line));

  diagnostics.debug('one');
  diagnostics.info('two');
  diagnostics.warning('three');
  diagnostics.error('four');

  expect(lines).toEqual(['termprog: warning: three\n', 'termprog: error: four\n']);
});

test('a value of any length is shortened in the middle', () => {
  const lines: string[] = [];
  createDiagnostics('warning', (line) => lines.push(line)).warning(
    `no colour "${'x'.repeat(300_000)}"; the default is used`,
  );
  expect(lines[0]).toMatch(/^termprog: warning: no colour "x+ … x+"; the default is used\n$/);
  expect(lines[0]?.length).toBeLessThan(1_100);
});

test('a message is one line, and has no effect on the terminal that shows it', () => {
  const lines: string[] = [];
  createDiagnostics('warning', (line) => lines.push(line)).warning('no colour "a\nb\x1b[31m\x9b2J"');
  expect(lines).toEqual(['termprog: warning: no colour "a?b?[31m?2J"\n']);
});

test('characters that turn the direction of a message, or are invisible in it, are shown as question marks', () => {
  const lines: string[] = [];
  createDiagnostics('warning', (line) => lines.push(line)).warning(
    'no font "a\u202egpj\u2066\u200b\ufeff\u2028b", 👩\u200d💻',
  );
  expect(lines).toEqual(['termprog: warning: no font "a?gpj????b", 👩\u200d💻\n']);
});

test('a stream is not made before there is something to write', () => {
  let made = 0;
  const lines: string[] = [];
  const write = createTolerantWriter(() => {
    made += 1;
    return streamOf(lines);
  });

  expect(made).toBe(0);
  write('one');
  write('two');

  expect([made, lines]).toEqual([1, ['one', 'two']]);
});

test('lines after the reader went away are dropped', async () => {
  const lines: string[] = [];
  const write = createTolerantWriter(() => streamOf(lines, 1));

  for (const line of ['one', 'two', 'three']) {
    write(line);
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(lines).toEqual(['one']);
});

test('a stream that can not be opened is left out', () => {
  const write = createTolerantWriter(() => {
    throw new Error('open EIO');
  });

  expect(() => write('one')).not.toThrow();
  expect(() => write('two')).not.toThrow();
});
