import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../schemas/termprog/program-options.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { readFile } from '../../../src/termprog/host-facts.ts';
import { parseCommandLine } from '../../../src/termprog/xresource/command-line.ts';
import { encodeBytes } from '../../../src/termprog/xresource/decode-bytes.ts';
import { createOptionTable } from '../../../src/termprog/xresource/option-table.ts';
import { parseResources } from '../../../src/termprog/xresource/resource-syntax.ts';
import { collectResources } from '../../../src/termprog/xresource/sources.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { needs } from '../../harness/needs.ts';
import { spawnTermprog, type XDesktop } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { askLibraries, getCommand, PART } from '../../harness/x-resources/oracle.ts';

/** Each starts a program of the toolkit. */
const MACHINES = 120;

/** Predefined atoms; X11 protocol, Appendix B. */
const RESOURCE_MANAGER = 23;
const STRING = 31;

const table = createOptionTable(termprogResources, termprogProgramOptions);

let desktop: XDesktop;

test.beforeAll(({ desktop: started }) => {
  desktop = started;
});

/** Files that some source may lead to, from the folder of a machine. */
const FILES = [
  `home/.Xdefaults-${hostname()}`,
  'home/.Xdefaults',
  ...['home', 'mine', 'system/app-defaults', 'system'].flatMap((folder) =>
    ['', 'C/', 'C.UTF-8/', 'C/app-defaults/'].flatMap((language) => [
      `${folder}/${language}Term`,
      `${folder}/${language}Term-color`,
    ]),
  ),
  'environment',
];

const ASKED = [
  ['title', 'Title'],
  ['iconName', 'IconName'],
  ['customization', 'Customization'],
  ['geometry', 'Geometry'],
] as const;

const name = fc.constantFrom('*title', 'term.title', 'Term.title', '*Title', 'other*title', '*iconName', '*geometry');
/** Lines of a source, whose values are its own name: they show where a value comes from. */
const linesOf = (source: string) =>
  fc
    .tuple(
      fc.array(name, { maxLength: 3 }),
      fc.constantFrom('', '', '', '*customization: -color\n', '*xnlLanguage: C.UTF-8\n', '#include "beside"\n'),
    )
    .map(([names, special]) => names.map((each) => `${each}: ${source}\n`).join('') + special);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

interface Machine {
  locale: string | undefined;
  resourceName: string | undefined;
  paths: readonly ('XENVIRONMENT' | 'XUSERFILESEARCHPATH' | 'XAPPLRESDIR')[];
}

const machine = fc.record({
  files: fc.tuple(...FILES.map((file) => maybe(linesOf(file)))),
  resourceManager: maybe(fc.oneof(fc.constant(''), linesOf('RESOURCE_MANAGER'))),
  screenResources: maybe(linesOf('SCREEN_RESOURCES')),
  locale: fc.constantFrom(undefined, 'C', 'C.UTF-8'),
  resourceName: maybe(fc.constantFrom('other', 'term')),
  paths: fc.subarray(['XENVIRONMENT', 'XUSERFILESEARCHPATH', 'XAPPLRESDIR'] as const),
  argv: fc
    .subarray(
      [
        ['-title', 'option'],
        ['-name', 'other'],
        ['-xrm', '*title: xrm'],
        ['-xrm', 'term.iconName: xrm'],
        ['-xrm', '*customization: -color'],
        ['-xnllanguage', 'C.UTF-8'],
      ],
      { maxLength: 3 },
    )
    .map((options) => options.flat()),
});

needs('headers of libXt')('every random combination of sources answers as a program of the toolkit does', async () => {
  await using folder = await tempFolder();
  const { client, screen } = await connectX(desktop.environment);
  const root = screen[0]?.root ?? 0;
  const screenAtom = await answer<number>('an atom', (reply) => client.InternAtom(false, 'SCREEN_RESOURCES', reply));
  const setProperty = (atom: number, text: string | undefined): void => {
    if (text === undefined) client.DeleteProperty(root, atom);
    else client.ChangeProperty(0, root, atom, STRING, 8, Buffer.from(text));
  };
  const differing: unknown[] = [];
  const origins = new Set<string>();
  for (const [index, each] of fc.sample(machine, MACHINES).entries()) {
    const at = (path: string): string => join(folder.path, String(index), path);
    writeFiles(at(''), each.files);
    setProperty(RESOURCE_MANAGER, each.resourceManager);
    setProperty(screenAtom, each.screenResources);
    await answer('the focus', (reply) => client.GetInputFocus(reply));
    const environment = environmentOf(each, at(''));
    const commandLine = parseCommandLine(each.argv, table);
    const instance = commandLine.name ?? each.resourceName ?? 'term';

    const theirs = askLibraries(
      [
        ['display', each.argv.join(PART)],
        ...ASKED.map(([resource, className]) => getCommand([instance, resource], ['Term', className])),
      ],
      { ...desktop.environment, ...environment },
    );

    const { database } = collectResources(
      {
        environment,
        home: at('home'),
        hostName: hostname(),
        readFile: (path) => readFile(path)?.toString('latin1'),
        resourceManager: each.resourceManager,
        screenResources: each.screenResources,
      },
      { instance, class: 'Term' },
      commandLine.resources,
    );
    const found = ASKED.map(([resource, className]) =>
      database.lookup({ names: [instance, resource], classes: ['Term', className] }),
    );
    for (const stored of found) if (stored !== undefined) origins.add(stored.value);
    const ours = found.map((stored) => stored?.value);
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push({ ...each, environment, ours, theirs });
  }
  setProperty(RESOURCE_MANAGER, undefined);
  setProperty(screenAtom, undefined);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();

  expect(differing.slice(0, 2)).toEqual([]);
  // Values came from most of the sources.
  expect(origins.size).toBeGreaterThan(15);
});

