import { expect, test } from 'vitest';
import { UnreadableSourceError } from '../../../src/agent/errors.ts';

const failure = (code: string, text: string): Error =>
  Object.assign(new Error(`${code}: ${text}, open '/usr/lib/modules'`), { code });

test('the error for a file that the agent may not read has a remedy, the one for a broken file has none', () => {
  const closed = new UnreadableSourceError('/usr/lib/modules', failure('EACCES', 'permission denied'));
  const broken = new UnreadableSourceError('/usr/lib/modules', failure('EIO', 'i/o error'));

  expect(closed.message).toBe(
    "could not read /usr/lib/modules: EACCES: permission denied: let the agent's account read it (chmod o+r) and enter each directory on the way (chmod o+x)",
  );
  expect(broken.message).toBe('could not read /usr/lib/modules: EIO: i/o error');
});
