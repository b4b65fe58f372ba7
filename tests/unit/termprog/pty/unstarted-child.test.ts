import { expect, test } from 'vitest';
import { UnstartedChild } from '../../../../src/termprog/pty/unstarted-child.ts';

test('a child that could not be started says why, then has ended', async () => {
  const child = new UnstartedChild('there is no such program');
  const told: string[] = [];
  await new Promise<void>((resolve) => {
    child.listen({
      onData: (bytes) => void told.push(Buffer.from(bytes).toString()),
      onDrained: ({ hasMore }) => told.push(`drained ${hasMore}`),
      onEnd: () => resolve(),
    });
  });
  expect(told).toEqual(['there is no such program\r\n', 'drained false']);
});

test('it sends no output once it is closed', async () => {
  const child = new UnstartedChild('there is no such program');
  const told: unknown[] = [];
  child.listen({
    onData: () => void told.push('data'),
    onDrained: () => told.push('drained'),
    onEnd: () => told.push('end'),
  });
  child.close();
  await new Promise(setImmediate);
  expect(told).toEqual([]);
});
