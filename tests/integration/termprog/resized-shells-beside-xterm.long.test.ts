import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { test } from '../../harness/fixtures/desktop.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { startTermprog, startXterm, type XDesktop } from '../../harness/start-termprog.ts';
import { becomeEqual, type Pair } from './beside-xterm.ts';

const PROMPT = 'user@host:~/a/folder/of/some/depth$ ';
const marks = (shell: string): string => `\nsource ${resolve(`share/termprog/shell-integration/termprog.${shell}`)}`;

interface ShellCase {
  name: string;
  command: readonly string[];
  startFile: string;
  startText: string;
  /** Columns of the narrowest window. */
  narrowest: number;
  /** Rows of the lowest window. */
  lowest: number;
  args?: readonly string[];
}

/** All that is typed fits these: behind a row too many the reference terminal shows more of its history again. */
const ALL_FITS = { narrowest: 34, lowest: 22 };

const BASH = { command: ['bash'], startFile: '.bashrc', narrowest: 20, lowest: 16 };
const ZSH = { command: ['zsh'], startFile: '.zshrc', narrowest: 20, lowest: 16 };
const FISH = { command: ['fish'], startFile: '.config/fish/config.fish', narrowest: 20, lowest: 16 };
const FISH_START =
  'set fish_greeting\nset -g fish_autosuggestion_enabled 0\nset -g fish_color_error normal\nfunction fish_prompt; echo -n "me> "; end\n';

/** First line of the prompt, above the one at which commands are typed. */
const UPPER = 'user@host:~/a/folder/of/some/depth on main took 3s';
/** `fixed` with the character by which fish leaves out the beginning of a line that is too long. */
const WITH_ELLIPSIS = ['-fn', '-misc-fixed-medium-r-semicondensed--13-120-75-75-c-60-iso10646-1'];

const OUTPUT = 'seq 1 9; echo earlier; echo output';

const CASES: readonly ShellCase[] = [
  { ...BASH, name: 'bash', startText: `PS1='${PROMPT}'` },
  { ...BASH, name: 'bash, marked', startText: `PS1='${PROMPT}'${marks('bash')}` },
  { ...ZSH, name: 'zsh', startText: `PS1='${PROMPT}'` },
  { ...ZSH, name: 'zsh, marked', startText: `PS1='${PROMPT}'${marks('zsh')}` },
  { ...FISH, name: 'fish', startText: FISH_START },
  { ...FISH, name: 'fish, marked', startText: `${FISH_START}${marks('fish')}` },
  { ...ZSH, ...ALL_FITS, name: 'zsh, with a prompt of two lines', startText: `PS1=$'${UPPER}\\n> ' RPS1='<right>'` },
  { ...ZSH, ...ALL_FITS, name: 'zsh, with a blank row in its prompt', startText: `PS1=$'\\n${UPPER}\\n> '` },
  {
    ...FISH,
    ...ALL_FITS,
    name: 'fish, with a prompt of two lines',
    startText: `${FISH_START}function fish_prompt; echo '${UPPER}'; echo -n '> '; end\n`,
    args: WITH_ELLIPSIS,
  },
  // The kernel edits its lines, so that xterm loses what it cuts.
  {
    name: 'dash',
    command: ['dash', '-i'],
    startFile: '.dashrc',
    startText: `PS1='${PROMPT}'`,
    narrowest: 80,
    lowest: 16,
  },
];

/** Generates the text to type, and then the size in cells; the prompt often fills a row exactly. */
const stepsOf = ({ narrowest, lowest, command }: ShellCase): fc.Arbitrary<Step> =>
  fc.record({
    typed: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z]{1,30}$/)),
    columns: fc
      .oneof(
        { weight: 3, arbitrary: fc.integer({ min: narrowest, max: 110 }) },
        { weight: 1, arbitrary: fc.constant(Math.max(narrowest, PROMPT.length)) },
      )
      // At that width bash leaves more behind in xterm than here.
      .filter((columns) => command !== BASH.command || columns !== PROMPT.length),
    rows: fc.integer({ min: lowest, max: 22 }),
  });

interface Step {
  typed: string;
  columns: number;
  rows: number;
}

/** A focus that follows the pointer; X protocol. */
const POINTER_ROOT = 1;

/** Number of runs for each shell; the nightly tests play all of them. */
const RUNS = 10;

