import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

for (const [what, fault, line] of [
  [
    'an error of a library',
    "throw new Error('no bindings file.\\n  tried: a\\n  tried: b')",
    /Error: no bindings file\.; tried: a; tried: b \(fail /,
  ],
  ['a mistake in the code', 'undefined.x', /TypeError: Cannot read properties of undefined.* \(fail /],
  ['what is no error', "throw 'words'", /^sample: a fault of this program: words$/],
] as const) {
  test(`a start that ends by ${what} prints one line that says what and where`, async () => {
    const { exitCode, stderr } = await execa(process.execPath, ['--input-type=module', '-e', program(fault)], {
      reject: false,
    });

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^sample: a fault of this program[^\n]*$/);
  });
}

/** A program whose service fails by what no code of ours throws on purpose. */
function program(fault: string): string {
  return `
import { runProgram } from ${JSON.stringify(join(process.cwd(), 'src/kernel/command-line.ts'))};
const text = { name: 'sample', summary: 's', defaultConfigFile: '/nowhere', commands: [
  { name: 'run', usage: '[run]', summary: 's', config: 'left', isService: true },
] };
const fail = () => { ${fault} };
await runProgram({ text, schema: async () => undefined, runs: { run: async () => fail() } }, [], {});
`;
}
