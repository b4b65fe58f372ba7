import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { askTerminal } from '../../harness/ask-terminal.ts';
import { contentOf, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** What asks for a permission, and how it is answered where that is given; E stands for ESC. */
const QUESTIONS = {
  GetWinSizePixels: ['\\033[14t', /E\[4;312;480t/],
  GetScreenSizeChars: ['\\033[16t', /E\[6;13;6t/],
  GetWinSizeChars: ['\\033[18t', /E\[8;24;80t/],
  GetIconTitle: ['\\033[20t', /E\]L[^E]/],
  GetWinTitle: ['\\033[21t', /E\]l[^E]/],
  GetColor: ['\\033]10;?\\007', /E\]10;rgb:/],
  GetAnsiColor: ['\\033]4;1;?\\007', /E\]4;1;rgb:/],
  GetTcap: ['\\033P+q544e\\033\\\\', /EP1\+r544[eE]=/],
  GetChecksum: ['\\033[1;1;1;1;1;1*y', /EP1!~[0-9A-F]{4}E/],
} as const;

type Question = keyof typeof QUESTIONS;

/** The questions that are answered with these resources. */
async function answered(resources: Readonly<Record<string, string>>): Promise<Question[]> {
  const questions = Object.entries(QUESTIONS) as [Question, (typeof QUESTIONS)[Question]][];
  const args = Object.entries(resources).flatMap(([name, value]) => ['-xrm', `*${name}: ${value}`]);
  const answers = await askTerminal(desktop, questions.map(([, [asked]]) => asked).join(''), { args });
  const shown = answers.replaceAll('\x1b', 'E');
  return questions.filter(([, [, answer]]) => answer.test(shown)).map(([name]) => name);
}

const SIZES = ['GetWinSizePixels', 'GetScreenSizeChars', 'GetWinSizeChars'] as const;
const LABELS = ['GetIconTitle', 'GetWinTitle'] as const;
const COLORS = ['GetColor', 'GetAnsiColor'] as const;

for (const [resources, expected] of [
  [{}, [...SIZES, ...COLORS, 'GetTcap']],
  [{ allowWindowOps: 'true' }, [...SIZES, ...LABELS, ...COLORS, 'GetTcap', 'GetChecksum']],
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
  test(`with ${written.join('; ') || 'the defaults'}, these are answered: ${expected.join(' ')}`, async () => {
    verifies(
      'termprog.resource.allowWindowOps',
      'termprog.resource.disallowedWindowOps',
      'termprog.resource.allowSendEvents',
      'termprog.resource.allowColorOps',
      'termprog.resource.disallowedColorOps',
      'termprog.resource.allowTcapOps',
      'termprog.resource.disallowedTcapOps',
    );
    expect((await answered(resources)).toSorted()).toEqual([...expected].toSorted());
  });
}

for (const [resources, isSet] of [
  [[], true],
  [['-xrm', '*allowColorOps: false'], false],
  [['-xrm', '*allowColorOps: false', '-xrm', '*disallowedColorOps: Get*'], true],
] as const) {
  test(`a background set by OSC 11 ${isSet ? 'shows' : 'does not show'} with "${resources.join(' ')}"`, async () => {
    const script = "printf '\\033]11;#123456\\007\\033[41m     \\033[m'; sleep 60";
    await using terminal = await startTermprog(desktop, { args: [...resources], script });
    await waitFor('the text shows', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);
    await waitFor(
      'the background is what it should be',
      async () => countColor(await terminal.screenshot(), isSet ? 0x123456 : 0xffffff) > 10_000,
    );
  });
}

for (const [allowed, refused] of [
  ['true', ''],
  ['false', 'SetFont'],
] as const) {
  test(`with allowFontOps ${allowed}, OSC 50 is not answered and changes no font, and the terminal tells that it has no effect`, async () => {
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
  test(`keys that another program sends are taken with allowSendEvents ${value}`, async () => {
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
  test(`the wheel that another program turns is taken with allowSendEvents ${value}`, async () => {
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
