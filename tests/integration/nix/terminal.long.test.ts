import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nixString } from '../../../src/generate/nix-text.ts';
import { parseResources } from '../../../src/termprog/xresource/resource-syntax.ts';
import { evaluate, evaluateHome, evaluateSystem, nixpkgsLib, nixTest } from '../../harness/nix/nix.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

const APP_DEFAULTS = 'X11/app-defaults/Term';

/** The file that the package ships at that place of its own, with the labels of the menus; it sets no resource. */
const SHIPPED = readFileSync(join('share', APP_DEFAULTS), 'utf8');

const configuration = (resources: string): string =>
  `programs.termprog = { enable = true; package = pkgs.fake "termprog" { }; resources = { ${resources} }; };`;
const system = (resources: string) => evaluateSystem(configuration(resources));
const home = (resources: string) => evaluateHome(configuration(resources));

nixTest('what is unset stays unwritten', async () => {
  const { etc, installed, warnings } = await system('');

  expect(etc[APP_DEFAULTS]).toBe(SHIPPED);
  expect(installed).toEqual(['termprog']);
  expect(warnings).toEqual([]);
});

for (const [what, definition, written] of [
  ['text', 'vt100.faceName = "DejaVu Sans Mono:size=11"', '*VT100.faceName: DejaVu Sans Mono:size=11\n'],
  ['a boolean', 'vt100.scrollBar = true', '*VT100.scrollBar: true\n'],
  ['an integer', 'vt100.saveLines = 2000', '*VT100.saveLines: 2000\n'],
  ['a number', 'vt100.faceSize = 11.5', '*VT100.faceSize: 11.5\n'],
  ['a boolean where words are allowed too', 'vt100.renderFont = true', '*VT100.renderFont: true\n'],
  ['one of those words', 'vt100.renderFont = "default"', '*VT100.renderFont: default\n'],
  ['a resource of the program', 'app.termName = "xterm"', '*termName: xterm\n'],
  ['an escape sequence', String.raw`vt100.answerbackString = "a\\tb"`, '*VT100.answerbackString: a\\tb\n'],
  ['an unpaired quote', `app.title = "Ada's terminal"`, "*title: Ada's terminal\n"],
] as const) {
  nixTest(`${what} is written as given`, async () => {
    expect((await system(`${definition};`)).etc[APP_DEFAULTS]).toBe(SHIPPED + written);
  });
}

for (const [what, definition, message] of [
  ['a resource that does not exist', 'vt100.savelines = 5', /savelines.*does not exist/s],
  ['a negative size', 'vt100.saveLines = -1', /saveLines.*not of type/s],
  ['a word that is not a choice', 'vt100.graphemeWidth = "wide"', /graphemeWidth.*not of type/s],
] as const) {
  nixTest(`${what} is refused by name`, async () => {
    await expect(system(`${definition};`)).rejects.toThrow(message);
  });
}

nixTest('a resource without effect is warned about once it is set, for a system and for one user', async () => {
  const told = (name: string) =>
    `programs.termprog.resources.${name} is accepted, but has no effect in this version of Homeport.`;
  const resources = 'vt100.limitFontHeight = 9; vt100.allowFontOps = true; vt100.saveLines = 5;';

  for (const { warnings } of [await system(resources), await home(resources)]) {
    expect(warnings.toSorted()).toEqual([told('vt100.allowFontOps'), told('vt100.limitFontHeight')]);
  }
});

nixTest('a system and one user have the same options, and their description says what a backslash means', async () => {
  const optionsOf = (module: string) =>
    evaluate(`let lib = import ${nixpkgsLib}; in
      lib.listToAttrs (map ({ name, description ? "", ... }: lib.nameValuePair name description)
        (lib.optionAttrSetToDocList (lib.evalModules {
          specialArgs.pkgs = import ./tests/harness/nix/pkgs.nix { inherit lib; };
          modules = [ ${module} { _module.check = false; } ];
        }).options.programs))`) as Promise<Record<string, string>>;

  const ofSystem = await optionsOf('./modules/termprog.nix');

  expect(await optionsOf('./modules/home/termprog.nix')).toEqual(ofSystem);
  expect(Object.keys(ofSystem)).toContain('programs.termprog.resources.vt100.saveLines');
  expect(ofSystem['programs.termprog.resources']).toContain(
    'a backslash in it means what it means in every file of X resources',
  );
});

nixTest('a file of the store that a value names comes with it', async () => {
  const text = await evaluate(`let lib = import ${nixpkgsLib}; in builtins.hasContext
    ((import ./modules/lib/xresources.nix { inherit lib; }).hidden {
      app.title = "\${builtins.toFile "words" "some"}";
    }).app.title`);

  expect(text).toBe(true);
});