test('resources of the first screen count for every screen, those of a screen for itself', async () => {
  await using folder = await tempFolder();
  const displayFile = join(folder.path, 'display');
  const server = startProcess({
    name: 'Xvfb with two screens',
    command: [
      'sh',
      '-c',
      'exec 3>"$1"; shift; exec Xvfb -displayfd 3 "$@"',
      ...[
        'sh',
        displayFile,
        '-screen',
        '0',
        '640x480x24',
        '-screen',
        '1',
        '640x480x24',
        '-nolisten',
        'tcp',
        '-noreset',
        '-ac',
      ],
    ],
  });
  const number = await waitFor(
    'it tells its number',
    () => /^(\d+)\n/.exec(readFile(displayFile)?.toString() ?? '')?.[1],
    {
      process: server,
    },
  );
  onTestFinished(() => server.stop());
  const load = async (display: string, ...args: string[]): Promise<void> => {
    const file = join(folder.path, 'resources');
    writeFileSync(file, `*title: on ${display}\n*iconName: ${args.join(' ')}\n`);
    expect(
      (await startProcess({ name: 'xrdb', command: ['xrdb', '-display', display, '-nocpp', ...args, file] }).ended)
        .exitCode,
    ).toBe(0);
  };
  await load(`:${number}`, '-global', '-load');
  await load(`:${number}.1`, '-screen', '-load');

  const reported = async (display: string): Promise<Map<string, string>> => {
    const program = spawnTermprog(['-report-config'], { DISPLAY: display, XAUTHORITY: undefined });
    expect((await program.ended).exitCode).toBe(0);
    return new Map(parseResources(encodeBytes(program.output())).map(({ specifier, value }) => [specifier, value]));
  };

  expect((await reported(`:${number}.0`)).get('term.title')).toBe(`on :${number}`);
  expect((await reported(`:${number}.1`)).get('term.title')).toBe(`on :${number}.1`);
  await startProcess({ name: 'xrdb', command: ['xrdb', '-display', `:${number}.1`, '-screen', '-remove'] }).ended;
  expect((await reported(`:${number}.1`)).get('term.title')).toBe(`on :${number}`);
});

test('the whole lines at the beginning of a property that is too long count, and the cut is reported', async () => {
  const { client, screen } = await connectX(desktop.environment);
  const root = screen[0]?.root ?? 0;
  const line = `*title: ${'x'.repeat(91)}\n`;
  const piece = Buffer.from(line.repeat(2_000));
  client.ChangeProperty(0, root, RESOURCE_MANAGER, STRING, 8, Buffer.from('*saveLines: 77\n'));
  for (let time = 0; time < 25; time++) client.ChangeProperty(2, root, RESOURCE_MANAGER, STRING, 8, piece);
  await answer('the focus', (reply) => client.GetInputFocus(reply));

  const program = spawnTermprog(['-report-config'], desktop.environment);

  expect((await program.ended).exitCode).toBe(0);
  client.DeleteProperty(root, RESOURCE_MANAGER);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();
  const lines = program.output().split('\n');
  expect(lines).toContain('term.vt100.saveLines: 77');
  expect(lines).toContain(`term.title: ${'x'.repeat(91)}`);
  const bytes = 15 + 41_942 * 100;
  expect(lines).toContain(
    `termprog: warning: resources of RESOURCE_MANAGER: only the first ${bytes} bytes have an effect; the rest is not read`,
  );
});

test('without a display the configuration is made of the files, says so, and ends well', async () => {
  await using folder = await tempFolder();
  writeFileSync(join(folder.path, '.Xdefaults'), '*saveLines: 77\n#include "missing"\n');
  const environment = { HOME: folder.path, DISPLAY: undefined, XAUTHORITY: undefined };

  for (const [args, why] of [
    [[], 'no X server is named: set DISPLAY or use -display, such as -display :0'],
    [['-display', ':7654'], 'can\'t open the display ":7654": no X server answers there'],
  ] as const) {
    const program = spawnTermprog(['-report-config', ...args], environment);

    expect((await program.ended).exitCode).toBe(0);
    const lines = program.output().split('\n');
    expect(lines).toContain(`! without the resources that an X server keeps: ${why}`);
    expect(lines).toContain('term.vt100.saveLines: 77');
    expect(lines).toContain(`! ${folder.path}/.Xdefaults: *saveLines`);
    expect(lines).toContain(
      `termprog: warning: resources of ${folder.path}/.Xdefaults: #include "${folder.path}/missing" has no effect: there is no such file, or none that can be read`,
    );
  }
});

