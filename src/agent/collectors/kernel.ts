import type { ReportKernel } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import type { Host } from '../host/host.ts';
import type { Collector } from './collector.ts';
import { compareKernelVersions, kernelFlavour, newestKernel } from './release/kernel-version.ts';
import { isNixos } from './release/os-release.ts';
import { rebootRequired } from './release/reboot-required.ts';

/** Guix System has the modules of the kernel that it would boot in the current system. */
const MODULES_OF_CURRENT_SYSTEM = '/run/current-system/kernel/lib/modules';

/**
 * The directory of an installed kernel has at least one of these; the remains of a removed kernel have no such file.
 */
const KERNEL_FILES = ['modules.dep', 'kernel', 'vmlinuz'] as const;

/** Distributions of the Debian family create it when an update needs a reboot. */
const REBOOT_REQUIRED_FILE = '/run/reboot-required';

async function runningKernel(host: Host): Promise<string> {
  const version = (await host.readProc('sys/kernel/osrelease')).trim();
  if (version === '') throw new UnparsableSourceError('/proc/sys/kernel/osrelease', 'the version of the kernel');
  return version;
}

async function installedKernels(host: Host): Promise<string[]> {
  const installed = new Set<string>();
  for (const directory of [...host.moduleDirectories, MODULES_OF_CURRENT_SYSTEM]) {
    for (const version of await host.root.names(directory)) {
      if (!installed.has(version) && (await isKernel(host, `${directory}/${version}`))) installed.add(version);
    }
  }
  return [...installed];
}

async function isKernel(host: Host, directory: string): Promise<boolean> {
  for (const file of KERNEL_FILES) if (await host.root.has(`${directory}/${file}`)) return true;
  return false;
}

/** Whether a newer kernel is installed; only one of the running kernel's flavour would replace it. */
function isNewerInstalled(running: string, installed: readonly string[]): boolean {
  const flavour = kernelFlavour(running);
  return installed.some((version) => kernelFlavour(version) === flavour && compareKernelVersions(version, running) > 0);
}

/** The running and the newest installed kernel; absent on NixOS, where the system says more. @spec agent#resources-and-their-fields `kernel` */
export const kernel: Collector = {
  name: 'kernel',
  sections: ['kernel'],
  collect: async (host) => {
    if (await isNixos(host)) return { sections: {}, families: [] };
    const running = await runningKernel(host);
    const installed = await installedKernels(host);
    const found: ReportKernel = { running, newest: newestKernel(installed) ?? '' };
    const isRequired = (await host.root.has(REBOOT_REQUIRED_FILE)) || isNewerInstalled(running, installed);
    return { sections: { kernel: found }, families: [rebootRequired(isRequired)] };
  },
};
