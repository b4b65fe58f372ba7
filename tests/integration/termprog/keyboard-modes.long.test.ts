import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { moveKeys, pressKeys } from '../../harness/press-keys.ts';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { startTypist } from '../../harness/typist.ts';

const [A, F, SHIFT, CONTROL, ESCAPE, F5] = [38, 41, 50, 37, 9, 71];

test('an application that asks for events of keys receives presses, repetitions and releases', async () => {
  await using desktop = await startXDesktop();
  await using typist = await startTypist(desktop);
  await typist.tell('\x1b[>10u');
  const typed = typist.next();
  await moveKeys(desktop, [{ down: SHIFT }, { down: A }, { up: A }, { up: SHIFT }]);
  await moveKeys(desktop, [{ down: CONTROL }, { down: A }, { up: CONTROL }, { up: A }]);
  await pressKeys(desktop, [F5]);
  const told = await typed;
  const csi = (...codes: string[]): string => codes.map((code) => `\x1b[${code}`).join('');
  expect(told).toBe(csi('57441;2u', '97;2u', '97;2:3u', '57441;1:3u', '57442;5u', '97;5u', '57442;1:3u', '97;1:3u'));
});

test('a key that is held down repeats, and is released once', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('xset', 'r', 'rate', '60', '50');
  await using typist = await startTypist(desktop);
  await typist.tell('\x1b[>11u');
  await moveKeys(desktop, [{ down: A }]);
  await typist.sees((text) => text.includes('\x1b[97;1:2u\x1b[97;1:2u'));
  const typed = typist.next();
  await moveKeys(desktop, [{ up: A }]);
  await pressKeys(desktop, [F5]);
  expect((await typed).replaceAll('\x1b[97;1:2u', '')).toBe('\x1b[97;1:3u');
});

test('a key that is let go elsewhere is reported as released, and its next press is a press', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('xset', 'r', 'off');
  await using typist = await startTypist(desktop);
  await using other = await startTypist(desktop);
  const focus = ({ window }: { window: number }) => desktop.run('xdotool', 'windowfocus', '--sync', `${window}`);
  await focus(typist);
  await typist.tell('\x1b[>11u');
  const typed = typist.next();
  await moveKeys(desktop, [{ down: A }]);
  await focus(other);
  await moveKeys(desktop, [{ up: A }]);
  await focus(typist);
  await moveKeys(desktop, [{ down: A }, { up: A }]);
  await pressKeys(desktop, [F5]);
  expect(await typed).toBe('\x1b[97u\x1b[97;1:3u\x1b[97u\x1b[97;1:3u');
});

test('a key that is let go while a search is open is reported as released', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('xset', 'r', 'off');
  await using typist = await startTypist(desktop);
  await typist.tell('\x1b[>11u');
  const typed = typist.next();
  await moveKeys(desktop, [{ down: A }]);
  await pressKeys(desktop, [CONTROL, SHIFT, F]);
  await moveKeys(desktop, [{ up: A }]);
  await pressKeys(desktop, [ESCAPE], [A], [F5]);
  const told = (await typed).split('\x1b').filter((key) => key.startsWith('[97'));
  expect(told).toEqual(['[97u', '[97;1:3u', '[97u', '[97;1:3u']);
});

test('modes of the menu change what keys send', async () => {
  await using desktop = await startXDesktop();
  await using typist = await startTypist(desktop);
  expect(await typist.type('alt+038', 'BackSpace', 'ctrl+BackSpace')).toBe('\x1ba\x7f\b');
  await typist.tell('\x1b[?1039l\x1b[?67h');
  expect(await typist.type('alt+038', 'BackSpace', 'ctrl+BackSpace')).toBe('á\b\x7f');
  await typist.tell('\x1b[?1036h');
  expect(await typist.type('alt+038')).toBe('\x1ba');
});

/** Keys by their names in terminfo. */
const KEYS_OF_TERMINFO = {
  kcuu1: 'Up',
  kcud1: 'Down',
  kcuf1: 'Right',
  kcub1: 'Left',
  khome: 'Home',
  kend: 'End',
  kich1: 'Insert',
  kdch1: 'Delete',
  kpp: 'Prior',
  knp: 'Next',
  kbs: 'BackSpace',
  kcbt: 'shift+Tab',
  kent: 'KP_Enter',
  kf1: 'F1',
  kf4: 'F4',
  kf6: 'F6',
  kf12: 'F12',
  kf13: 'shift+F1',
  kf25: 'ctrl+F1',
  kf49: 'alt+F1',
  kDC: 'shift+Delete',
  kHOM: 'shift+Home',
  kLFT: 'shift+Left',
  kUP5: 'ctrl+Up',
  kDN3: 'alt+Down',
  kRIT7: 'ctrl+alt+Right',
} as const;

test('keys send what terminfo says of the terminal when a program has switched the keypad on', async () => {
  const listing = execFileSync('infocmp', ['-x', '-1', 'xterm-256color'], { encoding: 'utf8' });
  const capability = (name: string): string => {
    const written = new RegExp(`^\\t${name}=(.*),$`, 'm').exec(listing)?.[1] ?? `no ${name}`;
    return written.replaceAll('\\E', '\x1b').replace('^H', '\b').replace('^?', '\x7f').replace('\\177', '\x7f');
  };
  await using desktop = await startXDesktop();
  await using typist = await startTypist(desktop);
  await typist.tell(capability('smkx'));
  for (const [name, key] of Object.entries(KEYS_OF_TERMINFO)) {
    // Shift with cursor and editing keys is bound by translations in part; those keys are not in the table.
    expect([name, await typist.type(key)]).toEqual([name, capability(name)]);
  }
});
