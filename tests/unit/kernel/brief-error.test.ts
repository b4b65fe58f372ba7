import { expect, test } from 'vitest';
import { briefError } from '../../../src/kernel/brief-error.ts';

test('an error whose text is a long statement is logged with the beginning of it and what was wrong', () => {
  const cause = Object.assign(new Error(`insert ${'?, '.repeat(50_000)} - SQLITE_BUSY: database is locked`), {
    code: 'SQLITE_BUSY',
  });

  const brief = briefError(new Error('the database does not answer', { cause }));

  expect(brief).toMatchObject({
    message: expect.stringMatching(/^the database does not answer: insert .* … .*SQLITE_BUSY: database is locked$/),
  });
  expect(JSON.stringify(brief).length).toBeLessThan(6_000);
});

test('a short error is logged as it is', () => {
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  expect(briefError(error)).toMatchObject({ type: 'Error', message: 'refused', stack: error.stack, code: error.code });
});

test('a thrown value that is not an error is logged as it is', () => {
  expect(briefError('refused')).toBe('refused');
});