/** Values that a preprocessor or a resource file could change -> what the terminal must see, where that differs. */
const NASTY: [string, string?][] = [
  ["Ada's terminal"],
  ['say "hi'],
  ['https://irc.example.org/x'],
  ['/* not a comment */ nor // this'],
  ['a /* b'],
  ['#include "/etc/passwd"'],
  ['#define x y ## #'],
  ['HOST CLASS COLOR WIDTH HEIGHT VENDOR linux unix __LINE__ __FILE__ __DATE__ i386 defined'],
  ['Ж é € 😀 \u{a0}'],
  ['$HOST $' + '{HOST} `HOST` %HOST% 100% %: <: :> ??/ ??='],
  [' leading blank'],
  ['\tleading tab'],
  ['two  blanks\tand tabs \t '],
  ['trailing blank '],
  [''],
  ['_Pragma("once") __VA_ARGS__ L"x'],
  ['\u0001\u001b[0m\u007f'],
  ['one\ntwo\n  three', 'one\ntwo\n  three'],
  ['a text of several lines\n', 'a text of several lines'],
  ['!comment: x*y.z'],
  [String.raw`\//`, '//'],
  [String.raw`a\nb\\nc`, 'a\nb\\nc'],
  [String.raw`\101\040\303\251\nHOST`, 'A é\nHOST'],
  [String.raw`\ kept \q\8`, ' kept q8'],
  ['joined \\\nHOST', 'joined HOST'],
  ['not joined\\\\\nHOST', 'not joined\\\nHOST'],
  ['a backslash at the end\\', 'a backslash at the end\\'],
  ['two at the end\\\\', 'two at the end\\'],
  ['three at the end\\\\\\', 'three at the end\\\\'],
  ['word '.repeat(2_048)],
  ['w'.repeat(10_240)],
  [`'"/*//`.repeat(2_048)],
];

/** Resources of the program that hold any text. */
const NAMES = ['title', 'iconName', 'termName', 'pipeCommandOutput', 'menuLocale'];

const batches = Array.from({ length: Math.ceil(NASTY.length / NAMES.length) }, (_, index) =>
  NASTY.slice(index * NAMES.length, (index + 1) * NAMES.length),
);

describe('a value is for the terminal what it was in Nix,', () => {
  let desktop: XDesktop;
  beforeAll(async () => {
    desktop = await startXDesktop();
  });
  afterAll(() => desktop[Symbol.asyncDispose]());

  /** Returns the resources that the terminal reports. */
  function seen(environment: Record<string, string> = {}): Map<string, string> {
    const report = execFileSync(resolve('bin/termprog'), ['-report-config'], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...desktop.environment, ...environment },
      encoding: 'latin1',
      timeout: 120_000,
      // The terminal warns about resources without effect.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Map(parseResources(report).map(({ specifier, value }) => [specifier, value]));
  }

  /** The server's resources after xrdb has loaded the lines, as Home Manager and display managers do. */
  async function loaded(lines: string[], ...how: string[]): Promise<Map<string, string>> {
    const file = join(desktop.folder, 'Xresources');
    writeFileSync(file, `${lines.join('\n')}\n`);
    await desktop.run('xrdb', '-remove');
    await desktop.run('xrdb', ...how, '-merge', file);
    return seen();
  }

  /** Expects the same resources by each way of loading them. */
  async function expectHidden(resources: string, expected: Record<string, string>): Promise<void> {
    const lines = Object.entries((await home(resources)).xresources.properties).map(
      ([name, value]) => `${name}: ${value}`,
    );
    for (const how of [['-cpp', '/usr/bin/cpp'], ['-cpp', '/usr/bin/mcpp'], ['-nocpp']]) {
      expect(Object.fromEntries(await loaded(lines, ...how)), how.join(' ')).toMatchObject(expected);
    }
  }

  for (const batch of batches) {
    const names = batch.map(([value]) => JSON.stringify(value.slice(0, 12))).join(', ');
    const resources = batch.map(([value], index) => `app.${NAMES[index]} = ${nixString(value)};`).join(' ');
    const expected = Object.fromEntries(batch.map(([value, meant = value], index) => [`term.${NAMES[index]}`, meant]));

    nixTest(`by Home Manager through cpp, mcpp and no preprocessor: ${names}`, () => expectHidden(resources, expected));

    nixTest(`by the class defaults of a system: ${names}`, async () => {
      writeFileSync(join(desktop.folder, 'Term'), (await system(resources)).etc[APP_DEFAULTS] ?? '');
      await desktop.run('xrdb', '-remove');

      const found = seen({ XFILESEARCHPATH: join(desktop.folder, '%N') });
      expect(Object.fromEntries(found)).toMatchObject(expected);
    });
  }

  nixTest('by Home Manager, also where it names every macro that xrdb defines for this server', async () => {
    const symbols = await desktop.run('xrdb', '-symbols');
    const value = Array.from(symbols.matchAll(/-D(\w+)/g), ([, name]) => name).join(' ');
    expect(value).toMatch(/HOST .*CLASS.* COLOR/);

    await expectHidden(`app.title = ${nixString(value)};`, { 'term.title': value });
  });

  test('both preprocessors change text that is not protected from them', async () => {
    const lines = ["Term.title: Ada's", 'Term.iconName: HOST', 'Term.termName: a // b'];

    for (const cpp of ['/usr/bin/cpp', '/usr/bin/mcpp']) {
      const found = await loaded(lines, '-quiet', '-cpp', cpp);
      expect(found.get('term.iconName'), cpp).not.toBe('HOST');
      expect(found.get('term.termName'), cpp).not.toBe('a // b');
    }
  });
});
