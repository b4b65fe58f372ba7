import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../../stack/managed-process.ts';
import { listTitledWindows } from '../../../stack/screenshot.ts';
import { waitFor } from '../../../stack/wait-for.ts';
import type { XServerAddress } from '../../../stack/x-client.ts';
import { PlayedTerminal } from './played-terminal.ts';

const TITLE = 'Homeport links';
const ADDRESS = 'https://example.org/homeport';

/**
 * Shift and a click open the address on the screen by the desktop's opener; our own opener writes its argument to a
 * file.
 */
export async function linkOpened(address: XServerAddress, folder: string): Promise<void> {
  const programs = join(folder, 'opener');
  await mkdir(programs, { recursive: true });
  const opened = join(programs, 'opened');
  const opener = join(programs, 'xdg-open');
  await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  await chmod(opener, 0o755);
  const terminalProcess = startProcess({
    name: 'termprog for links',
    command: [
      fileURLToPath(new URL('../../../../bin/termprog', import.meta.url)),
      ...['-title', TITLE, '-fn', 'fixed', '-e', 'sh', '-c', `echo ${ADDRESS}; exec sleep 60`],
    ],
    env: { ...address, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  try {
    const window = await waitFor(
      `a window with the title ${TITLE}`,
      async () => (await listTitledWindows(address)).find(({ title }) => title === TITLE)?.id,
    );
    const terminal = new PlayedTerminal({ address, window: () => window, folder });
    await terminal.shows(ADDRESS, 'termprog-link.png');
    await terminal.do('windowraise', String(window));
    await terminal.pointAt(0, 4);
    await terminal.do('keydown', 'shift', 'click', '1', 'keyup', 'shift');
    await terminal.wrote(opened, ADDRESS);
  } finally {
    await terminalProcess.stop();
    await rm(programs, { recursive: true });
  }
}
