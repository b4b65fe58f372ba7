import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedStep } from '../../../../../src/termprog/window/desktop/paced-step.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a step is done at once, and once more for all that is asked in the second after it', async () => {
  let done = 0;
  const step = new PacedStep(() => {
    done += 1;
  });

  step.ask();
  expect(done).toBe(1);
  for (let count = 0; count < 3_000; count += 1) step.ask();
  await vi.advanceTimersByTimeAsync(999);
  expect(done).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toBe(2);

  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
  step.ask();
  expect(done).toBe(3);
});

test('a step is not done twice at a time, and one that fails is done again when asked', async () => {
  const steps: PromiseWithResolvers<void>[] = [];
  const step = new PacedStep(() => {
    const running = Promise.withResolvers<void>();
    steps.push(running);
    return running.promise;
  });

  step.ask();
  step.ask();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(steps).toHaveLength(1);
  steps[0]?.reject(new Error('refused'));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(steps).toHaveLength(2);
});
