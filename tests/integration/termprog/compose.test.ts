import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { startTypist } from '../../harness/typist.ts';

/** Keycodes of a PC keyboard by their letters in the layout of the United States. */
const [A, B, E, O, Q, X, QUOTE, SLASH, SPACE] = ['038', '056', '026', '032', '024', '053', '048', '061', '065'];
/** A spare key, which becomes the Compose key. */
const MULTI = '248';

async function desktopWithCompose(): Promise<XDesktop> {
  const desktop = await startXDesktop();
  await desktop.run('xmodmap', '-e', `keycode ${MULTI} = Multi_key`);
  return desktop;
}

/** A home folder with a Compose file of its own. */
function homeWith(desktop: XDesktop, lines: readonly string[]): { HOME: string } {
  const HOME = join(desktop.folder, 'home');
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, '.XCompose'), `${lines.join('\n')}\n`);
  return { HOME };
}

test('sequences with the Compose key make the characters of the locale file, and keys keep their order', async () => {
  await using desktop = await desktopWithCompose();
  await using typist = await startTypist(desktop);
  expect(await typist.type(X, MULTI, QUOTE, E, A, MULTI, O, SLASH, 'shift+056', MULTI, O, A, B)).toBe('xéaøBåb');
});

test('a sequence that does not exist is lost with its last key, and modifiers do not end one', async () => {
  await using desktop = await desktopWithCompose();
  await using typist = await startTypist(desktop);
  expect(await typist.type(MULTI, QUOTE, Q, A, MULTI, QUOTE, 'Caps_Lock', E, 'Caps_Lock', B)).toBe('aÉb');
});

test('a dead key and a space, or the same dead key twice, make the accent itself', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('setxkbmap', 'us', 'intl');
  await using typist = await startTypist(desktop);
  expect(await typist.type(QUOTE, SPACE, QUOTE, QUOTE, QUOTE, 'shift+026', QUOTE, X, A)).toBe("'´Éa");
});

test('~/.XCompose adds sequences to those of the locale, with modifiers and escapes', async () => {
  await using desktop = await desktopWithCompose();
  const environment = homeWith(desktop, [
    '# mine',
    'include "%L"',
    '<Multi_key> <x> <x> : "two\\nlines \\342\\202\\254" # a comment',
    '!Ctrl <x> : "control"',
    '<Multi_key> <F2> : eacute',
  ]);
  await using typist = await startTypist(desktop, environment);
  expect(await typist.type(MULTI, X, X, `ctrl+${X}`, X, MULTI, 'F2', MULTI, QUOTE, E)).toBe('two\nlines €controlxéé');
});

test('faults of ~/.XCompose are reported once with file and line, and the rest of it holds', async () => {
  await using desktop = await desktopWithCompose();
  const environment = homeWith(desktop, [
    '<Multi_key> <nosuchkey> : "?"',
    'include "/nonexistent/Compose"',
    'nonsense',
    `include "%H/.XCompose"`,
    '<Multi_key> <x> : "fine"',
  ]);
  await using typist = await startTypist(desktop, environment);
  expect(await typist.type(MULTI, X, MULTI, X)).toBe('finefine');
  const file = join(environment.HOME, '.XCompose');
  expect(typist.complaints).toContain(`${file}:1: <nosuchkey> is not a key`);
  expect(typist.complaints).toContain(`${file}:2: /nonexistent/Compose can't be read`);
  expect(typist.complaints).toContain(`${file}:3: has no keys and colon`);
  expect(typist.complaints).toContain(`${file}:4: ${file} includes itself`);
});

test('a composed text scrolls to the screen as a typed key does, when scrollKey is set', async () => {
  await using desktop = await desktopWithCompose();
  await using typist = await startTypist(desktop, homeWith(desktop, ['<Multi_key> <a> : "ä"']));
  expect(await typist.type(MULTI, A)).toBe('ä');
});

/** Starts a terminal that says what it reads. */
const startSaying = (desktop: XDesktop, environment: Record<string, string> = {}) =>
  startTermprog(desktop, { args: ['-log', 'debug'], script: 'sleep 60', environment });

const READ = /Compose: \S+ has \d+ sequences/;

test('the Compose file is read before a key is pressed, where the keyboard has dead keys', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('setxkbmap', 'us', 'intl');
  await using terminal = await startSaying(desktop);

  await waitFor('it is read', () => READ.test(terminal.process.output()), { process: terminal.process });
});

test('a file of the user is read before a key is pressed, too, and no file where no key needs one', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('setxkbmap', 'us');
  await using plain = await startSaying(desktop);
  // Started later, so that the one before has passed the moment at which it would have read.
  await using own = await startSaying(desktop, homeWith(desktop, ['<Multi_key> <x> : "y"']));

  await waitFor('the file of the user is read', () => own.process.output().includes('.XCompose has 1 sequences'));
  expect(plain.process.output()).toContain('the command runs');
  expect(plain.process.output()).not.toMatch(READ);
});
