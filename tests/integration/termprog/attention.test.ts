import { mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { askManager, startWindowManager } from '../../harness/openbox.ts';
import { contentOf, type StartedTerminal, type XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';

const hintsOf = ({ run }: XDesktop, { window }: StartedTerminal): Promise<string> =>
  run('xprop', '-id', `${window}`, 'WM_HINTS', '_NET_WM_STATE');

/** Whether the window asks for attention, by the hints of a window manager that has taken its request. */
const wantsAttention = (hints: string): boolean =>
  hints.includes('urgency hint') || hints.includes('_NET_WM_STATE_DEMANDS_ATTENTION');

test('a bell in a window without the focus asks for attention until the window gets the focus, where the resource or mode 1042 wants it', async ({
  desktop,
}) => {
  await using _manager = await startWindowManager(desktop);
  await using urgent = await startWrittenTerminal(desktop, { args: ['-xrm', '*bellIsUrgent: true'] });
  await using plain = await startWrittenTerminal(desktop);
  await using other = await startWrittenTerminal(desktop);
  const focus = ({ terminal }: typeof other): Promise<string> =>
    desktop.run('xdotool', 'windowactivate', '--sync', `${terminal.window}`);
  const becomes = (written: typeof other, isUrgent: boolean): Promise<unknown> =>
    waitFor(`attention is ${isUrgent ? 'wanted' : 'no longer wanted'}`, async () => {
      const hints = await hintsOf(desktop, written.terminal);
      return isUrgent
        ? hints.includes('urgency hint') && hints.includes('_NET_WM_STATE_DEMANDS_ATTENTION')
        : !wantsAttention(hints);
    });
  await focus(other);

  // The state of an idle window is known once that of a window that rang has changed.
  await plain.write('\x07');
  await urgent.write('\x07');
  await becomes(urgent, true);
  expect(wantsAttention(await hintsOf(desktop, plain.terminal))).toBe(false);
  await focus(urgent);
  await becomes(urgent, false);

  await plain.write('\x1b[?1042h');
  await plain.write('\x07');
  await becomes(plain, true);
  await plain.write('\x1b[?1042l');
  await becomes(plain, false);
  // The window is in use: its bell rings without a request for attention.
  await urgent.write('\x07');
  await plain.write('\x1b[?1042h\x07');
  await becomes(plain, true);
  expect(wantsAttention(await hintsOf(desktop, urgent.terminal))).toBe(false);
});

test('attention that ends while no window manager runs is over for the next one too, and its other states stay', async ({
  desktop,
}) => {
  await using urgent = await startWrittenTerminal(desktop, { args: ['-xrm', '*bellIsUrgent: true'] });
  const hasState = async (state: string): Promise<boolean> => (await hintsOf(desktop, urgent.terminal)).includes(state);
  for (const how of ['focus', 'mode']) {
    await using manager = await startWindowManager(desktop);
    await using other = await startWrittenTerminal(desktop);
    await askManager(desktop.environment, urgent.terminal.window, '_NET_WM_STATE', [1, '_NET_WM_STATE_ABOVE', 0, 1]);
    await waitFor('it is above', () => hasState('STATE_ABOVE'));
    await desktop.run('xdotool', 'windowactivate', '--sync', `${other.terminal.window}`);
    await urgent.write('\x1b[?1042h\x07');
    await waitFor('the manager shows it', () => hasState('DEMANDS_ATTENTION'));
    expect(await hasState('STATE_ABOVE')).toBe(true);
    manager.kill('SIGKILL');
    await manager.ended;
    if (how === 'focus') await desktop.run('xdotool', 'windowfocus', '--sync', `${urgent.terminal.window}`);
    else await urgent.write('\x1b[?1042l');
    await waitFor(`it is over by ${how}`, async () => !wantsAttention(await hintsOf(desktop, urgent.terminal)));
    expect(await hasState('STATE_ABOVE')).toBe(true);
  }
});

/** A folder with a program of the desktop that writes its arguments down, each in a line. */
function desktopProgram(desktop: XDesktop): { folder: string; shown: string } {
  const [folder, shown] = [desktop.newFile(), desktop.newFile()];
  mkdirSync(folder);
  writeProgram(folder, 'notify-send', `printf '%s\\n' "$@" >> ${shown}`);
  return { folder, shown };
}

const marked = (command: string): string => `\x1b]133;A\x07$ \x1b]133;B\x07${command}\r\n\x1b]133;C\x07`;
const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100));

test('the end of a long command is shown on the desktop, where the resource says how long, the window has no focus, and only then', async ({
  desktop,
}) => {
  const { folder, shown } = desktopProgram(desktop);
  const environment = { PATH: `${folder}:${process.env['PATH']}` };
  const args = ['-xrm', '*notifyCommandTime: 1'];
  await using told = await startWrittenTerminal(desktop, { args, environment });
  await using silent = await startWrittenTerminal(desktop, { environment });
  await using focused = await startWrittenTerminal(desktop, { args, environment });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${focused.terminal.window}`);

  // The first command is short, the second is interrupted: the shell asks for the next command at once.
  await told.write(`${marked('short')}\x1b]133;D;0\x07${marked('interrupted')}`);
  await silent.write(marked('make'));
  await focused.write(marked('make'));
  await wait();
  await told.write(`${marked('printf "<b>" && \x1b[1mmake\x1b[m\r\n  all')}`);
  await silent.write('\x1b]133;D;0\x07');
  await focused.write('\x1b]133;D;0\x07');
  expect(contentOf(shown)).toBe('');

  await wait();
  // A mark that the command writes itself does not begin another command.
  await told.write('some output\r\n\x1b]133;C\x07more\r\n\x1b]133;D;2\x07\x1b]133;D;2\x07');
  await waitFor('it is shown', () => contentOf(shown).endsWith('all\n'));
  expect(contentOf(shown)).toMatch(
    /^--app-name=termprog\n--\nCommand failed with status 2 after \d+ s\nprintf "&lt;b&gt;" &amp;&amp; make all\n$/,
  );
});

test('without a program that shows messages one line says so, and the terminal goes on', async ({ desktop }) => {
  const [folder] = [desktop.newFile()];
  mkdirSync(folder);
  await using told = await startWrittenTerminal(desktop, {
    args: ['-xrm', '*notifyCommandTime: 1'],
    environment: { PATH: `${folder}:${process.env['PATH']}` },
  });
  writeProgram(folder, 'notify-send', 'echo "no such service" >&2; exit 1');
  for (let round = 0; round < 2; round += 1) {
    await told.write(marked('make'));
    await wait();
    await told.write('\x1b]133;D;0\x07');
  }
  await waitFor('it is said', () => told.terminal.process.output().includes('the end of a command was not shown'));
  await told.write('still here');
  expect(told.terminal.process.output().split('was not shown')).toHaveLength(2);
});
