import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minimalAgent, minimalConnector } from '../../harness/nix/configurations.ts';
import { type Evaluated, evaluateModules, ownLib } from '../../harness/nix/nix.ts';

/** Greatest exposure scores of the units, times ten as systemd-analyze takes them. */
const EXPOSURE_TIMES_TEN = { connector: 11, agent: 13 };

const golden = join(import.meta.dirname, '../../golden/generate/rendered');
const folder = mkdtempSync(join(tmpdir(), 'homeport-units-'));
const unitFile = (program: string) => join(folder, `homeport-${program}.service`);

let rendered: Evaluated;

beforeAll(async () => {
  rendered = await evaluateModules(ownLib, 'modules', `imports = [ { ${minimalConnector} } { ${minimalAgent} } ];`);
  for (const [name, text] of Object.entries(rendered.units)) {
    // The programs of the store are not on this machine.
    writeFileSync(join(folder, `${name}.service`), text.replaceAll(/\/nix\/store\/\S+/g, '/bin/true'));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(['connector', 'agent'] as const)('the unit and the file of the %s are as recorded', async (program) => {
  const file: unknown = JSON.parse(rendered.etc[`homeport/${program}.json`] ?? '');

  await expect(rendered.units[`homeport-${program}`]).toMatchFileSnapshot(join(golden, `homeport-${program}.service`));
  await expect(`${JSON.stringify(file, null, 2)}\n`).toMatchFileSnapshot(join(golden, `${program}.json`));
});

test.each(['connector', 'agent'] as const)('systemd finds nothing wrong with the unit of the %s', async (program) => {
  const { stderr } = await execa('systemd-analyze', ['verify', '--man=no', unitFile(program)], { timeout: 30_000 });

  expect(stderr).toBe('');
});

test.each(['connector', 'agent'] as const)('the unit of the %s keeps its exposure score', async (program) => {
  const { exitCode, stdout } = await execa(
    'systemd-analyze',
    ['security', '--offline=true', `--threshold=${EXPOSURE_TIMES_TEN[program]}`, '--no-pager', unitFile(program)],
    { reject: false, timeout: 30_000 },
  );

  expect(exitCode, stdout.split('\n').at(-1)).toBe(0);
});
