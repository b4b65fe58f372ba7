import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';

/** Moments of the end in milliseconds: from the first request of a switch to some time after the last. */
const MOMENTS_MS = [0, 10, 20, 40, 80];

interface Case {
  end(terminal: StartedTerminal, go: string): unknown;
  status: number;
  output: RegExp;
}

const cases: Record<string, Case> = {
  'its window is destroyed': {
    end: ({ window }) => desktop.run('xdotool', 'windowclose', `${window}`),
    status: 0,
    output: /^$/,
  },
  'it is cut off from the X server': {
    end: ({ window }) => desktop.run('xdotool', 'windowkill', `${window}`),
    status: 1,
    output: /^termprog: the X server :\d+ closed the connection\n$/,
  },
  'it is asked to end by a signal': { end: ({ process }) => process.kill('SIGTERM'), status: 0, output: /^$/ },
  'its child ends': { end: (_, go) => writeFileSync(go, ''), status: 0, output: /^$/ },
};

for (const [what, { end, status, output }] of Object.entries(cases)) {
  test(`while fonts are switched ${what}, and the terminal ends as it always does`, async () => {
    for (const moment of MOMENTS_MS) {
      const go = desktop.newFile();
      await using terminal = await startTermprog(desktop, {
        args: ['-fa', 'DejaVu Sans Mono', '-fs', '11'],
        script: `printf 'text 漢字 🚀'; while [ ! -e ${go} ]; do sleep 0.01; done; exit 3`,
      });
      await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
      await desktop.run('xdotool', 'key', '--delay', '0', 'shift+KP_Add', 'shift+KP_Add', 'shift+KP_Subtract');
      await delay(moment);
      await end(terminal, go);

      expect((await terminal.process.ended).exitCode).toBe(status);
      expect(terminal.process.output()).toMatch(output);
    }
  });
}
