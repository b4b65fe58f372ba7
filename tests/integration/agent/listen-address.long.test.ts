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

const WRONG = [
  '10.0.0.1:9105',
  '[fd00::1]',
  'http://10.0.0.1',
  '256.1.1.1',
  '10.0.0',
  'fd00:::1',
  'fe80::1',
  ' 10.0.0.1',
  '',
];
const RIGHT = ['10.0.0.1', 'fd00::1', '::', '::ffff:10.0.0.1', 'fe80::1%eth0', 'host.example.org', 'localhost'];

for (const program of ['agent', 'connector'] as const) {
  test(`check-config of the ${program} refuses what is no address to listen at, and shows the right form`, async () => {
    for (const address of WRONG) {
      expect(await complaintsAbout(program, address), address).toEqual([
        `${programs[program].option}: expected an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it, received ${JSON.stringify(address)}`,
      ]);
    }
    for (const address of RIGHT) expect(await complaintsAbout(program, address), address).toEqual([]);
  });
}

/** Program, option, and a configuration with this path of a socket. */
const sockets: readonly (readonly [keyof typeof programs, string, (path: string) => object])[] = [
  ['agent', 'agent.listen.unix', (unix) => ({ agent: { listen: { unix } } })],
  ['agent', 'agent.userUnits.socket', (socket) => ({ agent: { userUnits: { socket } } })],
  ['agent', 'agent.knotSocket', (knotSocket) => ({ agent: { knotSocket } })],
  ['connector', 'bouncer.soju.adminSocket', (adminSocket) => ({ bouncer: { soju: { adminSocket } } })],
  ['connector', 'bouncer.soju.address', (path) => ({ bouncer: { soju: { address: `unix://${path}` } } })],
];

test('check-config refuses a path that is too long for a socket, which no start could listen or connect at', async () => {
  const [fits, tooLong] = [`/run/${'a'.repeat(102)}`, `/run/${'ä'.repeat(52)}`];

  for (const [program, option, configWith] of sockets) {
    expect(await complaintsOf(program, option, configWith(fits)), option).toEqual([]);
    expect(await complaintsOf(program, option, configWith(tooLong)), option).toEqual([
      expect.stringContaining('which is the room for the name of a socket'),
    ]);
  }
});

/** The lines about the address that check-config prints. */
function complaintsAbout(program: keyof typeof programs, address: string): Promise<string[]> {
  const { option, configWith } = programs[program];
  return complaintsOf(program, option, configWith(address));
}

/** The lines about an option that check-config prints. */
async function complaintsOf(program: keyof typeof programs, option: string, config: object): Promise<string[]> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const { stderr } = await execa(`bin/homeport-${program}`, ['check-config', file], { reject: false });
  return stderr.split('\n').flatMap((line) => (line.includes(`${option}:`) ? [line.trim()] : []));
}
