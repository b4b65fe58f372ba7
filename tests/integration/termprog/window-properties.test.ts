import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';

/** Property -> its text, as xprop(1) prints it, without what belongs to one program. */
async function propertiesOf(window: number): Promise<Map<string, string>> {
  const printed = await desktop.run('xprop', '-id', `${window}`);
  const entries = printed.matchAll(/^(\w+)\(\w+\)(.*(?:\n\t.*)*)/gm);
  return new Map([...entries].map(([, name = '', value = '']) => [name, value]));
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();

test('a window has the properties of the reference terminal’s, and those that desktops look for', async () => {
  const script = 'sleep 60';
  await using terminal = await startTermprog(desktop, { script });
  await using reference = await startXterm(desktop, { script });

  const own = await waitFor('the window has its icon', async () => {
    const properties = await propertiesOf(terminal.window);
    return properties.has('_NET_WM_ICON') && properties;
  });
  const its = await propertiesOf(reference.window);

  // xterm has this property and ours does not: decision 110
  const left = ['WM_COMMAND'];
  const added = ['_NET_WM_NAME', '_NET_WM_ICON_NAME', '_NET_WM_ICON'];
  expect(sorted(own.keys())).toEqual(sorted([...its.keys(), ...added].filter((name) => !left.includes(name))));
  for (const same of ['WM_NORMAL_HINTS', 'WM_LOCALE_NAME', 'WM_CLIENT_MACHINE']) {
    expect(own.get(same), same).toBe(its.get(same));
  }
  const id = `window id # 0x${terminal.window.toString(16)}`;
  expect(own.get('WM_CLIENT_LEADER')).toContain(id);
  expect(own.get('WM_HINTS')).toContain(`window id # of group leader: 0x${terminal.window.toString(16)}`);
  expect(own.get('WM_HINTS')).toContain('Client accepts input or input focus: True');
  expect(own.get('WM_PROTOCOLS')).toMatch(/WM_DELETE_WINDOW, _NET_WM_PING/);
});

/** Hints about size and place, and where the window is, which must be as in the reference terminal. */
async function placeOf(window: number): Promise<string[]> {
  const hints = (await propertiesOf(window)).get('WM_NORMAL_HINTS') ?? '';
  const shape = await desktop.run('xwininfo', '-id', `${window}`);
  // Where the user gives a size, xterm says that the program does so too.
  const said = hints.split('\n').filter((line) => !line.includes('program specified size'));
  return [...said, ...shape.split('\n').filter((line) => /upper-left|Width|Height|-geometry/.test(line))];
}

for (const geometry of [
  '40x10',
  '40x10+7+9',
  '40x10-7+9',
  '40x10+7-9',
  '40x10-7-9',
  '40x10-0-0',
  '40x10+-7+-9',
  '40x10--7--9',
  '40x10-+7-+9',
  '=40X10+7+9',
  // The height has a sign.
  '40x+3',
  'x10',
  '40',
  '0x0+7+9',
]) {
  test(`-geometry ${geometry} makes the window of the reference terminal`, async () => {
    const script = 'sleep 60';
    const args = ['-geometry', geometry, '-bw', '3'];
    await using terminal = await startTermprog(desktop, { script, args });
    await using reference = await startXterm(desktop, { script, args });

    expect(await placeOf(terminal.window)).toEqual(await placeOf(reference.window));
  });
}

for (const [geometry, expected] of [
  ['80x24+5', '80x24+5+0'],
  ['80x24-5', '80x24-5+0'],
  ['+5+6', '80x24+5+6'],
] as const) {
  test(`-geometry ${geometry} is ${expected}`, async () => {
    await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-geometry', geometry] });

    const shape = await desktop.run('xwininfo', '-id', `${terminal.window}`);

    expect(shape).toContain(`-geometry ${expected}\n`);
    expect((await propertiesOf(terminal.window)).get('WM_NORMAL_HINTS')).toContain('user specified location: ');
  });
}

test('the geometry of the application counts where that of the text is unset', async () => {
  const script = 'sleep 60';
  await using terminal = await startTermprog(desktop, { script, args: ['-xrm', 'term.geometry: 30x7-4-5'] });
  await using inner = await startTermprog(desktop, {
    script,
    args: ['-xrm', 'term.geometry: 30x7-4-5', '-xrm', 'term.vt100.geometry: 20x5'],
  });

  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain('-geometry 30x7-4-5\n');
  expect(await desktop.run('xwininfo', '-id', `${inner.window}`)).toContain('-geometry 20x5+0+0\n');
});
