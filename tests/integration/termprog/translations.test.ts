import { expect } from 'vitest';
import { startBoundTerminal } from '../../harness/bound-terminal.ts';
import { test } from '../../harness/fixtures/desktop.ts';

test('the lines of the user come first with #override, and last with #augment', async ({ desktop }) => {
  const lines = ['Shift <Key>Prior: insert-seven-bit()', '<Key>F6:'];
  await using first = await startBoundTerminal(desktop, ['#override', ...lines]);
  expect(await first.typed('key', 'shift+Prior', 'F6', 'F7')).toBe('\x1b[5;2~\x1b[18~');
  await using last = await startBoundTerminal(desktop, ['#augment', ...lines]);
  expect(await last.typed('key', 'shift+Prior', 'F6', 'F7')).toBe('\x1b[18~');
});

test('a sequence takes its keys; one that is broken off loses them, and the next key counts by itself', async ({
  desktop,
}) => {
  await using terminal = await startBoundTerminal(desktop, [
    '#override',
    'Ctrl<Key>x,<Key>c: insert-seven-bit()',
    '"q^w": insert-seven-bit()',
  ]);

  expect(await terminal.typed('key', 'ctrl+x', 'c')).toBe('c');
  expect(await terminal.typed('key', 'ctrl+x', 'shift+d', 'c')).toBe('Dc');
  expect(await terminal.typed('key', 'q', 'ctrl+w', 'w', 'q', 'q', 'ctrl+w')).toBe('\x17w\x17');
});
