import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

test('the time that a program waits for is idle, and the time that it works is not', async () => {
  const idleWhile = async (script: string): Promise<number> => {
    using idle = watchIdle();
    await startProcess({ name: 'program', command: ['bash', '-c', script] }).ended;
    return idle.read();
  };

  expect(await idleWhile('sleep 2.2')).toBeGreaterThan(900);
  expect(await idleWhile('while [ $SECONDS -lt 3 ]; do :; done')).toBeLessThan(900);
});
