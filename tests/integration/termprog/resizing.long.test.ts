import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';

const STRUCTURE_NOTIFY_MASK = 1 << 17;
const CONFIGURE_NOTIFY = 22;

/** A script that appends the size to a file at the start and at each notice of another one. */
const telling = (file: string): string =>
  `trap 'stty size >> ${file}' WINCH; stty size > ${file}; while :; do sleep 0.02; done`;

const sizesIn = (file: string): string[] => contentOf(file).split('\n').slice(0, -1);

test('the child sees a part of a thousand resizes, and the last one', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, { script: telling(file) });
  await waitFor('the first size is told', () => sizesIn(file).length === 1);
  const { client } = await connectX(desktop.environment);

  for (let count = 0; count < 1_000; count += 1) {
    client.ConfigureWindow(terminal.window, {
      width: 1 + ((count * 7_919) % 1_200),
      height: 1 + ((count * 104_729) % 900),
    });
  }
  client.ConfigureWindow(terminal.window, { width: 4 + 6 * 33, height: 4 + 13 * 11 });
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();

  await waitFor('the last size is told', () => sizesIn(file).at(-1) === '11 33');
  expect(sizesIn(file).length).toBeLessThan(100);
  expect(terminal.process.output()).toBe('');
});

test('a size that another program only announces has no effect', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, { script: telling(file) });
  await waitFor('the first size is told', () => sizesIn(file).length === 1);
  const { client } = await connectX(desktop.environment);
  const event = Buffer.alloc(32);
  event[0] = CONFIGURE_NOTIFY;
  event.writeUInt32LE(terminal.window, 4);
  event.writeUInt32LE(terminal.window, 8);
  event.writeUInt16LE(65_535, 20);
  event.writeUInt16LE(65_535, 22);

  client.SendEvent(terminal.window, 0, STRUCTURE_NOTIFY_MASK, event);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.ConfigureWindow(terminal.window, { width: 4 + 6 * 33, height: 4 + 13 * 11 });
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();

  await waitFor('the real size is told', () => sizesIn(file).at(-1) === '11 33');
  expect(sizesIn(file)).toEqual(['24 80', '11 33']);
});

test('a window as large as X allows, and one of a single pixel, keep a screen', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, { script: telling(file) });
  await waitFor('the first size is told', () => sizesIn(file).length === 1);
  const resize = (width: number, height: number): Promise<string> =>
    desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${width}`, `${height}`);

  await resize(32_767, 400);
  await waitFor('5,460 columns are told', () => sizesIn(file).at(-1) === '30 5460');
  await resize(1, 1);
  await waitFor('one cell is told', () => sizesIn(file).at(-1) === '1 1');
  await resize(32_767, 32_767);
  await waitFor('as much as the terminal handles is told', () => /^\d+ 5460$/.test(sizesIn(file).at(-1) ?? ''));
  await resize(484, 316);
  await waitFor('the usual size is told', () => sizesIn(file).at(-1) === '24 80');

  expect(terminal.process.output()).toBe('');
});
