import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const start = (script: string) => startProcess({ name: 'program', command: ['bash', '-c', script] });

test('the time that a program waits for is idle', async () => {
  using idle = watchIdle();
  const program = start('sleep 600');
  await waitFor('some of it is counted', () => idle.read() > 900);
  await program.stop();
});

test('the time that a program works is not idle', async () => {
  using idle = watchIdle();
  await start('while [ $SECONDS -lt 3 ]; do :; done').ended;
  expect(idle.read()).toBeLessThan(900);
});
