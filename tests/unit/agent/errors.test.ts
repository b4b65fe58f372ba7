import { expect, test } from 'vitest';
import { UnreadableSourceError } from '../../../src/agent/errors.ts';

const failure = (code: string, text: string): Error =>
  Object.assign(new Error(`${code}: ${text}, open '/usr/lib/modules'`), { code });

test('a file that is closed to the account of the agent is told with what to do, one that is broken without', () => {
  const closed = new UnreadableSourceError('/usr/lib/modules', failure('EACCES', 'permission denied'));
  const broken = new UnreadableSourceError('/usr/lib/modules', failure('EIO', 'i/o error'));

  expect(closed.message).toBe(
    "could not read /usr/lib/modules: EACCES: permission denied: let the agent's account read it (chmod o+r) and enter each directory on the way (chmod o+x)",
  );
  expect(broken.message).toBe('could not read /usr/lib/modules: EIO: i/o error');
});
