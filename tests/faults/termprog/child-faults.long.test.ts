import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { ChildEnd } from '../../../src/termprog/pty/child.ts';
import type { Pty } from '../../../src/termprog/pty/pty.ts';
import { needs } from '../../harness/needs.ts';
import { openPty, startChild } from '../../unit/termprog/pty/open-pty.ts';
import { beBusy } from '../../unit/termprog/pty/terminals.ts';

/** Kills what is left of a child's group when the test is over. */
function groupOf(pty: Pty): Disposable {
  return {
    [Symbol.dispose]: () => {
      try {
        process.kill(-pty.pid, 'SIGKILL');
      } catch {
        // The group has ended.
      }
    },
  };
}

for (const [what, noise] of [
  ['one line after the other', 'while :; do echo noise; done'],
  ['as fast as they can', 'cat /dev/zero'],
] as const) {
  test(`background jobs that write ${what} do not hold up the end, nor is the child's last output lost`, async () => {
    const pty = openPty(`stty -opost; trap '' HUP; (${noise}) & sleep 0.2; printf LAST; exit 9`);
    using _group = groupOf(pty);
    let tail = '';
    let hadLast = false;
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<ChildEnd>();
    pty.listen({
      onData: (bytes) => {
        if (hadLast) return;
        tail = tail.slice(-4) + Buffer.from(bytes).toString('latin1');
        hadLast = tail.includes('LAST');
      },
      onDrained: () => {},
      onEnd,
    });
    expect(await ended).toEqual({ exitCode: 9, signal: undefined });
    expect(hadLast).toBe(true);
  });
}

test('a slow reader gets all output of the child, and little of what other programs write after it', async () => {
  // They begin when the child is gone: before, they would take the room of its own output.
  const others = "(trap '' HUP; while kill -0 $$ 2>/dev/null; do :; done; exec cat /dev/zero) &";
  const pty = openPty(`stty -opost; ${others} head -c 16000 /dev/zero | tr '\\0' x; printf L`);
  using _group = groupOf(pty);
  let ofChild = 0;
  let hadLast = false;
  let afterChild = 0;
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<ChildEnd>();
  pty.listen({
    onData: (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      ofChild += text.split('x').length - 1;
      if (hadLast) afterChild += bytes.length;
      hadLast ||= text.includes('L');
      // One piece alone takes longer than the end may be held up.
      beBusy(hadLast ? 20 : 200);
    },
    onDrained: () => {},
    onEnd,
  });
  expect(await ended).toEqual({ exitCode: 0, signal: undefined });
  expect(ofChild).toBe(16_000);
  expect(hadLast).toBe(true);
  expect(afterChild).toBeLessThan(256 * 1024);
});

test('a child that closes its terminal and goes on is given up after a second', async () => {
  const { pty, ended } = startChild('exec <&- >&- 2>&-; while :; do sleep 1; done');
  using _group = groupOf(pty);
  const startMs = performance.now();
  expect(await ended).toEqual({ exitCode: undefined, signal: undefined });
  expect(performance.now() - startMs).toBeGreaterThan(900);
});

test('the exit status of a child that closed its terminal shortly before its end is known', async () => {
  const { ended } = startChild('exec <&- >&- 2>&-; sleep 0.5; exit 6');
  expect(await ended).toEqual({ exitCode: 6, signal: undefined });
});

needs('root')('a child that became another user is hung up by the kernel', async () => {
  const program = `
    import { Pty } from '${resolve('src/termprog/pty/pty.ts')}';
    import { shellCommand } from '${resolve('tests/unit/termprog/pty/terminals.ts')}';
    const pty = new Pty(shellCommand('trap "" TERM; echo ready; sleep 60'));
    pty.listen({
      onData() {
        // This program becomes another user than its child, which it may not signal any more.
        process.setuid(65534);
        try { process.kill(-pty.pid, 0); } catch (error) { console.log(error.code); }
        pty.hangUp();
        pty.close();
        console.log(pty.pid);
      },
      onDrained() {},
      onEnd() {},
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 120_000,
  });
  const [error, pid] = stdout.trim().split('\n');
  expect(error).toBe('EPERM');
  await waitFor('the child is gone', () => {
    try {
      process.kill(Number(pid), 0);
      return false;
    } catch {
      return true;
    }
  });
});
