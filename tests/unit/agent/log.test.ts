import { expect, test } from 'vitest';
import { createLog } from '../../../src/agent/log.ts';

function logged(level: 'debug' | 'warn', act: (log: ReturnType<typeof createLog>) => void): unknown[] {
  const lines: string[] = [];
  act(createLog('homeport-agent', level, (line) => lines.push(line)));
  return lines.map((line) => JSON.parse(line));
}

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
