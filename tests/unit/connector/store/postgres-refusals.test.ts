import { expect, test } from 'vitest';
import { postgresServer } from '../../../../src/connector/store/connect/postgres.ts';

const server = postgresServer({
  ...{ host: 'db.example', port: 5_432, database: 'homeport', user: 'role' },
  ...{ password: undefined, tls: 'off', poolSize: 1 },
});

const refusalFor = (words: string, code?: string) => server.refusal(Object.assign(new Error(words), { code }));

test('a server that does not answer is said to be so, in whichever words the driver and the pool say it', () => {
  for (const words of [
    'timeout expired',
    'table entries: Query read timeout',
    'Connection terminated unexpectedly',
    'Connection ended unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Knex: Timeout acquiring a connection. The pool is probably full.',
    'Unable to acquire a connection',
    'The claim on the database is in doubt: expected an answer',
  ]) {
    const refusal = refusalFor(words);

    expect([words, refusal?.message]).toEqual([words, 'does not answer: see that the server runs and listens there']);
    expect(refusal?.isConfiguration).toBe(false);
  }
});

test('a slow server, a locked table and a limit of the server each have a remedy', () => {
  expect(refusalFor('canceling statement due to statement timeout', '57014')?.message).toContain(
    'keeps the server busy',
  );
  expect(refusalFor('canceling statement due to lock timeout', '55P03')?.message).toContain('pg_locks');
  expect(refusalFor('temporary file size exceeds "temp_file_limit" (0kB)', '53400')?.message).toContain(
    'temp_file_limit',
  );
});
