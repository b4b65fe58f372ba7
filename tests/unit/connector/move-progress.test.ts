import { expect, test } from 'vitest';
import { createMoveReport } from '../../../src/connector/move-progress.ts';

test('outside a terminal progress is one line a minute', () => {
  const { report, written, later } = reportTo({});
  report.advance({ phase: 'read', table: '', rows: 0, total: 4_000 });
  for (let second = 0; second < 59; second += 1) {
    later(1_000);
    report.advance({ phase: 'read', table: 'entries', rows: 10 });
  }
  expect(written()).toBe('');

  later(1_000);
  report.advance({ phase: 'read', table: 'entries', rows: 410 });
  expect(written()).toBe('read 25 %: 1000 of 4000 rows, about 180 s left (entries)\n');
});

test('on a terminal progress is a bar in one line, which is erased before other lines', () => {
  const { report, written, later } = reportTo({ isTTY: true, columns: 100 });
  report.advance({ phase: 'copied', table: '', rows: 0, total: 2_000 });
  later(1_000);
  report.advance({ phase: 'copied', table: 'entries', rows: 1_000 });
  expect(written()).toBe(
    '\r\u001b[K[############------------] copied 50 %: 1000 of 2000 rows, about 1 s left (entries)',
  );

  report.say('done');
  expect(written()).toBe('\r\u001b[Kdone\n');
});

test('a bar is never longer than the terminal’s line', () => {
  const { report, written, later } = reportTo({ isTTY: true, columns: 30 });
  later(1_000);
  report.advance({ phase: 'copied', table: 'entries', rows: 1_000, total: 2_000 });

  expect(written()).toHaveLength('\r\u001b[K'.length + 29);
});

test('control characters in names do not reach the terminal', () => {
  const { report, written, later } = reportTo({ isTTY: true });
  later(1_000);
  report.advance({ phase: 'read', table: '\u001b]0;x\u0007', rows: 1, total: 1 });
  report.say('table \u001b[2J');

  expect(written().replaceAll('\r\u001b[K', '')).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('while no row is done, as in a look at a whole file, there is a line a minute, too', () => {
  const { report, written, later } = reportTo({});
  report.say('from here');
  written();
  const [silence, line] = [59, 1].map((seconds) => {
    for (let second = 0; second < seconds; second += 1) {
      later(1_000);
      report.tick();
    }
    return written();
  });

  expect([silence, line]).toEqual(['', 'looking at both databases: 60 s so far\n']);
  report.advance({ phase: 'read', table: '', rows: 0, total: 4_000 });
  later(60_000);
  report.tick();
  expect(written()).toBe('read 0 %: 0 of 4000 rows\n');
  report.advance({ phase: 'read', table: 'entries', rows: 4_000 });
  later(60_000);
  report.tick();
  expect(written()).toBe('read 100 %: 4000 of 4000 rows, about 0 s left (entries)\n');
});

test('the time on a terminal goes on while no row is done, and leaves no text before the output after the move', () => {
  const { report, written, later } = reportTo({ isTTY: true, columns: 100 });
  for (let tick = 0; tick < 4; tick += 1) {
    later(500);
    report.tick();
  }
  expect(written()).toBe(
    '\r\u001b[Klooking at both databases: 1 s so far\r\u001b[Klooking at both databases: 2 s so far',
  );

  report.end();
  report.end();
  expect(written()).toBe('\r\u001b[K');
});

function reportTo(output: { isTTY?: boolean; columns?: number }) {
  let [text, at] = ['', 0];
  const report = createMoveReport({ ...output, write: (part) => (text += part) }, () => at);
  return {
    report,
    /** Returns the text that was written since the last call. */
    written: () => {
      const part = text;
      text = '';
      return part;
    },
    later: (milliseconds: number) => {
      at += milliseconds;
    },
  };
}
