import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { RemoteSystemd } from '../../../../src/agent/host/systemd/remote-systemd.ts';
import type { UnitAnswer } from '../../../../src/agent/host/systemd/systemd-answers.ts';
import { createAnswerServer } from '../../../../src/agent/user-units/answer-questions.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const known: Record<string, UnitAnswer> = {
  'a.service': { load: 'loaded', active: 'active', sub: 'running', result: 'success' },
  'b.timer': {
    ...{ load: 'loaded', active: 'active', sub: 'waiting', result: 'success' },
    ...{ service: 'b.service', running: false, exitStatus: 7, lastRun: 5, nextRun: 0 },
  },
};

const say = (path: string, line: string): Promise<string> => {
  const connection = createConnection({ path });
  connection.write(line);
  return text(connection);
};

test('the process of a user answers about units in the order asked', async () => {
  await withServer(async (path) => {
    const names = ['b.timer', 'a.service', 'c.service', 'a.service'];

    expect(await new RemoteSystemd(path).unitAnswers(names)).toEqual([
      known['b.timer'],
      known['a.service'],
      { problem: 'nothing about c.service' },
      known['a.service'],
    ]);
  });
});

test('the agent learns why its manager could not be asked', async () => {
  await withServer(async (path) => {
    await expect(new RemoteSystemd(path).unitAnswers(['broken.service'])).rejects.toThrow('no manager');
  });
});

for (const [what, line] of [
  ['no JSON', 'GET / HTTP/1.1\r\n\r\n'],
  ['another question', '{"start":["a.service"]}\n'],
  ['a name that is none', '{"units":["../a"]}\n'],
  ['a template', '{"units":["a@.service"]}\n'],
  ['a pattern', '{"units":["*.service"]}\n'],
  ['something else than names', '{"units":[1]}\n'],
  ['too many names', `${JSON.stringify({ units: Array(65).fill('a.service') })}\n`],
  ['a line without end', 'x'.repeat(40_000)],
] as const) {
  test(`${what} is refused, and the manager is not asked`, async () => {
    await withServer(async (path, asked) => {
      expect(JSON.parse(await say(path, line))).toEqual({ error: expect.stringContaining('expected {"units"') });
      expect(asked).toEqual([]);
    });
  });
}

for (const [what, answer] of [
  ['nothing', ''],
  ['no JSON', 'nonsense\n'],
  ['an answer too few', '{"units":[]}\n'],
  ['more than anybody asked for', `{"units":["${'x'.repeat(300_000)}`],
] as const) {
  test(`a process that answers ${what} is not believed`, async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'socket');
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.resume().end(answer);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));

    await expect(new RemoteSystemd(path).unitAnswers(['a.service'])).rejects.toThrow(/^could not/);
    await new Promise((resolve) => server.close(resolve));
  });
}

test('where no process listens, the reason names the socket', async () => {
  await expect(new RemoteSystemd('/nowhere/socket').unitAnswers(['a.service'])).rejects.toThrow(
    'could not ask at /nowhere/socket: ENOENT',
  );
});

/** A program of the user that answers every question with this line. */
async function liar(path: string, line: string): Promise<AsyncDisposable> {
  const server = createServer((connection) => {
    connection.on('error', () => undefined);
    connection.once('data', () => connection.end(line));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))) };
}

const timer = { ...known['b.timer'] };
for (const [what, row] of [
  ['a broken exit status', JSON.stringify({ ...timer, exitStatus: 1.5 })],
  ['an exit status beyond whole numbers', JSON.stringify({ ...timer, exitStatus: 2 ** 53 })],
  ['a run before 1970', JSON.stringify({ ...timer, lastRun: -1 })],
  ['an endless time', JSON.stringify({ ...timer, nextRun: 0 }).replace('"nextRun":0', '"nextRun":1e999')],
  ['a time in words', JSON.stringify({ ...timer, lastRun: 'x' })],
  ['a state without its words', '{"load":"loaded"}'],
  ['a word without end', JSON.stringify({ ...timer, load: 'x'.repeat(2000) })],
  ['no row', 'null'],
] as const) {
  test(`${what} in an answer is the problem of that unit alone`, async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'socket');
    await using _server = await liar(path, `{"units":[${row},${JSON.stringify(known['a.service'])}]}\n`);

    expect(await new RemoteSystemd(path).unitAnswers(['b.timer', 'a.service'])).toEqual([
      { problem: 'could not understand the answer' },
      known['a.service'],
    ]);
  });
}

test('control characters in an answer are replaced', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'socket');
  const row = { ...known['a.service'], sub: '\x1b[2Jx\u0085' };
  await using _server = await liar(path, `${JSON.stringify({ units: [row, { problem: 'a\nb' }] })}\n`);

  expect(await new RemoteSystemd(path).unitAnswers(['a.service', 'b.service'])).toEqual([
    { ...known['a.service'], sub: '\ufffd[2Jx\ufffd' },
    { problem: 'a\ufffdb' },
  ]);
});

/** The two sides at a socket between them. */
async function withServer(use: (path: string, asked: string[][]) => Promise<void>): Promise<void> {
  await using folder = await tempFolder();
  const path = join(folder.path, 'socket');
  const asked: string[][] = [];
  const unitAnswers = async (names: readonly string[]): Promise<UnitAnswer[]> => {
    asked.push([...names]);
    if (names.includes('broken.service')) throw new Error('no manager');
    return names.map((name) => known[name] ?? { problem: `nothing about ${name}` });
  };
  const server = createAnswerServer({ unitAnswers });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  await use(path, asked);
  await new Promise((resolve) => server.close(resolve));
}
