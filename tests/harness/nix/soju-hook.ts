import { nixString } from '../../../src/generate/nix-text.ts';
import { minimalConnector } from './configurations.ts';
import { evaluateSystem } from './nix.ts';

/** The module's additions to soju's unit, and the connector's unit beside it. */
export interface SojuHook {
  /** The script that soju's unit runs once soju was started, with the programs of this machine. */
  script: string;
  /** Directives that soju's unit gets beside it. */
  directives: string;
  connectorUnit: string;
}

/**
 * The hook for soju with a Unix socket for IRC, too.
 * @param sojuctlConfig path of the configuration that the script gives to sojuctl
 * @param soju folder whose `bin` has sojuctl
 */
export async function sojuHook(sojuctlConfig: string, soju = '/usr'): Promise<SojuHook> {
  const { units } = await evaluateSystem(
    `imports = [ { ${minimalConnector} } {
      services.homeport.connector = { soju.enable = true; bouncer.soju.address = "unix:///run/soju/irc"; };
    } ];`,
    programsOfMachine(sojuctlConfig, soju),
  );
  return hookIn(units);
}

/** Packages in place of their stand-ins, so that `hookIn` finds a script that runs on this machine. */
export const programsOfMachine = (sojuctlConfig: string, soju = '/usr'): string => `pkgs: {
  coreutils = pkgs.fake "coreutils" { outPath = "/usr"; };
  soju = pkgs.fake "soju" { outPath = ${nixString(soju)}; };
  writeText = name: text: if name == "sojuctl.conf" then ${nixString(sojuctlConfig)} else pkgs.writeText name text;
  writeShellScript = _: text: text;
}`;

/** The hook in units that were evaluated with these packages. */
export function hookIn(units: Readonly<Record<string, string>>): SojuHook {
  const found = /^ExecStartPost=(.*?)(^SupplementaryGroups=.*)/ms.exec(units['soju'] ?? '');
  if (found === null) throw new Error(`the module adds no hook to soju's unit: ${units['soju']}`);
  const [, script = '', directives = ''] = found;
  return { script, directives, connectorUnit: units['homeport-connector'] ?? '' };
}
