import { expect, test } from 'vitest';
import { OrderedWork } from '../../../../../src/termprog/window/frame/ordered-work.ts';

test('steps are done at once without a pending request', () => {
  const work = new OrderedWork();
  const done: string[] = [];
  work.do(() => done.push('a'));
  expect(done).toEqual(['a']);
});

test('steps behind a waiting one are done after it, in order', async () => {
  const work = new OrderedWork();
  const done: string[] = [];
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<string>();
  const { promise: second, reject: refuseSecond } = Promise.withResolvers<string>();
  work.doWith(
    () => first,
    (answer) => done.push(`first ${answer}`),
  );
  work.do(() => done.push('a'));
  work.doWith(
    () => second,
    (answer) => done.push(`second ${answer}`),
  );
  work.do(() => done.push('b'));
  expect(done).toEqual([]);

  answerFirst('red');
  await first;
  await Promise.resolve();
  expect(done).toEqual(['first red', 'a']);

  refuseSecond(new Error('unknown'));
  await expect.poll(() => done).toEqual(['first red', 'a', 'second undefined', 'b']);
  work.do(() => done.push('c'));
  expect(done.at(-1)).toBe('c');
});

test('while the server does not answer, a flood of steps takes bounded room', () => {
  const work = new OrderedWork();
  const { promise, resolve } = Promise.withResolvers<void>();
  let done = 0;
  work.doWith(
    () => promise,
    () => {},
  );
  for (let step = 0; step < 100_000; step += 1) work.do(() => (done += 1));
  resolve();
  return expect.poll(() => done).toBe(8_192);
});
