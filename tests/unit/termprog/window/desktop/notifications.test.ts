import { expect, test } from 'vitest';
import type { ProgramFailure } from '../../../../../src/termprog/desktop/run-program.ts';
import { Notifications } from '../../../../../src/termprog/window/desktop/notifications.ts';

function start(failures: ProgramFailure[] = []) {
  const runs: string[][] = [];
  const warnings: string[] = [];
  const clock = { nowMs: 0 };
  const notifications = new Notifications({
    run: (program, args, failed) => {
      runs.push([program, ...args]);
      const failure = failures.shift();
      if (failure !== undefined) failed(failure);
    },
    nowMs: () => clock.nowMs,
    warn: (message) => warnings.push(message),
    subject: { one: 'a message', all: 'messages' },
  });
  return { notifications, runs, warnings, clock };
}

test('a message is given to the desktop as text, never as markup or as options', () => {
  const { notifications, runs } = start();
  notifications.show({ title: '--help\x1b', body: '<b>a</b> & "c"\nd' });
  notifications.show({ title: '', body: 'x' });
  expect(runs).toEqual([
    ['notify-send', '--app-name=termprog', '--', '--help', '&lt;b&gt;a&lt;/b&gt; &amp; "c" d'],
    ['notify-send', '--app-name=termprog', '--', 'termprog', 'x'],
  ]);
});

test.each([
  ['\\074img src="x"\\076', '\\\\074img src="x"\\\\076'],
  ["printf 'a\\n' C:\\temp", "printf 'a\\\\n' C:\\\\temp"],
  ['\\\\x3c \\', '\\\\\\\\x3c \\\\'],
])('backslashes stay what they are: %s', (body, given) => {
  const { notifications, runs } = start();
  notifications.show({ title: 'make', body });
  expect(runs[0]?.at(-1)).toBe(given);
});

test('a character is not cut in half', () => {
  const { notifications, runs } = start();
  notifications.show({ title: `${'x'.repeat(127)}😀`, body: `${'y'.repeat(1_023)}😀` });
  expect(runs[0]?.slice(-2)).toEqual(['x'.repeat(127), 'y'.repeat(1_023)]);
});

test('a flood of messages is cut, and later ones are shown again', () => {
  const { notifications, runs, clock } = start();
  for (let number = 0; number < 100; number += 1) notifications.show({ title: '', body: `${number}` });
  expect(runs).toHaveLength(5);
  clock.nowMs = 7_000;
  for (let number = 0; number < 100; number += 1) notifications.show({ title: '', body: `${number}` });
  expect(runs).toHaveLength(7);
});

test('a long message is cut', () => {
  const { notifications, runs } = start();
  notifications.show({ title: 'x'.repeat(5_000), body: 'y'.repeat(5_000) });
  expect(runs[0]?.map((argument) => argument.length)).toEqual([11, 19, 2, 128, 1_024]);
});

test('a desktop without such a program is reported once, and not asked again', () => {
  const { notifications, runs, warnings } = start([{ message: 'notify-send: not found', isMissing: true }]);
  notifications.show({ title: '', body: 'a' });
  notifications.show({ title: '', body: 'b' });
  expect([runs.length, warnings]).toEqual([1, ['messages are not shown: notify-send: not found']]);
});

test('a desktop that is not ready is reported once, and gets the next message', () => {
  const failure = { message: 'notify-send: no answer', isMissing: false };
  const { notifications, runs, warnings } = start([failure, failure]);
  for (const body of ['a', 'b', 'c']) notifications.show({ title: '', body });
  expect([runs.length, warnings]).toEqual([3, ['a message was not shown: notify-send: no answer']]);
});
