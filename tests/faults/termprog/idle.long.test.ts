import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { type StartedTerminal, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { countColor } from '../../integration/termprog/pixels.ts';

const SILENCE_MS = 10_000;

/** Once, some time after the last output, memory is collected, with many wake-ups; a timer would come again. */
const ATTEMPTS = 4;

const OUTPUT = "seq 1 3000; printf '\\033]1;icon\\007\\007\\033[42m green \\033[m'; sleep 600";

for (const [state, prepare, ...args] of [
  ['shows its window', async () => {}],
  ['draws with outline fonts', async () => {}, '-fa', 'DejaVu Sans Mono'],
  [
    'has the focus',
    async (desktop, { window }) => void (await desktop.run('xdotool', 'windowfocus', '--sync', `${window}`)),
  ],
  [
    'shows older lines',
    async (desktop, { window }) => {
      await desktop.run('xdotool', 'windowfocus', '--sync', `${window}`);
      await desktop.run('xdotool', 'key', 'shift+Prior');
    },
  ],
  ['is hidden', async (desktop, { window }) => void (await desktop.run('xdotool', 'windowunmap', `${window}`))],
] as const satisfies readonly (readonly [
  string,
  (desktop: XDesktop, terminal: StartedTerminal) => Promise<void>,
  ...args: string[],
])[]) {
  test.concurrent(`a terminal that ${state} neither wakes nor sends anything in 10 s without output`, async () => {
    await using desktop = await startXDesktop();
    await using proxy = await startCountingServer(desktop.environment.DISPLAY);
    const environment = { DISPLAY: proxy.display };
    await using terminal = await startTermprog(desktop, { script: OUTPUT, args, environment });
    await waitFor('the output shows', async () => countColor(await terminal.screenshot(), 0x00cd00) > 100);
    await prepare(desktop, terminal);

    const rest = await restOf(terminal.process.pid, () => proxy.sentBytes());

    expect(rest).toEqual({ wakeUps: 0, bytes: 0 });
  });
}

/** Returns how often any thread of a process has gone to sleep by itself. */
function sleepsOf(pid: number): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((task) => {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the terminal's wake-ups and sent bytes in a time without any event. */
async function restOf(pid: number, sentBytes: () => number): Promise<{ wakeUps: number; bytes: number }> {
  let rest = { wakeUps: Number.NaN, bytes: Number.NaN };
  for (let attempt = 0; attempt < ATTEMPTS && !(rest.wakeUps === 0 && rest.bytes === 0); attempt += 1) {
    const [sleeps, bytes] = [sleepsOf(pid), sentBytes()];
    await delay(SILENCE_MS);
    rest = { wakeUps: sleepsOf(pid) - sleeps, bytes: sentBytes() - bytes };
  }
  return rest;
}
