import { expect } from 'vitest';
import { ANSWER_MAX_BYTES } from '../../../../src/connector/domain/answer-size.ts';
import type { EntryKind } from '../../../../src/connector/domain/entry.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

interface Result extends Line {
  context?: { before: Line[]; after: Line[] };
}

const test = testWithNewAgent();

let time: number;

test.beforeEach(async () => {
  time = door.open.clock.now();
});

const search = (args: object) => agent.call('search_history', { phrase: 'umbrella', ...args });

test('a result comes with what was said before and after it in its channel, oldest first', async () => {
  await hear('#room', ['one', 'two', 'three', 'an umbrella', 'four', 'five']);
  await hear('#ops', ['elsewhere', 'umbrella again']);
  await hear('#room', ['six']);

  expect(await around({ context: 2 })).toEqual([
    ['elsewhere', '[umbrella again]'],
    ['two', 'three', '[an umbrella]', 'four', 'five'],
  ]);
  expect(await around({ context: '1', channel: '#room' })).toEqual([['three', '[an umbrella]', 'four']]);
  const [{ context } = {} as Result] = (await search({ context: 1, channel: '#room' }))['entries'] as Result[];
  expect(context?.before[0]).toEqual({
    ...{ entryId: expect.stringMatching(/^ent_/), kind: 'message', sender: expect.any(String), text: 'three' },
    eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('without context the results are what they were', async () => {
  await hear('#room', ['one', 'an umbrella']);

  for (const args of [{}, { context: 0 }, { context: null }, { context: -1 }]) {
    const { entries } = await search(args);
    expect((entries as Result[]).map((entry) => 'context' in entry)).toEqual([false]);
  }
});

test('joins and parts are left out, also where they are all that happened for long', async () => {
  await hear('#room', ['said']);
  await hear('#room', ['joins', 'parts'], 'join');
  await hear('#room', ['an umbrella']);
  await hear('#room', ['waves'], 'action');
  expect(await around({ context: 2 })).toEqual([['said', '[an umbrella]', 'waves']]);

  await hear(
    '#room',
    Array<string>(150)
      .fill('')
      .map((_, n) => `join ${n}`),
    'join',
  );
  await hear('#room', ['the last umbrella']);
  expect((await around({ context: 2 }))[0]).toEqual(['[the last umbrella]']);
});

test('messages that only others heard, and messages that a person has deleted, are not shown', async () => {
  const bob = await door.agent('bob');
  await hear('#room', ['deleted']);
  await door.services.deleteHistory(agent.accountId);
  await hear('#room', ['of bob'], 'message', bob);
  await hear('#room', ['an umbrella', 'after']);

  expect(await around({ context: 5 })).toEqual([['[an umbrella]', 'after']]);
});

test('many results with much around them are bounded, and pages have each once', async () => {
  const texts = Array.from({ length: 120 }, (_, n) => `umbrella ${n} ${'x'.repeat(300)}`);
  await hear('#room', texts);
  const first = await search({ context: 10, limit: 200 });
  expect(first['notice']).toMatch(/limit is from 1 to 50/);
  const found: string[] = [];
  for (let page = first; ; page = await search({ context: 10, page_token: page['nextPageToken'] })) {
    expect(JSON.stringify(page['entries']).length).toBeLessThan(50_000);
    found.push(...(page['entries'] as Result[]).map(({ text }) => text));
    if (page['nextPageToken'] === null) break;
  }

  expect(found).toEqual(texts.toReversed());
});

test('lines of a hundred times the usual length around a result do not make a long answer', async () => {
  const long = (letter: string) => Array.from({ length: 10 }, (_, n) => `${n}${letter.repeat(50_000)}`);
  await hear('#room', [...long('a'), 'near', 'an umbrella', 'next', ...long('b')]);

  const answer = await search({ context: 10 });

  expect(JSON.stringify(answer).length).toBeLessThan(ANSWER_MAX_BYTES);
  expect(await around({ context: 10 })).toEqual([['near', '[an umbrella]', 'next']]);
});

async function hear(channel: string, texts: readonly string[], kind: EntryKind = 'message', of = agent): Promise<void> {
  const lines = texts.map((text) => {
    time += 1;
    return { line: { ...capturedLine(text, time, channel), kind }, own: undefined };
  });
  await door.open.store.capture.ingest(of.accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

interface Line {
  text: string;
  sender: string;
  kind: string;
  eventTime: string;
}

async function around(args: object): Promise<unknown[]> {
  return ((await search(args))['entries'] as Result[]).map(({ text, context }) => [
    ...(context?.before ?? []).map((line) => line.text),
    `[${text}]`,
    ...(context?.after ?? []).map((line) => line.text),
  ]);
}