for (const [what, args, line] of [
  [
    'a number that is none',
    ['-sl', 'many'],
    '"many" (from command line: -sl) is not an integer of at least 0; the default "1024" is used',
  ],
  ['a geometry that is none', ['-geometry', '80by24'], '"80by24" (from command line: -geometry) is not a geometry'],
  [
    'a colour of a wrong form',
    ['-bg', 'rgb:1/2'],
    '"rgb:1/2" (from command line: -bg) is not a colour as rgb:rr/gg/bb',
  ],
  ['a line that sets nothing', ['-xrm', 'nonsense'], '-xrm "nonsense" sets no resource: expected NAME: VALUE'],
  [
    'a word that names no operation',
    ['-xrm', '*disallowedWindowOps: GetSelecton'],
    'resource vt100.disallowedWindowOps: "GetSelecton" is not the name of an operation; expected GetSelection, ',
  ],
  [
    'a colour that the server does not know',
    ['-xrm', '*foreground: light\\nblue'],
    'no colour "light?blue"; the default is used; expected a name that it knows, such as "red", or numbers, such as #ff0000',
  ],
  ['a timeout that is none', ['-selectionTimeout', '0'], 'resource term.selectionTimeout: "0"'],
] as const) {
  test(`${what} is reported in one line, and the terminal goes on`, async () => {
    const program = spawnTermprog([...args, '-e', 'true'], desktop.environment);

    expect((await program.ended).exitCode).toBe(0);
    const lines = program.output().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(line);
  });
}

test('files of resources that can not be read are reported, and the terminal goes on', async () => {
  await using folder = await tempFolder();
  const large = join(folder.path, 'large');
  writeFileSync(large, '! '.padEnd(10_000_000));
  const missing = join(folder.path, 'missing');
  for (const [environment, args, lines] of [
    [{ XENVIRONMENT: large }, [], [`resources of ${large} have no effect: it has more than 4194304 bytes`]],
    [{ XUSERFILESEARCHPATH: large }, [], [`resources of ${large} have no effect: it has more than 4194304 bytes`]],
    [
      { XENVIRONMENT: missing },
      [],
      [`resources of ${missing} have no effect: XENVIRONMENT: there is no such file, or none that can be read`],
    ],
    [{}, ['-xrm', `#include "${large}"`], [`-xrm: #include "${large}" has no effect: it has more than 4194304 bytes`]],
    [{ XENVIRONMENT: '/dev/null' }, [], []],
  ] as const) {
    const program = spawnTermprog([...args, '-e', 'true'], { ...desktop.environment, ...environment });

    expect((await program.ended).exitCode).toBe(0);
    expect(program.output()).toBe(lines.map((line) => `termprog: warning: ${line}\n`).join(''));
  }
});

test('a prefix that several options have is refused with their names', async () => {
  const program = spawnTermprog(['-fo', 'x'], desktop.environment);

  expect((await program.ended).exitCode).toBe(1);
  expect(program.output()).toMatch(
    /^termprog: bad command line option "-fo": it may be -font, -foreground\n\nusage: {2}/,
  );
});

/** Writes the files of a machine into its folder, and into each folder one that they may include. */
function writeFiles(folder: string, texts: readonly (string | undefined)[]): void {
  for (const [place, text] of texts.entries()) {
    const file = join(folder, FILES[place] ?? '');
    mkdirSync(dirname(file), { recursive: true });
    if (text !== undefined) writeFileSync(file, text);
    writeFileSync(join(dirname(file), 'beside'), '*geometry: beside\n');
  }
}

function environmentOf({ locale, resourceName, paths }: Machine, folder: string): Record<string, string> {
  const [mine, system] = [join(folder, 'mine'), join(folder, 'system')];
  const values = {
    XENVIRONMENT: join(folder, 'environment'),
    XUSERFILESEARCHPATH: `${mine}/%L/%N%C:${mine}/%T/%N::${mine}/%N`,
    XAPPLRESDIR: mine,
  };
  const systemPaths = ['%L/%T/%N%C', '%l/%T/%N%C', '%T/%N%C', '%L/%T/%N', '%l/%N', '%T/%N'];
  return {
    HOME: join(folder, 'home'),
    XFILESEARCHPATH: systemPaths.map((path) => `${system}/${path}%S`).join(':'),
    ...(locale !== undefined && { LC_ALL: locale }),
    ...(resourceName !== undefined && { RESOURCE_NAME: resourceName }),
    ...Object.fromEntries(paths.map((variable) => [variable, values[variable]])),
  };
}
