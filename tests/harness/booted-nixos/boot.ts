import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { nixString } from '../../../src/generate/nix-text.ts';
import { type EvaluatedSystem, evaluateSystem } from '../nix/nix.ts';
import { programsOfMachine } from '../nix/soju-hook.ts';
import type { SystemdContainer } from '../nspawn.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../systemd-container.ts';
import { facts } from './facts.ts';
import { SOJU_CONFIG, worldOf } from './world.ts';

const CONFIGURATION = './tests/harness/booted-nixos/configuration.nix';

const alone = '[Unit]\nDefaultDependencies=no\n';

/** Accounts of the packages of nixpkgs that are not those of a service of ours. */
const ADA = 'u ada - "Ada" /home/ada';

/** What a test adds to the host of configuration.nix. */
export interface BootedChange {
  /** Options, as Nix writes them. */
  options?: string;
  /** Names of files below /var/lib/secrets -> text. */
  secrets?: Readonly<Record<string, string>>;
}

/** The system that configuration.nix asks for, with the programs of this checkout and of this machine. */
export function evaluateBooted(options = ''): Promise<EvaluatedSystem> {
  const packages = ['connector', 'agent'].map((program) => {
    const built = `pkgs.fake "homeport-${program}" { outPath = ${nixString(REPOSITORY_INSIDE)}; }`;
    return `services.homeport.${program}.package = ${built};`;
  });
  const imports = `imports = [ ${CONFIGURATION} { ${packages.join(' ')} } { ${options} } ];`;
  return evaluateSystem(imports, programsOfMachine(SOJU_CONFIG));
}

/** Writes the evaluated system into the root directory of a container, boots that, and starts what the system wants. */
export async function bootNixos({ options = '', secrets = {} }: BootedChange = {}): Promise<SystemdContainer> {
  const system = await evaluateBooted(options);
  if (system.failed.length > 0) throw new Error(`the configuration is refused: ${system.failed.join('\n')}`);
  const world = worldOf(system);
  const { soju: _merged, ...services } = system.units;
  const container = await bootSystemd(
    {
      ...Object.fromEntries(
        ['sysinit.target', 'basic.target', 'network-online.target'].map((target) => [target, alone]),
      ),
      ...ownTargets(system, Object.keys(world.units)),
      ...world.units,
      ...named('service', services, withPath(system)),
      ...named('socket', system.sockets),
    },
    {
      ...below('etc', system.etc),
      ...below('', world.files),
      ...below('var/lib/secrets', { ...facts.secrets, ...secrets }),
      'etc/hosts': hosts,
    },
  );
  try {
    await container.run('chmod', '-R', 'a+rX', '/etc');
    await container.run('chmod', 'a+x', ...world.programs);
    await container.run('ip', 'link', 'set', 'lo', 'up');
    for (const line of [...accountsOf(system), ADA]) await container.run('systemd-sysusers', '--inline', line);
    await container.run('systemctl', 'start', 'multi-user.target', 'sockets.target');
    await waitFor(
      'no unit is starting',
      async () => (await container.run('systemctl', 'list-jobs')) === 'No jobs running.',
    );
  } catch (error) {
    await container[Symbol.asyncDispose]();
    throw error;
  }
  return container;
}

export const hosts = `127.0.0.1 localhost ${facts.host}\n`;

/** Targets want what the system says, and the servers around. */
function ownTargets({ wanted }: EvaluatedSystem, around: readonly string[]): Record<string, string> {
  const wants = (target: string): string[] => [
    ...Object.entries(wanted.services).flatMap(([name, by]) => (by.includes(target) ? [`${name}.service`] : [])),
    ...Object.entries(wanted.sockets).flatMap(([name, by]) => (by.includes(target) ? [`${name}.socket`] : [])),
  ];
  const services = around.filter((name) => /^[^@]*\.service$/.test(name));
  return {
    'multi-user.target': `${alone}Wants=${[...wants('multi-user.target'), ...services].join(' ')}\n`,
    'sockets.target': `${alone}Wants=${wants('sockets.target').join(' ')}\n`,
  };
}

const withPath =
  ({ programs }: EvaluatedSystem) =>
  (name: string, text: string): string =>
    (programs[name]?.length ?? 0) === 0 ? text : `${text}Environment=PATH=/usr/sbin:/usr/bin\n`;

const named = (
  type: string,
  units: Readonly<Record<string, string>>,
  change: (name: string, text: string) => string = (_, text) => text,
): Record<string, string> =>
  Object.fromEntries(Object.entries(units).map(([name, text]) => [`${name}.${type}`, change(name, text)]));

const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`.replace(/^\/+/, ''), text]));

function accountsOf({ groups, users }: EvaluatedSystem): string[] {
  return [...groups.map((group) => `g ${group} -`), ...Object.keys(users).map((name) => `u ${name} -`)];
}
