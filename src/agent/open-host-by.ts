import { KERNEL_MODULES_VARIABLE } from '../kernel/systemd/hardening.ts';
import { type HostOptions, type OpenHost, openHost } from './host/host.ts';

/** Size of Node's thread pool unless the environment says otherwise. */
const THREADS_DEFAULT = 4;

/** @throws StartError when a directory named does not exist */
export function openHostBy(
  options: Record<string, string | boolean | undefined>,
  env: NodeJS.ProcessEnv,
  userUnits?: HostOptions['userUnits'],
): OpenHost {
  const { UV_THREADPOOL_SIZE: threads, PATH: path, [KERNEL_MODULES_VARIABLE]: kernelModules } = env;
  const root = (name: keyof HostOptions['roots'], fallback: string): string =>
    String(options[name] ?? fallback).replace(/\/+$/, '');
  return openHost({
    roots: { procfs: root('procfs', '/proc'), sysfs: root('sysfs', '/sys'), rootfs: root('rootfs', '/') },
    threads: Number(threads ?? THREADS_DEFAULT) || THREADS_DEFAULT,
    path,
    kernelModules: kernelModules === '' ? undefined : kernelModules,
    userUnits,
  });
}
