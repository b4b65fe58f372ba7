import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { terminfoSource } from '../../../src/generate/terminfo-source.ts';
import { DESCRIBED_CAPABILITIES } from '../../../src/termprog/engine/terminal-capabilities.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const SOURCE = 'share/terminfo/termprog.info';
const DEADLINE_MS = 60_000;

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', timeout: DEADLINE_MS, stdio: ['ignore', 'pipe', 'pipe'] });

test('the entry compiles without a remark, and the compiled one of the package is that of its source', async () => {
  await using folder = await tempFolder();
  // It prints a remark for each thing that is wrong, to standard error, and goes on.
  const remarks = run('sh', '-c', `tic -x -o "${folder.path}" ${SOURCE} 2>&1`);

  expect(remarks).toBe('');
  expect(readFileSync(SOURCE, 'utf8')).toBe(terminfoSource());
  expect(entryIn('share/terminfo')).toEqual(entryIn(folder.path));
});

test('the entry has what the terminal answers to a question for a capability', () => {
  const entry = entryIn('share/terminfo');
  const written = (sequence: string) => sequence.replaceAll('\\', '\\\\').replaceAll('\x1b', '\\E');

  for (const [name, sequence] of Object.entries(DESCRIBED_CAPABILITIES)) {
    expect(entry.get(name), name).toBe(written(sequence));
  }
});

test('the entry has true colours, styled underlines, synchronized output and the clipboard, and no printer', () => {
  const entry = entryIn('share/terminfo');

  expect([...entry.keys()]).toEqual(
    expect.arrayContaining(['Tc', 'setrgbf', 'Su', 'Smulx', 'Setulc', 'Sync', 'Ms', 'XF', 'Hls']),
  );
  expect(['mc5', 'mc4', 'meml', 'RGB'].filter((name) => entry.has(name))).toEqual([]);
  expect(run('env', `TERMINFO=${resolve('share/terminfo')}`, 'tput', '-T', 'termprog', 'colors').trim()).toBe('256');
});

test('the desktop entry, the icon and the data for software centres are there, and name each other', () => {
  const read = (path: string) => readFileSync(join('share', path), 'utf8');
  const entry = read('applications/termprog.desktop');

  expect(entry).toContain('\nExec=termprog\n');
  expect(entry).toContain('\nIcon=termprog\n');
  expect(entry).toContain('\nCategories=System;TerminalEmulator;\n');
  // The class of its windows, by which a desktop finds the entry of a window.
  expect(entry).toContain('\nStartupWMClass=Term\n');
  // Tools that collect such data want a domain in reverse, and a file with the name of the id.
  const metainfo = read('metainfo/org.example.termprog.metainfo.xml');
  expect(metainfo).toContain('<id>org.example.termprog</id>');
  expect(metainfo).toContain('<launchable type="desktop-id">termprog.desktop</launchable>');
  expect(read('icons/hicolor/scalable/apps/termprog.svg')).toMatch(/^<svg [^>]*viewBox="0 0 16 16"/);
});

/** Capability -> value, as infocmp prints what a compiled entry has. */
function entryIn(folder: string): Map<string, string> {
  const [, ...lines] = run('infocmp', '-x', '-1', '-A', resolve(folder), 'termprog').split('\n');
  return new Map(
    lines
      .map((line) => line.trim().replace(/,$/, ''))
      .filter((line) => line !== '')
      .map((line): [string, string] => {
        const [, name = line, value = ''] = /^(\w+)[=#](.*)$/.exec(line) ?? [];
        return [name, value];
      }),
  );
}
