import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { listTitledWindows } from '../../../scripts/stack/screenshot.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { needs } from '../../harness/needs.ts';
import { contentOf, startXDesktop } from '../../harness/start-termprog.ts';

const hungTest = needs('FUSE', 'mount namespaces');

/** Counts the threads of a process that wait for a file system. */
const waiting = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8').includes('fuse'),
  ).length;

for (const [count, how] of [
  [1, 'SIGHUP'],
  [6, 'SIGTERM'],
  [6, 'its child'],
] as const) {
  hungTest(
    `links to ${count} files on a disk that does not answer do not keep a terminal that ${how} ends`,
    async () => {
      await using desktop = await startXDesktop();
      const dead = join(desktop.folder, 'dead');
      const [text, shown, end] = [desktop.newFile(), desktop.newFile(), desktop.newFile()];
      const links = Array.from({ length: count }, (_, file) => `\x1b]8;;file://${dead}/${file}\x07${file}\x1b]8;;\x07`);
      writeFileSync(text, links.join(''));
      const script = `stty raw -echo; cat ${text}; printf '\\033[6n'; dd bs=1 count=5 of=${shown} 2>/dev/null
      until [ -e ${end} ]; do sleep 0.05; done`;
      const terminal = startProcess({
        name: 'termprog',
        command: [
          'unshare',
          ...['--mount', process.execPath, 'tests/integration/agent/with-hung-mounts.ts', dead],
          ...[join(process.cwd(), 'bin/termprog'), '-title', 'hung', '-e', 'sh', '-c', script],
        ],
        env: { ...desktop.environment, HOME: '/nonexistent', XFILESEARCHPATH: '/nonexistent/%N', LC_ALL: 'C.UTF-8' },
      });
      try {
        const { id } = await waitFor(
          'the terminal shows its window',
          async () => (await listTitledWindows(desktop.environment)).find(({ title }) => title === 'hung'),
          { process: terminal },
        );
        await waitFor('the links show', () => contentOf(shown).length >= 5, { process: terminal });
        for (let column = 0; column < count; column += 1) {
          const place = ['mousemove', '--window', `${id}`, `${5 + 6 * column}`, '8'];
          await desktop.run('xdotool', ...place, 'keydown', 'shift', 'click', '1', 'keyup', 'shift');
        }
        // Node has four threads for files.
        await waitFor('their files are looked at', () => waiting(terminal.pid) === Math.min(count, 4));
        if (how === 'its child') writeFileSync(end, '');
        else terminal.kill(how);
        await waitFor('the terminal ends', () => !existsSync(`/proc/${terminal.pid}`), { timeoutMs: 10_000 });
        expect(await terminal.ended).toEqual({ exitCode: 0, signal: undefined });
        expect(terminal.output()).toBe('');
      } finally {
        terminal.kill('SIGKILL');
      }
    },
  );
}
