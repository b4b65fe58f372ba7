import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { askEach } from '../../../../../src/agent/collectors/kernel-text/when-read.ts';
import { packages } from '../../../../../src/agent/collectors/packages.ts';
import { createPressureCollector } from '../../../../../src/agent/collectors/pressure.ts';
import { UnreadableSourceError } from '../../../../../src/agent/errors.ts';
import { filesWith, hostWith } from '../../../../harness/host-double.ts';

const unreadable = (path: string): Error =>
  new UnreadableSourceError(path, Object.assign(new Error('EIO'), { code: 'EIO' }));

for (const [what, collect] of [
  ['pressure', async (ask) => createPressureCollector().collect(hostWith({ readProc: ask }))],
  [
    'packages',
    async (ask) =>
      packages.collect(hostWith({ root: { ...filesWith({ '/etc/os-release': 'ID=fedora\n' }), changedSec: ask } })),
  ],
] as const satisfies [string, (ask: (path: string) => Promise<never>) => Promise<unknown>][]) {
  test(`a file of ${what} that fails after another one has failed at once does not end the agent`, async () => {
    const unhandled = watchRejections();
    const { ask, fail } = failingFiles();

    await expect(collect(ask)).rejects.toThrow(UnreadableSourceError);
    fail();
    await nextTurn();
    await nextTurn();

    expect(unhandled).toEqual([]);
  });
}

test('answers that are all there come without a promise, else with one for all', async () => {
  expect(askEach([1, 2], (number) => number * 2)).toEqual([2, 4]);
  expect(await askEach([1, 2], (number) => (number === 1 ? Promise.resolve(2) : 4))).toEqual([2, 4]);
});

/** The first file fails in another thread, and after that; the others at once. */
function failingFiles() {
  const first = Promise.withResolvers<never>();
  let isFirst = true;
  return {
    fail: () => first.reject(unreadable('the first')),
    ask: (path: string): Promise<never> => {
      if (!isFirst) throw unreadable(path);
      isFirst = false;
      return first.promise;
    },
  };
}

/** Collects unhandled rejections, which would end the agent. */
function watchRejections(): unknown[] {
  const unhandled: unknown[] = [];
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  });
  return unhandled;
}
