import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { sizeAfter } from '../../harness/window-size.ts';

/** Fonts that the reference terminal's application defaults name; ours are the same without them. */
const FONTS = ['nil2', '5x7', '6x10', '7x13', '9x15', '10x20', '12x24'].flatMap((font, index) => [
  '-xrm',
  `*font${index + 1}: ${font}`,
]);

const SMALLER = ['shift+KP_Subtract', 'shift+KP_Subtract', 'ctrl+shift+KP_Add'];
const LARGER = Array.from({ length: 7 }, () => 'shift+KP_Add');

test('Shift with the keypad’s plus and minus steps through the entries by size, as in xterm', async ({ desktop }) => {
  verifies(
    'termprog.translation.Shift-not-Ctrl-KeyPress-KP-Add',
    'termprog.translation.Shift-Ctrl-KeyPress-KP-Add',
    'termprog.translation.Shift-KeyPress-KP-Subtract',
    'termprog.action.larger-vt-font',
  );
  const script = 'sleep 60';
  await using reference = await startXterm(desktop, { script, args: [...FONTS, '-geometry', '+600+0'] });
  await using terminal = await startTermprog(desktop, { script });
  const sizes: string[] = [];
  const expected: string[] = [];

  for (const key of [...SMALLER, ...LARGER]) {
    sizes.push(await sizeAfter(desktop, terminal, key));
    expected.push(await sizeAfter(desktop, reference, key));
  }

  expect(sizes).toEqual(expected);
});

test('a missing font is reported, and `fixed` is used', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-fn', 'no-such-font'] });

  const { width } = await terminal.screenshot();

  expect(width).toBe(484);
  expect(terminal.process.output()).toContain('the X server has no font "no-such-font"; "fixed" is used');
});
