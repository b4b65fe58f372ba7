import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { contentOf, spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const EXAMPLE = 'share/termprog/example.Xresources';

test.beforeAll(async () => {
  await desktop.run('xrdb', '-merge', EXAMPLE);
});

/** The lines of the file as one for each resource. */
const resources = (): [name: string, value: string][] =>
  readFileSync(EXAMPLE, 'utf8')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('!'))
    .map((line) => {
      const [, name = '', value = ''] = /^Term\*(?:VT100\.)?(\w+): (.*)$/.exec(line) ?? [];
      return [name, value];
    });

const size = async (window: number): Promise<string> => {
  const text = await desktop.run('xwininfo', '-id', `${window}`);
  return `${/Width: (\d+)/.exec(text)?.[1]}x${/Height: (\d+)/.exec(text)?.[1]}`;
};

test('every line of the example sets a resource that there is, to a value that is taken', async () => {
  const report = spawnTermprog(['-report-config'], desktop.environment);
  expect((await report.ended).exitCode).toBe(0);
  const lines = report.output().split('\n');

  expect(resources().length).toBeGreaterThan(8);
  for (const [name, value] of resources()) {
    const at = lines.findIndex((line) => new RegExp(`^term\\.(?:vt100\\.)?${name}: `).test(line));
    expect(lines[at - 1]).toMatch(new RegExp(`^! RESOURCE_MANAGER: Term\\*(?:VT100\\.)?${name}\\b`));
    if (name !== 'translations') expect(lines[at]?.replace(/^.*?: /, '')).toBe(value);
  }
});

test('the example’s font and colours are those of the window', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['+sb'],
    script: "printf '\\033[7m                    \\033[m\\n'; sleep 60",
  });

  await waitFor('the colours are drawn', async () => {
    const picture = await terminal.screenshot();
    const drawn = (color: number): number => countColor(picture, color);
    return drawn(0x1c1c1c) > 100_000 && drawn(0xd0d0d0) > 2_000 && drawn(0xffaf00) >= 9;
  });
  expect(await size(terminal.window)).toBe(`${80 * 9 + 4}x${24 * 19 + 4}`);
});

test('Control with plus, minus and 0 changes the size, and finds back to the first one', async () => {
  await using terminal = await startTermprog(desktop, { args: ['-xrm', '*scrollBar: false'], script: 'sleep 60' });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const first = await size(terminal.window);
  const after = async (key: string, before: string): Promise<string> => {
    await desktop.run('xdotool', 'key', key);
    return waitFor(`the size changes by ${key}`, async () => {
      const now = await size(terminal.window);
      return now === before ? undefined : now;
    });
  };
  const widthOf = (text: string): number => Number.parseInt(text, 10);

  const larger = await after('ctrl+plus', first);
  const largest = await after('ctrl+equal', larger);
  const smaller = await after('ctrl+minus', largest);

  expect(widthOf(larger)).toBeGreaterThan(widthOf(first));
  expect(widthOf(largest)).toBeGreaterThan(widthOf(larger));
  expect(smaller).toBe(larger);
  expect(await after('ctrl+0', smaller)).toBe(first);
});

test('the example is where -welcome says', async () => {
  const welcome = spawnTermprog(['-welcome'], desktop.environment);
  await welcome.ended;

  expect(welcome.output()).toContain(join(process.cwd(), EXAMPLE));
});

test('Control and Shift with C and V copy and paste by the clipboard', async () => {
  const file = desktop.newFile();
  const script = `printf 'copied42\\n'; read -r line; printf %s "$line" > ${file}; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-xrm', '*scrollBar: false'], script });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await waitFor('the text is there', async () => countColor(await terminal.screenshot(), 0xd0d0d0) > 5);

  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '20', '10');
  await desktop.run('xdotool', 'click', '--repeat', '2', '--delay', '60', '1');
  await desktop.run('xdotool', 'key', 'ctrl+shift+c');
  await desktop.run('xdotool', 'key', 'ctrl+shift+v');
  await desktop.run('xdotool', 'key', 'Return');

  await waitFor('what was copied was typed', () => contentOf(file) === 'copied42');
});
