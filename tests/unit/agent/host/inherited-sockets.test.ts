import { expect, test } from 'vitest';
import { inheritedSockets } from '../../../../src/agent/host/inherited-sockets.ts';

const LISTEN_PID = String(process.pid);

for (const [what, env, descriptors] of [
  ['one socket', { LISTEN_PID, LISTEN_FDS: '1' }, [3]],
  ['three sockets', { LISTEN_PID, LISTEN_FDS: '3' }, [3, 4, 5]],
  ['nothing', {}, []],
  ['sockets for another process', { LISTEN_PID: '1', LISTEN_FDS: '1' }, []],
  ['no number', { LISTEN_PID, LISTEN_FDS: 'x' }, []],
  ['a number below one', { LISTEN_PID, LISTEN_FDS: '-1' }, []],
  ['an absurd number', { LISTEN_PID, LISTEN_FDS: '1000000' }, []],
] as const) {
  test(`passed ${what}, the process takes ${descriptors.length}`, () => {
    expect(inheritedSockets(env)).toEqual(descriptors);
  });
}
