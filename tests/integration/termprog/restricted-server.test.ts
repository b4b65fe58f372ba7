import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { contentOf, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** Scrolls, writes in colours, asks, and writes a selection. */
const WORK = "seq 1 60; printf '\\033[42m green \\033[m 漢字 ─┼╱ ▒▒\\033]52;c;aGVsbG8=\\007\\033[?25l'";

const GREEN = 0x00cd00;

/** An authority file for clients that the server must not trust, as `ssh -X` makes one. */
async function untrusted(desktop: XDesktop): Promise<Record<string, string>> {
  const file = join(desktop.folder, 'untrusted');
  await desktop.run('xauth', '-q', '-f', file, 'generate', desktop.environment.DISPLAY, '.', 'untrusted');
  return { XAUTHORITY: file };
}

const SERVERS = [
  ['does not trust it', ['+extension', 'SECURITY'], untrusted],
  ['has no RENDER', ['-extension', 'RENDER'], async () => ({})],
  [
    'has hardly any extension',
    ['RANDR', 'RENDER', 'MIT-SHM', 'Composite', 'DAMAGE', 'BIG-REQUESTS'].flatMap((name) => ['-extension', name]),
    async () => ({}),
  ],
] as const;

for (const [server, options, environmentFor] of SERVERS) {
  test(`a server that ${server} shows what any server shows, and nothing is refused`, async () => {
    await using usual = await startXDesktop();
    await using desktop = await startXDesktop(options);
    const file = desktop.newFile();
    const script = `${WORK}; read -r typed; echo "$typed" > ${file}; sleep 60`;
    await using reference = await startTermprog(usual, { script: `${WORK}; sleep 60` });
    const environment = await environmentFor(desktop);
    const args = ['-log', 'info', '-xrm', '*allowWindowOps: true'];
    await using terminal = await startTermprog(desktop, { script, args, environment });

    await waitFor('the pictures are equal', async () => {
      const [one, other] = [await terminal.screenshot(), await reference.screenshot()];
      return countColor(one, GREEN) > 100 && one.data.equals(other.data);
    });
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
    await desktop.run('xdotool', 'type', 'typed');
    await desktop.run('xdotool', 'key', 'Return');
    await waitFor('the keys arrive', () => contentOf(file) === 'typed\n');

    expect(terminal.process.output()).toBe('');
  });
}

for (const [server, options, environmentFor] of SERVERS.slice(0, 2)) {
  test(`on a server that ${server}, bitmap fonts stand in for outline fonts, and one line says so`, async () => {
    await using usual = await startXDesktop();
    await using desktop = await startXDesktop(options);
    const script = `${WORK}; sleep 60`;
    await using reference = await startTermprog(usual, { script });
    const args = ['-fa', 'DejaVu Sans Mono', '-opacity', '0.5'];
    await using terminal = await startTermprog(desktop, { script, args, environment: await environmentFor(desktop) });

    await waitFor('the pictures are equal', async () => {
      const [one, other] = [await terminal.screenshot(), await reference.screenshot()];
      return countColor(one, GREEN) > 100 && one.data.equals(other.data);
    });

    expect(terminal.process.output().split('\n').sort()).toEqual([
      '',
      "termprog: warning: outline fonts can't be used, bitmap fonts are used instead: the X server has no RENDER extension",
      'termprog: warning: resource vt100.backgroundOpacity: no compositor is running; the window is opaque',
    ]);
  });
}
