import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';
import { answeredQuestions, COLORS, LABELS, SIZES } from './permission-questions.ts';
import { countColor } from './pixels.ts';

for (const [resources, expected] of [
  [{ disallowedWindowOps: '*,~getwintitle' }, ['GetWinTitle', ...COLORS, 'GetTcap']],
  [{ disallowedWindowOps: '14,18,19' }, [...LABELS, ...COLORS, 'GetTcap', 'GetChecksum']],
  [{ disallowedWindowOps: '16,20,21,GetChecksum' }, [...SIZES, ...COLORS, 'GetTcap']],
  [{ allowWindowOps: 'true', allowSendEvents: 'true', allowColorOps: 'true' }, [...SIZES, 'GetTcap']],
  [{ allowColorOps: 'false' }, [...SIZES, 'GetTcap']],
  [{ allowColorOps: 'false', disallowedColorOps: 'SetColor,GetAnsiColor' }, [...SIZES, 'GetColor', 'GetTcap']],
  [{ allowTcapOps: 'false' }, [...SIZES, ...COLORS]],
  [{ allowTcapOps: 'false', disallowedTcapOps: 'SetTcap' }, [...SIZES, ...COLORS, 'GetTcap']],
] as const) {
  const written = Object.entries(resources).map(([name, value]) => `${name}: ${value}`);
  test(`with ${written.join('; ')}, these are answered: ${expected.join(' ')}`, async ({ desktop }) => {
    verifies(
      'termprog.resource.allowWindowOps',
      'termprog.resource.disallowedWindowOps',
      'termprog.resource.allowSendEvents',
      'termprog.resource.allowColorOps',
      'termprog.resource.disallowedColorOps',
      'termprog.resource.allowTcapOps',
      'termprog.resource.disallowedTcapOps',
    );
    expect((await answeredQuestions(desktop, resources)).toSorted()).toEqual([...expected].toSorted());
  });
}

for (const [allowed, refused] of [
  ['true', ''],
  ['false', 'SetFont'],
] as const) {
  test(`with allowFontOps ${allowed}, OSC 50 is not answered and changes no font, and the terminal reports that it has no effect`, async ({
    desktop,
  }) => {
    verifies('termprog.resource.allowFontOps', 'termprog.resource.disallowedFontOps');
    const file = desktop.newFile();
    await using terminal = await startTermprog(desktop, {
      args: ['-log', 'info', '-xrm', `*allowFontOps: ${allowed}`, '-xrm', `*disallowedFontOps: ${refused}`],
      script: `stty raw -echo; printf '\\033]50;10x20\\007\\033]50;?\\007\\033[5n'; exec cat > ${file}`,
    });
    await waitFor('the last question is answered', () => contentOf(file) !== '');

    expect(contentOf(file)).toBe('\x1b[0n');
    const { width, height } = await terminal.screenshot();
    expect([width, height]).toEqual([484, 316]);
    for (const name of ['allowFontOps', 'disallowedFontOps']) {
      expect(terminal.process.output()).toContain(`resource vt100.${name} has no effect: font changes by OSC 50`);
    }
  });
}

for (const value of ['false', 'true']) {
  test(`keys that another program sends are taken with allowSendEvents ${value}`, async ({ desktop }) => {
    const file = desktop.newFile();
    await using terminal = await startTermprog(desktop, {
      args: ['-xrm', `*allowSendEvents: ${value}`],
      script: `stty raw -echo; : > ${file}; dd bs=1 count=2 of=${file} 2>/dev/null; sleep 60`,
    });
    await waitFor('the child reads', () => existsSync(file));
    // With a window, xdotool sends events; without one it plays a keyboard.
    await desktop.run('xdotool', 'key', '--window', `${terminal.window}`, 'a', 'B');
    await waitFor('the keys arrived', () => contentOf(file) === 'aB');
  });
}

for (const value of ['false', 'true']) {
  test(`the wheel that another program turns is taken with allowSendEvents ${value}`, async ({ desktop }) => {
    // A red line above the screen: only a view that is scrolled back shows it.
    const script = "printf '\\033[41m     \\033[m'; seq 1 30; printf '\\033[42m     \\033[m'; sleep 60";
    await using terminal = await startTermprog(desktop, { args: ['-xrm', `*allowSendEvents: ${value}`], script });
    const shows = async (color: number): Promise<boolean> => countColor(await terminal.screenshot(), color) > 100;
    await waitFor('the end of the output shows', () => shows(0x00cd00));
    expect(await shows(0xcd0000)).toBe(false);

    await desktop.run('xdotool', 'click', '--window', `${terminal.window}`, '--repeat', '2', '4');

    await waitFor('the view is scrolled back', () => shows(0xcd0000));
  });
}