describe.each(CASES)('$name', (shown) => {
  test('shows after each step what the reference terminal shows, for any keys and resizes', async ({ desktop }) => {
    const steps = fc.array(stepsOf(shown), { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        await using pair = await startPair(desktop, shown);
        await becomeEqual(pair);
        for (const [index, next] of played.entries()) {
          await play(desktop, pair, next).catch((error: unknown) => {
            throw new Error(`step ${index + 1} of ${JSON.stringify(played)}`, { cause: error });
          });
        }
      }),
      { numRuns: fuzzRuns(RUNS), endOnFailure: true },
    );
  });
});

for (const [what, steps] of [
  [
    'by one resize',
    [
      [36, 17],
      [26, 17],
    ],
  ],
  [
    'by one resize, through other heights',
    [
      [36, 21],
      [36, 17],
      [36, 21],
      [26, 17],
      [49, 21],
    ],
  ],
  [
    'twice',
    [
      [36, 17],
      [50, 17],
      [36, 18],
      [30, 18],
      [36, 17],
      [70, 18],
    ],
  ],
] as const) {
  test(`a prompt of zsh that came to fill its row exactly ${what} leaves no remains, as in the reference terminal`, async ({
    desktop,
  }) => {
    await using pair = await startPair(desktop, CASES.find(({ name }) => name === 'zsh') as ShellCase);
    await becomeEqual(pair);
    for (const [columns, rows] of steps) await play(desktop, pair, { typed: 'abo', columns, rows });
  });
}

test('in a window as wide as its prompt, readline begins a row too many with the first character, as in the reference terminal', async ({
  desktop,
}) => {
  await using pair = await startPair(desktop, CASES[0] as ShellCase);
  await becomeEqual(pair);
  await play(desktop, pair, { typed: '', columns: PROMPT.length, rows: 18 });
  await play(desktop, pair, { typed: 'hqu', columns: PROMPT.length, rows: 18 });
  const { height, width, data } = await pair.ours.screenshot();
  const isInked = (row: number): boolean =>
    Array.from({ length: 13 * (width - 2) }, (_, at) => {
      const pixel = (2 + 13 * row + Math.floor(at / (width - 2))) * width + 2 + (at % (width - 2));
      return data.readUIntBE(4 * pixel, 3) !== 0xffffff;
    }).some(Boolean);
  // Two rows behind the row of the prompt.
  const rows = Array.from({ length: (height - 4) / 13 }, (_, row) => isInked(row));
  expect(rows.filter(Boolean)).toHaveLength(9 + 2 + 1 + 2);
});

async function startPair(desktop: XDesktop, shown: ShellCase): Promise<Pair & AsyncDisposable> {
  const home = desktop.newFile();
  const file = join(home, shown.startFile);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${shown.startText}\n${OUTPUT}\n`);
  const environment = { HOME: home, ENV: file, HISTFILE: '/dev/null', TERM: undefined };
  await desktop.run('xdotool', 'mousemove', '1000', '700');
  const args = (place: string): string[] => [
    '-geometry',
    `80x18${place}`,
    '-xrm',
    '*allowTitleOps: false',
    ...(shown.args ?? []),
    '-e',
    ...shown.command,
  ];
  const ours = await startTermprog(desktop, { args: args('+0+0'), environment });
  const theirs = await startXterm(desktop, { args: args('+0+320'), environment });
  return {
    ours,
    theirs,
    [Symbol.asyncDispose]: async () => {
      await ours[Symbol.asyncDispose]();
      await theirs[Symbol.asyncDispose]();
    },
  };
}

async function play(desktop: XDesktop, pair: Pair, { typed, columns, rows }: Step): Promise<void> {
  const both = [pair.ours, pair.theirs];
  if (typed !== '') {
    for (const { window } of both) {
      await desktop.run('xdotool', 'windowfocus', '--sync', `${window}`, 'type', '--delay', '2', typed);
    }
    // The focus goes to the window under the pointer, which is outside of both terminals.
    await desktop.run('xdotool', 'windowfocus', `${POINTER_ROOT}`);
    await becomeEqual(pair);
  }
  const size = [`${4 + 6 * columns}`, `${4 + 13 * rows}`];
  for (const { window } of both) await desktop.run('xdotool', 'windowsize', '--sync', `${window}`, ...size);
  await becomeEqual(pair);
}
