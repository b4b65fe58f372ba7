import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { contentOf, type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { openTerminalSocket } from '../../harness/terminal-socket.ts';
import { countColor } from './pixels.ts';

const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

const pixelsOf = async (terminal: StartedTerminal, color: number): Promise<number> =>
  countColor(await terminal.screenshot(), color);

test('colours that applications set are shown at once, and the configured ones after a reset', async () => {
  const [go, again] = [desktop.newFile(), desktop.newFile()];
  const wait = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.05; done`;
  const script = [
    "printf '\\033]4;1;#123456\\033\\\\\\033]11;light blue\\033\\\\\\033[41m          \\033[m'",
    wait(go),
    "printf '\\033]104\\033\\\\'",
    wait(again),
    "printf '\\033]111\\033\\\\'",
    'sleep 60',
  ].join('; ');
  await using terminal = await startTermprog(desktop, { script });
  const cells = 10 * 6 * 13;
  await waitFor('the entry is changed', async () => (await pixelsOf(terminal, 0x123456)) === cells);
  await waitFor('the background is the server’s light blue', async () => (await pixelsOf(terminal, 0xadd8e6)) > 10_000);
  writeFileSync(go, '');
  await waitFor('the entry is as configured', async () => (await pixelsOf(terminal, 0xcd0000)) === cells);
  writeFileSync(again, '');
  await waitFor('the background is as configured', async () => (await pixelsOf(terminal, 0xffffff)) > 10_000);
});

test('a colour whose name only the server knows is reported before what was asked later', async () => {
  const request = '\x1b]4;7;peach puff;8;no such colour\x1b\\\x1b]4;7;?;8;?\x1b\\\x1b]10;?\x1b\\';
  expect(await answerTo(request, ['-fg', '#010203'])).toBe(
    '\x1b]4;7;rgb:ffff/dada/b9b9\x1b\\\x1b]4;8;rgb:7f7f/7f7f/7f7f\x1b\\\x1b]10;rgb:0101/0202/0303\x1b\\',
  );
});

test('a title that was saved comes back to the window', async () => {
  const [start, go] = [desktop.newFile(), desktop.newFile()];
  const script = `while [ ! -e ${start} ]; do sleep 0.05; done; printf '\\033]2;first\\033\\\\\\033]1;icon\\033\\\\\\033[22t\\033]0;second\\033\\\\'; while [ ! -e ${go} ]; do sleep 0.05; done; printf '\\033[23t'; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  const names = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`, 'WM_NAME', 'WM_ICON_NAME');
  writeFileSync(start, '');
  await waitFor('it changes', async () => (await names()).includes('= "second"'));
  writeFileSync(go, '');
  await waitFor('both are back', async () => /= "first"\n.*= "icon"/.test(await names()));
});

test('sizes are those of the cells', async () => {
  const args = ['-geometry', '70x20', '-b', '7'];
  expect(await answerTo('\x1b[14t\x1b[14;2t\x1b[16t\x1b[18t', args)).toBe(
    '\x1b[4;260;420t\x1b[4;274;434t\x1b[6;13;6t\x1b[8;20;70t',
  );
});

test('refused requests get no answer, except for an empty text where editors wait for a selection', async () => {
  expect(await answerTo('\x1b[21t\x1b[20t\x1b[1;1;1;1;1;1*y')).toBe('');
  expect(await answerTo('\x1b]52;p;?\x1b\\\x1b]52;c;?\x07\x1b]52;;?\x07')).toBe(
    '\x1b]52;p;\x1b\\\x1b]52;c;\x07\x1b]52;s0;\x07',
  );
});

for (const [allowNotifyOps, expected] of [
  ['true', '--app-name=termprog -- Build done & dusted\n'.replace('&', '&amp;')],
  ['false', ''],
] as const) {
  test(`with allowNotifyOps ${allowNotifyOps}, messages are ${expected === '' ? 'not ' : ''}given to the desktop's program`, async () => {
    const [shown, sent] = [desktop.newFile(), desktop.newFile()];
    const program = join(desktop.folder, 'notify-send');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${shown}\n`);
    chmodSync(program, 0o755);
    await using _terminal = await startTermprog(desktop, {
      args: ['-xrm', `*allowNotifyOps: ${allowNotifyOps}`],
      environment: { PATH: `${desktop.folder}:${process.env['PATH']}` },
      // The answer comes when the message was taken.
      script: `stty raw -echo; printf '\\033]777;notify;Build;done & dusted\\033\\\\\\033[5n'; dd bs=1 count=4 2>/dev/null > ${sent}; sleep 60`,
    });
    await waitFor('all is taken', () => contentOf(sent).length === 4);
    if (expected === '') await new Promise((resolve) => setTimeout(resolve, 500));
    else await waitFor('it is shown', () => contentOf(shown) !== '');
    expect(contentOf(shown)).toBe(expected);
  });
}

test('an application learns when the configured colours become those of a dark terminal', async () => {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '\\033[?2031h\\033]11;#000000\\033\\\\\\033]10;#ffffff\\033\\\\'; dd bs=1 count=9 2>/dev/null > ${file}; sleep 60`;
  await using _terminal = await startTermprog(desktop, { script });
  await waitFor('it is told', () => contentOf(file).length === 9);
  expect(contentOf(file)).toBe('\x1b[?997;1n');
});

test('a terminal name of more than 128 bytes is not reported, and a shorter one is', async () => {
  verifies('termprog.limit.termName-length-for-TN-reply');
  const request = `\x1bP+q${hexOf('TN')}\x1b\\`;
  expect(await answerTo(request, ['-tn', 'x'.repeat(128)])).toBe(
    `\x1bP1+r${hexOf('TN')}=${hexOf('x'.repeat(128))}\x1b\\`,
  );
  expect(await answerTo(request, ['-tn', 'x'.repeat(129)])).toBe('');
});

/**
 * Returns the terminal's answers to requests; DA1 follows them, whose answer is left out and shows that all are
 * answered.
 */
async function answerTo(requests: string, args: string[] = []): Promise<string> {
  await using socket = await openTerminalSocket(desktop.folder);
  await using _terminal = await startTermprog(desktop, { args: [...args, '-e', ...socket.command] });
  const attributes = /\[\?64;[\d;]*c$/;
  const answer = await socket.ask(`${requests}\u001b[c`, (text) => attributes.test(text));
  return answer.slice(0, -1 - (attributes.exec(answer)?.[0].length ?? 0));
}
