import { expect } from 'vitest';
import { agentConfig } from '../../../schemas/agent.ts';
import { minimalAgent } from '../../harness/nix/configurations.ts';
import { type EvaluatedSystem, evaluateSystem, nixTest } from '../../harness/nix/nix.ts';

const agent = (more: string): Promise<EvaluatedSystem> =>
  evaluateSystem(`imports = [ { ${minimalAgent} } { ${more} } ];`);

/** Lines of the agent's unit that name these directives. */
const directives = ({ units }: EvaluatedSystem, ...names: string[]): string[] =>
  (units['homeport-agent'] ?? '').split('\n').filter((line) => names.includes(line.split('=')[0] ?? ''));

nixTest('without tunnels, mail and zones the agent has no rights beyond those of any program', async () => {
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
  nixTest(`with a tunnel by ${how} the agent may ask the kernel about its peers`, async () => {
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

nixTest('a tunnel the agent is not asked about gives it nothing', async () => {
  const evaluated = await agent('networking.wireguard.enable = true; services.homeport.agent.wireguard = false;');

  expect(directives(evaluated, 'AmbientCapabilities')).toEqual(['AmbientCapabilities=']);
  expect(evaluated.programs['homeport-agent']).toEqual([]);
});

nixTest('a mail server and a name server are reported, by groups that may ask them', async () => {
  const evaluated = await agent(
    'services.postfix = { enable = true; package = pkgs.fake "postfix-lmdb" { }; setgidGroup = "maildrop"; }; services.knot.enable = true;',
  );

  expect(sections(evaluated)).toEqual({ wireguard: true, postfix: true, knot: true });
  expect(directives(evaluated, 'SupplementaryGroups')).toEqual([
    'SupplementaryGroups=maildrop',
    'SupplementaryGroups=knot',
  ]);
  expect(evaluated.programs['homeport-agent']).toEqual(['wireguard-tools', 'postfix-lmdb', 'knot-dns']);
  expect(evaluated.failed).toEqual([]);
});

nixTest('a mail server that is not to be reported needs no group', async () => {
  const evaluated = await agent('services.postfix.enable = true; services.homeport.agent.postfix = false;');

  expect(directives(evaluated, 'SupplementaryGroups')).toEqual([]);
});

nixTest('sections of servers that are not there are refused by name', async () => {
  const { failed } = await agent('services.homeport.agent = { postfix = true; knot = true; };');

  expect(failed).toEqual([
    expect.stringMatching(/^services\.homeport\.agent\.postfix .*Set services\.postfix\.enable to true/),
    expect.stringMatching(/^services\.homeport\.agent\.knot .*Set services\.knot\.enable to true/),
  ]);
});

/** The optional sections the agent's file asks for. */
function sections({ etc }: EvaluatedSystem): Record<string, boolean> {
  const { wireguard, postfix, knot } = agentConfig.parse(JSON.parse(etc['homeport/agent.json'] ?? '')).agent;
  return { wireguard, postfix, knot };
}
