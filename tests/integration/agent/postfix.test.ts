import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { postfix } from '../../../src/agent/collectors/postfix.ts';
import { openHost } from '../../../src/agent/host/host.ts';
import { needs } from '../../harness/needs.ts';
import { startPostfix } from '../../harness/start-postfix.ts';

/** Postfix wants to be started by root, and to be ended for sure it runs in a namespace of its own. */
const postfixTest = needs('root', 'Postfix', 'process namespaces');

/** Returns the agent's report of the queue that the `postqueue` of this folder lists. */
async function report(programs: string) {
  const host = openHost({ roots: { procfs: '/proc', sysfs: '/sys', rootfs: '' }, threads: 4, path: programs });
  try {
    const { sections, problems } = await postfix.collect(host);
    return { queue: sections.postfix, problems };
  } finally {
    host.close();
  }
}

postfixTest('the queue of a real Postfix is counted as messages come, are held, and the system ends', async () => {
  await using running = await startPostfix();
  const empty = { maildrop: 0, incoming: 0, active: 0, deferred: 0, hold: 0 };

  expect(await report(running.programs)).toEqual({
    queue: { messages: 0, queues: empty, oldestAgeSec: 0 },
    problems: [],
  });

  await running.send(['a@far.example', 'b@far.example']);
  await running.send(['"odd \\" name"@far.example']);
  const deferred = await waitFor('both messages wait', async () => {
    const { queue } = await report(running.programs);
    return queue?.queues['deferred'] === 2 && queue;
  });
  expect(deferred).toMatchObject({ messages: 2, queues: { ...empty, deferred: 2 } });
  expect(deferred.oldestAgeSec).toBeLessThan(60);

  await running.hold();
  expect((await report(running.programs)).queue?.queues).toEqual({ ...empty, hold: 2 });

  await running.stop();
  expect(await report(running.programs)).toMatchObject({ queue: { messages: 2 }, problems: [] });
});
