import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

/** X11 protocol, appendix B. */
const COPY_AREA = 62;

const BLACK = 0;

/** 23 pages of 24 lines that differ. */
const OUTPUT = `i=0; while [ $i -lt 552 ]; do i=$((i+1)); printf '%05d %073d\\n' $i $((i * i)); done; sleep 60`;

test('a step into the history moves the lines that stay, and sends the others alone', async ({ desktop }) => {
  await using proxy = await startCountingServer(desktop.environment.DISPLAY);
  const environment = { DISPLAY: proxy.display };
  await using terminal = await startTermprog(desktop, {
    script: OUTPUT,
    args: ['-geometry', '80x24+0+0'],
    environment,
  });
  const { window } = terminal;
  const look = async (): Promise<string> => (await terminal.screenshot()).data.toString('base64');
  await waitFor('it prints', async () => countColor(await terminal.screenshot(), BLACK) > 10_000);
  await waitFor('it rests', async () => {
    const before = proxy.sentBytes();
    await look();
    return before === proxy.sentBytes();
  });
  await desktop.run('xdotool', 'mousemove', '200', '100');
  const turn = async (button: number): Promise<void> => {
    const before = await look();
    await desktop.run('xdotool', 'click', `${button}`);
    await waitFor('the view moves', async () => (await look()) !== before);
  };
  const [bytes, copies] = [proxy.sentBytes(), proxy.requests(COPY_AREA)];
  for (const button of [4, 4, 4, 4, 5, 4, 5, 4]) await turn(button);

  expect(proxy.requests(COPY_AREA) - copies).toBe(8);
  // Each shows 5 of 24 lines that were not there before: 400 characters, and what goes with them.
  expect(proxy.sentBytes() - bytes).toBeLessThan(8 * 1_000);
  const moved = await look();
  await desktop.run('xdotool', 'windowunmap', '--sync', `${window}`, 'windowmap', '--sync', `${window}`);
  await waitFor('all of it is painted anew and looks the same', async () => (await look()) === moved);
});
