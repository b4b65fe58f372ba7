import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from '../stack/managed-process.ts';

/** A program that ends this often within the window is broken, and starting it again would hide that. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 30_000;

/** Gives the kernel a moment to free the ports of a killed program. */
const RESTART_DELAY_MS = 100;

export interface Supervised {
  /** The process running now. */
  current(): ManagedProcess;
  stop(): Promise<void>;
}

export interface SupervisorEvents {
  /** The program ended by itself and is about to be started again. */
  ended(name: string, how: string): void;
  restarted(name: string, pid: number): void;
  /** It keeps ending; nobody starts it any more. */
  gaveUp(name: string, reason: string): void;
}

/** Keeps one program running: the same command line, ports and data after every end it did not ask for. */
export async function supervise(start: () => Promise<ManagedProcess>, events: SupervisorEvents): Promise<Supervised> {
  let process = await start();
  let stopping = false;
  const restarts: number[] = [];

  const watch = async (): Promise<void> => {
    while (!stopping) {
      const { signal, exitCode } = await process.ended;
      if (stopping) return;
      const now = performance.now();
      restarts.push(now);
      const recent = restarts.filter((time) => now - time < RESTART_WINDOW_MS).length;
      const how = signal ?? `exit status ${exitCode ?? 'unknown'}`;
      if (recent > RESTARTS_MAX) {
        events.gaveUp(process.name, `it ended ${recent} times within ${RESTART_WINDOW_MS / 1000} s\n${process.output().slice(-2000)}`);
        return;
      }
      events.ended(process.name, how);
      await delay(RESTART_DELAY_MS);
      if (stopping) return;
      try {
        process = await start();
        if (stopping) await process.stop();
        else events.restarted(process.name, process.pid);
      } catch (error) {
        events.gaveUp(process.name, error instanceof Error ? error.message : String(error));
        return;
      }
    }
  };
  const watching = watch();

  return {
    current: () => process,
    stop: async () => {
      stopping = true;
      await process.stop();
      await watching;
      await process.stop();
    },
  };
}
