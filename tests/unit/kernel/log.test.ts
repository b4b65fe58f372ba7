import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/kernel/log.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('a record is one line with level, time, program, fields and message', () => {
  const [record] = logged('debug', (log) => log.info({ port: 9105 }, 'listening'));

  expect(record).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    name: 'homeport-agent',
    port: 9105,
    msg: 'listening',
  });
});

test('fields of the program stand in each record', () => {
  const output = new PassThrough();
  createLog('homeport-connector', 'info', output, { process: 'process 7 on a' }).warn('late');

  expect(JSON.parse(String(output.read()))).toMatchObject({
    name: 'homeport-connector',
    process: 'process 7 on a',
    msg: 'late',
  });
});

test('records below the level are not written', () => {
  const records = logged('warn', (log) => {
    log.debug({}, 'a');
    log.info({}, 'b');
    log.warn({}, 'c');
    log.error({}, 'd');
  });

  expect(records).toMatchObject([{ msg: 'c' }, { msg: 'd' }]);
});

test('secrets are left out by their key, also inside a field', () => {
  const [record] = logged('debug', (log) =>
    log.warn({ token: 't', request: { authorization: 'a', path: '/' } }, 'refused'),
  );

  expect(record).toMatchObject({ request: { path: '/' } });
  expect(JSON.stringify(record)).not.toMatch(/"(token|authorization)"/);
});

test('an error has its type, message and stack, and line breaks stay inside the record', () => {
  const [record] = logged('debug', (log) => log.error({ err: new TypeError('two\nlines') }, 'could not answer'));

  expect(record).toMatchObject({ err: { type: 'TypeError', message: 'two\nlines', stack: expect.any(String) } });
});

test('lines for a reader that stalls are dropped beyond a bound, and counted for it once it reads again', async () => {
  const lines: string[] = [];
  let goOn = (): void => undefined;
  const stalled = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      void stalled.then(() => done());
    },
  });
  const log = createLog('homeport-agent', 'info', output);

  for (let index = 0; index < 10_000; index += 1) log.info({ index }, 'x'.repeat(100));

  expect(output.writableLength).toBeLessThanOrEqual(256 * 1024);
  goOn();
  await expect.poll(() => lines.some((line) => line.includes('are missing'))).toBe(true);
  const { lost } = JSON.parse(lines.find((line) => line.includes('are missing')) ?? '{}');
  expect(lost).toBeGreaterThan(1_000);
  expect(lines).toHaveLength(10_000 - lost + 1);
});

/** A program with a log on its own standard error. */
const withLog = (source: string): string[] => [
  '--input-type=module',
  '-e',
  `import { ftruncateSync } from 'node:fs';
  import { createLog, logWritten } from './src/kernel/log.ts';
  import { Lifecycle } from './src/kernel/lifecycle.ts';
  const log = createLog('homeport-agent', 'info');
  const logMuch = () => {
    for (let index = 0; index < 400; index += 1) log.info({ index }, 'x'.repeat(400));
    log.error({}, 'the last words');
    process.stdout.write('logged');
  };
  ${source}`,
];

/** Ends when its log is written, with status 1. */
const ENDING = `
  const lifecycle = new Lifecycle(log);
  lifecycle.add('log', () => logWritten(log));
  logMuch();
  lifecycle.endFailed();`;

/** Starts a program and waits until it has logged more than a pipe holds. */
async function startLogging(source: string) {
  const program = spawn(process.execPath, withLog(source), { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  const exited = once(program, 'exit');
  await once(program.stdout, 'data');
  return { stderr: program.stderr, exited };
}

test('the last lines of a program that ends reach a reader that is slower than it', async () => {
  const { stderr, exited } = await startLogging(ENDING);

  const lines = (await text(stderr)).trimEnd().split('\n');

  expect(lines).toHaveLength(401);
  expect(lines.at(-1)).toContain('the last words');
  expect(await exited).toEqual([1, null]);
});

test('a reader that never reads does not keep a program from its end', async () => {
  const { stderr, exited } = await startLogging('logMuch(); await logWritten(log); process.exit(3);');

  expect(await exited).toEqual([3, null]);
  stderr.destroy();
});

test('lines that could not be written are counted once there is room again', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'log');
  // Beyond 8 KiB the kernel refuses writes to a file, as on a full disk.
  const args = withLog(`
    for (let index = 0; index < 30; index += 1) {
      log.info({ index }, 'x'.repeat(1_000));
      await new Promise(setImmediate);
    }
    ftruncateSync(2);
    log.info({}, 'after');
    await logWritten(log);`);

  const command = 'ulimit -f 8; log=$1; shift; exec "$@" 2>>"$log"';
  await execa('bash', ['-c', command, 'bash', file, process.execPath, ...args], { timeout: 120_000 });

  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [missing, after] = lines.map((line) => JSON.parse(line));
  expect(missing).toMatchObject({ level: 'warn', lost: expect.any(Number) });
  expect(missing.lost).toBeGreaterThanOrEqual(20);
  expect(after).toMatchObject({ msg: 'after' });
});

test('a reader that has gone costs its lines, never the program', () => {
  const output = new PassThrough();
  const log = createLog('homeport-agent', 'info', output);

  output.destroy(new Error('EPIPE'));

  expect(() => log.info({}, 'unread')).not.toThrow();
});

function logged(level: 'debug' | 'warn', act: (log: ReturnType<typeof createLog>) => void): unknown[] {
  const output = new PassThrough();
  act(createLog('homeport-agent', level, output));
  const lines = String(output.read()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
