import type { ReportKernel } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import type { Host } from '../host/host.ts';
import type { Collector } from './collector.ts';
import { compareKernelVersions, kernelFlavour, newestKernel } from './release/kernel-version.ts';
import { isNixos } from './release/os-release.ts';
import { rebootRequired } from './release/reboot-required.ts';

/** Where kernels put their modules, a directory each. */
const MODULE_DIRECTORIES = ['/lib/modules', '/usr/lib/modules'] as const;

/** One of these is in the directory of an installed kernel; what a removed one leaves behind has none. */
const KERNEL_FILES = ['modules.dep', 'kernel', 'vmlinuz'] as const;

/** Distributions of the Debian family leave it when an update wants a boot. */
const REBOOT_REQUIRED_FILE = '/run/reboot-required';

function runningKernel(host: Host): string {
  const version = host.readProc('sys/kernel/osrelease').trim();
  if (version === '') throw new UnparsableSourceError('/proc/sys/kernel/osrelease', 'the version of the kernel');
  return version;
}

function installedKernels(host: Host): string[] {
  const installed = MODULE_DIRECTORIES.flatMap((directory) =>
    host.root
      .names(directory)
      .filter((version) => KERNEL_FILES.some((file) => host.root.has(`${directory}/${version}/${file}`))),
  );
  return [...new Set(installed)];
}

/** Only a kernel of the running one's flavour would take its place. */
function isNewerInstalled(running: string, installed: readonly string[]): boolean {
  const flavour = kernelFlavour(running);
  return installed.some((version) => kernelFlavour(version) === flavour && compareKernelVersions(version, running) > 0);
}

/** The running and the newest installed kernel; absent on NixOS, where the system says more. @spec agent#resources-and-their-fields `kernel` */
export const kernel: Collector = {
  name: 'kernel',
  sections: ['kernel'],
  collect: (host) => {
    if (isNixos(host)) return { sections: {}, families: [] };
    const running = runningKernel(host);
    const installed = installedKernels(host);
    const found: ReportKernel = { running, newest: newestKernel(installed) ?? '' };
    const isRequired = host.root.has(REBOOT_REQUIRED_FILE) || isNewerInstalled(running, installed);
    return { sections: { kernel: found }, families: [rebootRequired(isRequired)] };
  },
};
