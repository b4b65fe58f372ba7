import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Program -> a configuration of it with this address, and the option that has it. */
const programs = {
  agent: { option: 'agent.listen.address', configWith: (address: string) => ({ agent: { listen: { address } } }) },
  connector: { option: 'listen.address', configWith: (address: string) => ({ listen: { address } }) },
} as const;

const WRONG = ['10.0.0.1:9105', '[fd00::1]', 'http://10.0.0.1', '256.1.1.1', '10.0.0', 'fd00:::1', ' 10.0.0.1', ''];
const RIGHT = ['10.0.0.1', 'fd00::1', '::', '::ffff:10.0.0.1', 'fe80::1%eth0', 'host.example.org', 'localhost'];

/** The lines about the address that check-config prints. */
async function complaintsAbout(program: keyof typeof programs, address: string): Promise<string[]> {
  await using folder = await tempFolder();
  const { option, configWith } = programs[program];
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify(configWith(address)));
  const { stderr } = await execa(`bin/homeport-${program}`, ['check-config', file], { reject: false });
  return stderr.split('\n').flatMap((line) => (line.includes(`${option}:`) ? [line.trim()] : []));
}

for (const program of ['agent', 'connector'] as const) {
  test(`check-config of the ${program} refuses what is no address to listen at, and shows the right form`, async () => {
    for (const address of WRONG) {
      expect(await complaintsAbout(program, address), address).toEqual([
        `${programs[program].option}: expected an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1 or host.example.org; the port is the option beside it, received ${JSON.stringify(address)}`,
      ]);
    }
    for (const address of RIGHT) expect(await complaintsAbout(program, address), address).toEqual([]);
  });
}
