import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { badAtom, startAlteringServer, startSilentServer } from '../../harness/unwilling-x-server.ts';
import { runSelfTest } from './self-test-lines.ts';

for (const option of ['-self-test', '--self-test']) {
  test(`${option} finds everything that set-up installs, a line each, with status 0`, async ({ desktop }) => {
    verifies('termprog.option.self-test');

    const { status, head, verdicts } = await runSelfTest(desktop.environment, [option]);

    expect(status).toBe(0);
    expect(head).toMatch(/^termprog \d+\.\d+\.\d+ self-test$/);
    expect([...verdicts].filter(([, verdict]) => verdict !== 'ok')).toEqual([]);
    expect([...verdicts.keys()]).toEqual([
      ...['koffi', 'C library', 'FreeType', 'fontconfig', 'outline fonts', 'HarfBuzz'],
      ...['pseudo-terminal', 'terminfo', 'UTF-8', 'locale', 'Compose file', 'X resources', 'class defaults'],
      ...['X server', 'RENDER', 'RANDR', 'XKEYBOARD', 'BIG-REQUESTS', 'bitmap font', 'font at the start'],
    ]);
  });
}

test('a server without RENDER: the line says what that costs, and the status stays 0', async () => {
  await using plain = await startXDesktop(['-extension', 'RENDER']);

  const { status, verdicts, texts } = await runSelfTest(plain.environment, ['-self-test', '-fa', 'DejaVu Sans Mono']);

  expect(status).toBe(0);
  expect(verdicts.get('RENDER')).toBe('missing');
  expect(texts.get('RENDER')).toContain('so that text is drawn in bitmap fonts alone');
  expect(texts.get('font at the start')).toContain('so that bitmap fonts are used, cells of 6x13 pixels');
});

test('libraries that can not be loaded are named, with what they cost', async ({ desktop }) => {
  const folder = join(desktop.folder, 'libraries');
  mkdirSync(folder);
  for (const library of ['libfreetype.so.6', 'libharfbuzz.so.0']) writeFileSync(join(folder, library), '');

  const { status, verdicts, texts } = await runSelfTest({ ...desktop.environment, LD_LIBRARY_PATH: folder });

  expect(status).toBe(0);
  expect([...verdicts].filter(([, verdict]) => verdict === 'missing').map(([name]) => name)).toEqual(
    expect.arrayContaining(['FreeType', 'outline fonts', 'HarfBuzz']),
  );
  expect(texts.get('FreeType')).toContain('libfreetype.so.6 can');
});

test('a font, a locale and a terminal description that are not there are named', async ({ desktop }) => {
  const args = ['-self-test', '-fn', 'no-such-font', '-tn', 'no-such-terminal'];

  const { status, texts } = await runSelfTest({ ...desktop.environment, LC_ALL: 'C' }, args);

  expect(status).toBe(0);
  expect(texts.get('bitmap font')).toBe('the X server has no "no-such-font", so that "fixed" is used instead');
  expect(texts.get('locale')).toMatch(/^C is not a locale of UTF-8, so that /);
  expect(texts.get('terminfo')).toMatch(/^no description of no-such-terminal, so that /);
});

test('warnings of a start stand beside the sources of the resources', async ({ desktop }) => {
  const file = join(desktop.folder, 'environment');
  writeFileSync(file, '*saveLines: many\n');

  const { texts } = await runSelfTest({ ...desktop.environment, XENVIRONMENT: file });

  expect(texts.get('X resources')).toContain(`from ${file}`);
  expect(texts.get('X resources')).toContain('"many"');
});

test('a server that does not answer fails in its deadline, and everything else is still looked at', async () => {
  await using silent = await startSilentServer();

  const { status, verdicts, texts } = await runSelfTest({ DISPLAY: silent.display });

  expect(status).toBe(1);
  expect(texts.get('X server')).toBe('no result within 5 seconds');
  expect(verdicts.get('pseudo-terminal')).toBe('ok');
});

test('a server that refuses to return its resources fails, as at a start', async ({ desktop }) => {
  await using server = await startAlteringServer(desktop.environment.DISPLAY, (message, place) =>
    place === 1 ? badAtom(message) : message,
  );

  const { status, verdicts, texts } = await runSelfTest({ ...desktop.environment, DISPLAY: server.display });

  expect(status).toBe(1);
  expect(texts.get('X server')).toMatch(/^the X server :\d+ can't be asked for a property: Bad atom /);
  expect(verdicts.get('pseudo-terminal')).toBe('ok');
});
