import { expect, test } from 'vitest';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { asStartError, isFull, withFailuresExplained } from '../../../../src/connector/store/failures.ts';
import { StartError } from '../../../../src/kernel/errors.ts';

for (const [message, code, expected] of [
  ['insert into `entries` - SQLITE_FULL: database or disk is full', 'SQLITE_FULL', 'database_full'],
  ['could not extend file: No space left on device', '53100', 'database_full'],
  ['SQLITE_BUSY: database is locked', 'SQLITE_BUSY', 'database_unavailable'],
  ['SQLITE_IOERR: disk I/O error', 'SQLITE_IOERR', 'database_unavailable'],
  ['terminating connection due to administrator command', '57P01', 'database_unavailable'],
  ['canceling statement due to lock timeout', '55P03', 'database_unavailable'],
  ['sorry, too many clients already', '53300', 'database_unavailable'],
  ['deadlock detected', '40P01', 'database_unavailable'],
  ['connect ECONNREFUSED /run/postgresql/.s.PGSQL.5432', 'ECONNREFUSED', 'database_unavailable'],
  ['Connection terminated unexpectedly', undefined, 'database_unavailable'],
  [
    'select * from "accounts" where "account_id" = $1 - Connection terminated unexpectedly',
    undefined,
    'database_unavailable',
  ],
  ['The claim on the database is in doubt: expected an answer', undefined, 'database_unavailable'],
  // The library puts the statement in front.
  ['ROLLBACK - The claim on the database is in doubt: expected an answer', undefined, 'database_unavailable'],
  [
    'select * from "oauth_records" where "kind" = $1 - The claim on the database is in doubt: expected an answer',
    undefined,
    'database_unavailable',
  ],
  ['COMMIT; - The claim on the database is lost: another process has it now', undefined, 'database_unavailable'],
  ['Query read timeout', undefined, 'database_unavailable'],
  ['Client has encountered a connection error and is not queryable', undefined, 'database_unavailable'],
  ['Client was closed and is not queryable', undefined, 'database_unavailable'],
  ['Unable to acquire a connection', undefined, 'database_unavailable'],
  // The pool, to a call that still waits for a connection when the process ends.
  ['aborted', undefined, 'database_unavailable'],
  ['Knex: Timeout acquiring a connection. The pool is probably full.', undefined, 'database_unavailable'],
] as const) {
  test(`"${message}" is reported as ${expected}, with the reason for the log alone`, async () => {
    const told: unknown = await failing(message, code).catch((error: unknown) => error);

    expect(told).toBeInstanceOf(ConnectorError);
    expect(told).toMatchObject({ code: expected, cause: { message } });
    expect((told as Error).message).not.toContain(message);
    expect(isFull(told)).toBe(expected === 'database_full');
  });
}

for (const code of ['23505', '22P02', '42P01', 'SQLITE_CONSTRAINT', 'SQLITE_ERROR', undefined]) {
  test(`a fault of ours stays what it is: ${code}`, async () => {
    await expect(failing('a bug', code)).rejects.toMatchObject({ message: 'a bug' });
    await expect(failing('a bug', code)).rejects.not.toBeInstanceOf(ConnectorError);
  });
}

test('only the pool’s own word is a passing failure, not any that has it', async () => {
  for (const message of ['This operation was aborted', 'aborted by a bug', 'the bug aborted']) {
    await expect(failing(message)).rejects.not.toBeInstanceOf(ConnectorError);
  }
});

test('refusals by the store itself are passed on', async () => {
  const refusal = new ConnectorError('entry_unknown', 'no such entry');
  const operations = withFailuresExplained({ run: () => Promise.reject(refusal) });

  await expect(operations.run()).rejects.toBe(refusal);
});

test.each([
  ['select 1 - The claim on the database is in doubt: expected an answer', undefined],
  ['SQLITE_FULL: database or disk is full', 'SQLITE_FULL'],
])('a failure of the database during a start is no fault of the program: %s', async (message, code) => {
  const explained = await failing(message, code).catch((error: unknown) => error);

  for (const error of [explained, ...(code === undefined ? [new Error(message)] : [])]) {
    expect(asStartError(error)).toBeInstanceOf(StartError);
    expect(asStartError(error)).toMatchObject({ exitStatus: 1, message: expect.stringContaining(`(${message})`) });
  }
});

test('a failure of something else during a start stays as it is', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED /run/soju/admin'), { code: 'ECONNREFUSED' });
  expect(asStartError(error)).toBe(error);
});

function failing(message: string, code?: string) {
  return withFailuresExplained({
    run: async () => {
      throw Object.assign(new Error(message), code === undefined ? {} : { code });
    },
  }).run();
}
