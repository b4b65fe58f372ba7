import { expect, onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf, serves, startBeside } from '../../harness/beside.ts';
import { fakeTime } from '../../harness/fake-time.ts';
import { needs } from '../../harness/needs.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

for (const seconds of [120, -120]) {
  needs('libfaketime')(
    `a process whose clock is set ${seconds} s off gives the database up, and takes nothing; the one whose clock is right goes on`,
    async () => {
      const stack = await startConnectorStack();
      onTestFinished(() => stack[Symbol.asyncDispose]());
      const pair = await StandbyPair.start(stack);
      onTestFinished(() => pair[Symbol.asyncDispose]());
      const time = await fakeTime(stack.folder, 0);
      const set = await startBeside(stack, {}, time.env);
      onTestFinished(() => set.process.stop());
      const wrong = await startBeside(stack, {}, (await fakeTime(stack.folder, seconds)).env);
      onTestFinished(() => wrong.process.stop());
      // The one whose clock will be set has the database: the others end first.
      await pair.waiting.process.stop();
      await pair.serving.process.stop();
      await serves(set);
      [pair.serving, pair.waiting] = [set, wrong];
      await pair.online();
      await pair.say('before the clock was set');
      const right = await startBeside(stack);
      onTestFinished(() => right.process.stop());

      await time.set(seconds);
      expect((await set.process.ended).exitCode).toBe(1);
      await serves(right);
      pair.serving = right;
      await pair.online();
      await pair.say('after the clock was set');

      expect(set.process.output()).toContain('so this process has given the database up');
      expect(wrong.process.output()).toContain('the clock of this machine differs from that of the database');
      expect(await healthOf(wrong)).toEqual({ status: 503, body: { ok: false, reason: 'standby' } });
      await waitFor('both are stored once', async () => {
        const counted = await pair.counts(['before the clock was set', 'after the clock was set']);
        return Object.values(counted).every(({ stored, heard }) => stored === 1 && heard === 1);
      });
    },
  );
}
