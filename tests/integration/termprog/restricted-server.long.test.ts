import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { contentOf, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** Scrolls, writes in colours, asks, and writes a selection. */
const WORK = "seq 1 60; printf '\\033[42m green \\033[m 漢字 ─┼╱ ▒▒\\033]52;c;aGVsbG8=\\007\\033[?25l'";

const GREEN = 0x00cd00;

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;

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

/** Facts that every start reports. */
const START_FACT = /^termprog: info: (?:no file|resources from|X server|window|bitmap fonts|the command runs)/;

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

    const told = terminal.process.output().split('\n');
    expect(told.filter((line) => line !== '' && !START_FACT.test(line))).toEqual([]);
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
      'termprog: warning: an application may not set a selection by OSC 52: the resource vt100.disallowedWindowOps refuses SetSelection; set it without that name to permit it',
      "termprog: warning: outline fonts can't be used, bitmap fonts are used instead: the X server has no RENDER extension",
      'termprog: warning: resource vt100.backgroundOpacity: no compositor is running; the window is opaque',
    ]);
  });
}

for (const args of [[], ['-fa', 'DejaVu Sans Mono']]) {
  test(`a screen whose pixels are numbers of a palette shows text and colours with "${args.join(' ')}"`, async () => {
    await using desktop = await startXDesktop(['-screen', '0', '800x600x8']);
    const { client } = await connectX(desktop.environment);
    const script = "printf '\\033[41m red \\033[42m green \\033[m\\033[?25l'; sleep 60";
    await using terminal = await startTermprog(desktop, { script, args: ['-geometry', '20x2+0+0', ...args] });
    const byteAt = async (window: number, x: number): Promise<number | undefined> => {
      const { data } = await answer<{ data: Buffer }>('a pixel', (reply) =>
        client.GetImage(Z_PIXMAP, window, x, 4, 1, 1, ALL_PLANES, reply),
      );
      return data[0];
    };
    // These are positions in cells of 6 and of 7 pixels.
    const cells = [4, 50, 100];

    await waitFor('three backgrounds differ', async () => {
      const pixels = await Promise.all(cells.map((x) => byteAt(terminal.window, x)));
      return new Set(pixels).size === cells.length;
    });
    client.terminate();
    expect(terminal.process.output()).not.toContain('refused');
  });
}
