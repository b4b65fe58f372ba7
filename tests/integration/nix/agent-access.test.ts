import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { agentConfig } from '../../../schemas/agent.ts';
import { minimalAgent } from '../../harness/nix/configurations.ts';
import { type Evaluated, evaluateModules, ownLib } from '../../harness/nix/nix.ts';

/** Greatest exposure score of an agent that may do all it can be asked, times ten as systemd-analyze takes it. */
const EXPOSURE_TIMES_TEN = 19;

const agent = (more: string): Promise<Evaluated> =>
  evaluateModules(ownLib, 'modules', `imports = [ { ${minimalAgent} } { ${more} } ];`);

/** Lines of the agent's unit that name these directives. */
const directives = ({ units }: Evaluated, ...names: string[]): string[] =>
  (units['homeport-agent'] ?? '').split('\n').filter((line) => names.includes(line.split('=')[0] ?? ''));

/** The optional sections the agent's file asks for. */
function sections({ etc }: Evaluated): Record<string, boolean> {
  const { wireguard, postfix, knot } = agentConfig.parse(JSON.parse(etc['homeport/agent.json'] ?? '')).agent;
  return { wireguard, postfix, knot };
}

test('without tunnels, mail and zones the agent has no rights beyond those of any program', async () => {
  const evaluated = await agent('');

  expect(sections(evaluated)).toEqual({ wireguard: true, postfix: false, knot: false });
  expect(directives(evaluated, 'SupplementaryGroups', 'AmbientCapabilities', 'PrivateUsers')).toEqual([
    'AmbientCapabilities=',
    'PrivateUsers=true',
  ]);
});

for (const [how, configuration] of [
  ['networking.wireguard', 'networking.wireguard.enable = true;'],
  ['networking.wg-quick', 'networking.wg-quick.interfaces.wg0.address = [ "10.0.0.1" ];'],
  ['systemd.network', 'systemd.network.netdevs.wg0.netdevConfig = { Kind = "wireguard"; Name = "wg0"; };'],
  ['other means', 'services.homeport.agent.tunnelAccess = true;'],
] as const) {
  test(`with a tunnel by ${how} the agent may ask the kernel about its peers`, async () => {
    const evaluated = await agent(configuration);

    expect(directives(evaluated, 'AmbientCapabilities', 'CapabilityBoundingSet', 'PrivateUsers')).toEqual([
      'AmbientCapabilities=CAP_NET_ADMIN',
      'CapabilityBoundingSet=CAP_NET_ADMIN',
      'PrivateUsers=false',
    ]);
    expect(directives(evaluated, 'RestrictAddressFamilies')).toContain('RestrictAddressFamilies=AF_NETLINK');
    expect(evaluated.programs['homeport-agent']).toEqual(['wireguard-tools']);
  });
}

test('a tunnel the agent is not asked about gives it nothing', async () => {
  const evaluated = await agent('networking.wireguard.enable = true; services.homeport.agent.wireguard = false;');

  expect(directives(evaluated, 'AmbientCapabilities')).toEqual(['AmbientCapabilities=']);
  expect(evaluated.programs['homeport-agent']).toEqual([]);
});

test('a mail server and a name server are reported, by groups that may ask them', async () => {
  const evaluated = await agent(
    'services.postfix = { enable = true; setgidGroup = "maildrop"; }; services.knot.enable = true;',
  );

  expect(sections(evaluated)).toEqual({ wireguard: true, postfix: true, knot: true });
  expect(directives(evaluated, 'SupplementaryGroups')).toEqual([
    'SupplementaryGroups=maildrop',
    'SupplementaryGroups=knot',
  ]);
  expect(evaluated.programs['homeport-agent']).toEqual(['wireguard-tools', 'postfix', 'knot-dns']);
  expect(evaluated.failed).toEqual([]);
});

test('a mail server that is not to be reported needs no group', async () => {
  const evaluated = await agent('services.postfix.enable = true; services.homeport.agent.postfix = false;');

  expect(directives(evaluated, 'SupplementaryGroups')).toEqual([]);
});

test('sections of servers that are not there are refused by name', async () => {
  const { failed } = await agent('services.homeport.agent = { postfix = true; knot = true; };');

  expect(failed).toEqual([
    expect.stringMatching(/^services\.homeport\.agent\.postfix .*services\.postfix\.enable is false/),
    expect.stringMatching(/^services\.homeport\.agent\.knot .*services\.knot\.enable is false/),
  ]);
});

test('an agent with every right it can have keeps its exposure score, and systemd finds nothing wrong with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { units } = await agent(`
    services.postfix.enable = true;
    services.knot.enable = true;
    services.homeport.agent.userUnits.user = "ada";
    services.homeport.agent.tunnelAccess = true;
  `);
  const file = join(folder, 'homeport-agent.service');
  // The programs of the store are not on this machine.
  writeFileSync(file, (units['homeport-agent'] ?? '').replaceAll(/\/nix\/store\/\S+/g, '/bin/true'));

  const verified = await execa('systemd-analyze', ['verify', '--man=no', file], { timeout: 30_000 });
  const { exitCode, stdout } = await execa(
    'systemd-analyze',
    ['security', '--offline=true', `--threshold=${EXPOSURE_TIMES_TEN}`, '--no-pager', file],
    { reject: false, timeout: 30_000 },
  );

  expect(verified.stderr).toBe('');
  expect(exitCode, stdout.split('\n').at(-1)).toBe(0);
});
