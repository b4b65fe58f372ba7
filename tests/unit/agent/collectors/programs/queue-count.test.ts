import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueueCount } from '../../../../../src/agent/collectors/programs/queue-count.ts';

const ARRIVAL_SEC = 1_795_218_296;
const recording = readFileSync('tests/golden/agent/recordings/postqueue-j');

const message = (queue: string, arrival: number | string, rest = '"recipients": []'): string =>
  `{"queue_name": "${queue}", "queue_id": "D747717A343", "arrival_time": ${arrival}, ${rest}}\n`;

function count(...pieces: (Buffer | string)[]): QueueCount {
  const counting = new QueueCount();
  for (const piece of pieces) counting.take(Buffer.from(piece));
  return counting;
}

const recorded = {
  messages: 6,
  queues: { maildrop: 0, incoming: 0, active: 1, deferred: 4, hold: 1 },
  oldestAgeSec: 60,
};

test('a recorded queue is counted', () => {
  expect(count(recording).finish(ARRIVAL_SEC + 60.9)).toEqual(recorded);
});

test('the pieces the output comes in do not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(recording.length), { maxLength: 40 }), (cuts) => {
      const points = [0, ...cuts.toSorted((a, b) => a - b), recording.length];
      const counting = count(...points.slice(1).map((end, index) => recording.subarray(points[index], end)));

      expect(counting.finish(ARRIVAL_SEC + 60)).toEqual(recorded);
      expect(counting.badLines).toBe(0);
    }),
  );
});

test('an empty queue prints no line and has all queues at 0', () => {
  expect(count().finish(ARRIVAL_SEC)).toEqual({
    messages: 0,
    queues: { maildrop: 0, incoming: 0, active: 0, deferred: 0, hold: 0 },
    oldestAgeSec: 0,
  });
});

test('a message from the future has no age', () => {
  expect(count(message('active', ARRIVAL_SEC + 3600)).finish(ARRIVAL_SEC).oldestAgeSec).toBe(0);
});

test('a message with megabytes of recipients counts like any other', () => {
  const counting = count(
    message('deferred', 5, `"recipients": [${'{"address": "a@b.c"}, '.repeat(200_000)}]`),
    message('hold', 7),
  );

  expect(counting.finish(10)).toMatchObject({ messages: 2, queues: { deferred: 1, hold: 1 }, oldestAgeSec: 5 });
  expect(counting.badLines).toBe(0);
});

for (const [why, line] of [
  ['broken in the middle', '{"queue_name": "active", "queue_id": "D74\n'],
  ['no JSON', 'Mail queue is empty\n'],
  ['empty', '\n'],
  ['without a number for its time', message('active', '"soon"')],
  ['of a queue no program would name', message('a/../b', 5)],
] as const) {
  test(`a line that is ${why} is skipped and counted as such`, () => {
    const counting = count(message('active', 5), line, message('active', 6));

    expect(counting.finish(10)).toMatchObject({ messages: 2, queues: { active: 2 }, oldestAgeSec: 5 });
    expect(counting.badLines).toBe(1);
  });
}

test('a sender cannot write another queue or time', () => {
  const line = String.raw`{"sender": "\"queue_name\": \"hold\", \"arrival_time\": 1, ", "queue_name": "active", "arrival_time": 9, "x": 1}`;

  expect(count(`${line}\n`).finish(10)).toMatchObject({ queues: { active: 1, hold: 0 }, oldestAgeSec: 1 });
});

test('queues of other names are counted, but not without bound', () => {
  const names = Array.from(
    { length: 40 },
    (_, index) => `q_${'abcdefghij'[index % 10]}${'abcd'[Math.floor(index / 10)]}`,
  );
  const counting = count(...names.map((name) => message(name, 5)));

  expect(Object.keys(counting.finish(10).queues)).toHaveLength(5 + 16);
  expect(counting.badLines).toBe(24);
});
