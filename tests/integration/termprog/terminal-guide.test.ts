import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { blockOf, blocksOf } from '../../harness/guide-blocks.ts';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { sizeAfter, sizeOf } from '../../harness/window-size.ts';

const GUIDE = 'terminal.md';

const runs = (command: string): Promise<string> =>
  desktop.run(
    'sh',
    '-ec',
    `PATH="$PWD/bin:$PATH" HOME=${desktop.folder} XFILESEARCHPATH=/nonexistent/%N; export PATH HOME XFILESEARCHPATH; ${command}`,
  );

test('the commands of the guide run, and the setup is in the server afterwards', async () => {
  for (const command of blocksOf(GUIDE, 'sh')) await runs(command);

  expect(await desktop.run('xrdb', '-query')).toContain('term.vt100.faceName:\tDejaVu Sans Mono');
});

test('the bindings of the guide are taken as they stand, and change the size', async () => {
  await using plain = await startXDesktop();
  await plain.run('sh', '-c', `printf '%s' "$1" | xrdb -merge`, 'sh', blockOf(GUIDE, 'xresources'));
  await using terminal = await startTermprog(plain, { script: 'sleep 60' });
  const first = await waitFor('it has its size', () => sizeOf(plain, terminal));

  expect(await sizeAfter(plain, terminal, 'ctrl+plus')).not.toBe(first);
  expect(await sizeAfter(plain, terminal, 'ctrl+0')).toBe(first);
  expect(terminal.process.output()).toBe('');
});
