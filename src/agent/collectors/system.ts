import type { ReportSystem } from '../../../schemas/report.ts';
import { type Family, gauge } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { Collector } from './collector.ts';
import { dayStartMs, nixpkgsDateOf } from './release/nixos-version.ts';
import { isNixos, readOsRelease } from './release/os-release.ts';
import { rebootRequired } from './release/reboot-required.ts';

const BOOTED = '/run/booted-system';
const CURRENT = '/run/current-system';

/** Parts of a system that only a boot replaces. */
const BOOT_PARTS = ['initrd', 'kernel', 'kernel-modules'] as const;

/**
 * Whether two systems would boot differently. A container has no kernel of its own, so both links are absent and equal.
 */
async function needsReboot({ root }: Host, booted: string, current: string): Promise<boolean> {
  for (const part of BOOT_PARTS) {
    if ((await root.linkTarget(`${booted}/${part}`)) !== (await root.linkTarget(`${current}/${part}`))) return true;
  }
  return false;
}

/** The version of NixOS, first from the release file: the label beside the system can be any text of its owner. */
async function nixosVersionOf(host: Host): Promise<string> {
  const { BUILD_ID: version } = await readOsRelease(host);
  return version ?? (await host.root.read(`${CURRENT}/nixos-version`))?.trim() ?? '';
}

async function readSystem(host: Host): Promise<{ system: ReportSystem; problems: string[] }> {
  const booted = await host.root.linkTarget(BOOTED);
  const current = await host.root.linkTarget(CURRENT);
  const nixosVersion = await nixosVersionOf(host);
  const missing = Object.entries({ [BOOTED]: booted, [CURRENT]: current }).filter(([, target]) => target === undefined);
  return {
    system: {
      booted: booted ?? '',
      current: current ?? '',
      ...(booted === undefined || current === undefined
        ? {}
        : { rebootNeeded: await needsReboot(host, booted, current) }),
      nixosVersion,
      nixpkgsDate: nixpkgsDateOf(nixosVersion),
    },
    problems: [
      ...missing.map(([link]) => `${link} is not a link to a system`),
      ...(nixosVersion === ''
        ? [
            'the version of NixOS is missing: BUILD_ID of /etc/os-release does not have it, and the system does not report it',
          ]
        : []),
    ],
  };
}

function familiesOf({ rebootNeeded, nixpkgsDate }: ReportSystem, nowMs: number): Family[] {
  return [
    ...(rebootNeeded === undefined ? [] : [rebootRequired(rebootNeeded)]),
    ...(nixpkgsDate
      ? [
          gauge(
            'monitor_nixpkgs_age_seconds',
            'Age of the packages of this NixOS, from the day of their newest commit.',
            Math.max(0, Math.floor((nowMs - dayStartMs(nixpkgsDate)) / 1000)),
          ),
        ]
      : []),
  ];
}

/** The booted and the current system of NixOS; empty elsewhere. @spec agent#metrics hygiene family */
export const system: Collector = {
  name: 'system',
  sections: ['system'],
  collect: async (host) => {
    if (!(await isNixos(host))) return { sections: { system: {} }, families: [] };
    const { system: found, problems } = await readSystem(host);
    return { sections: { system: found }, families: familiesOf(found, host.now()), problems };
  },
};
