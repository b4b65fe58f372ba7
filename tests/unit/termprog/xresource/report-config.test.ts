import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../../schemas/termprog/program-options.ts';
import { parseCommandLine } from '../../../../src/termprog/xresource/command-line.ts';
import { createOptionTable } from '../../../../src/termprog/xresource/option-table.ts';
import { formatReport } from '../../../../src/termprog/xresource/report-config.ts';
import { resolveResources } from '../../../../src/termprog/xresource/resolve-resources.ts';
import { collectResources } from '../../../../src/termprog/xresource/sources.ts';

/** Each folder is one case: what the server's property holds, the arguments one a line, and what is printed. */
const golden = 'tests/golden/termprog/report-config';
const table = createOptionTable(termprogResources, termprogProgramOptions);

const withoutComments = (text: string): string[] => text.split('\n').filter((line) => !line.startsWith('!'));

for (const folder of readdirSync(golden)) {
  const read = (file: string): string => readFileSync(join(golden, folder, file), 'latin1');
  const argv = read('arguments')
    .split('\n')
    .filter((line) => line !== '');

  test(`the report of ${folder} is as recorded`, async () => {
    await expect(`${report(read('resources'), argv)}\n`).toMatchFileSnapshot(
      join('../../../golden/termprog/report-config', folder, 'report'),
    );
  });

  test(`the report of ${folder}, read back as resources, gives the same configuration`, () => {
    const first = report(read('resources'), argv);
    const nameArguments = argv.includes('-name') ? argv.slice(argv.indexOf('-name'), argv.indexOf('-name') + 2) : [];
    const again = report(Buffer.from(first, 'utf8').toString('latin1'), nameArguments);
    expect(withoutComments(again)).toEqual(withoutComments(first));
  });
}

function report(resources: string, argv: readonly string[]): string {
  const commandLine = parseCommandLine(argv, table);
  const name = { instance: commandLine.name ?? 'term', class: commandLine.class ?? 'Term' };
  const host = {
    environment: {},
    home: '/home/ada',
    hostName: 'tower',
    readFile: () => undefined,
    resourceManager: resources,
    screenResources: undefined,
  };
  return formatReport(
    resolveResources(termprogResources, collectResources(host, name, commandLine.resources).database, name),
    name,
  );
}
