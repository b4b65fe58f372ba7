import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, onOneLine, StartError } from './errors.ts';
import { type ListenOptions, listen } from './http/listen.ts';
import { createLog } from './log.ts';
import { loadKoffiFor } from './native/koffi.ts';

/** Deadline of one part; longer than the deadlines inside it. */
const PART_DEADLINE_MS = 20_000;

/** Variable with the ports of the running service, separated by commas; `install-units` sets it for its check. */
export const HELD_PORTS_VARIABLE = 'HOMEPORT_HELD_PORTS';

/** One thing that a service needs at its start, with its check. */
export interface StartPart {
  /** The subject, in two or three words. */
  name: string;
  /**
   * Describes the result in a few words; undefined if no check applies.
   * @throws Error that says what to do, when the service could not start
   */
  look(): string | undefined | Promise<string | undefined>;
  /** The service starts without it, and keeps trying. */
  isOptional?: true;
}

/** Beginnings of the lines that `checkStart` prints, of equal width. */
export const START_MARKS = { well: 'ok      ', wrong: 'WRONG   ', noted: 'note    ' } as const;

/**
 * Checks all parts in their order, and prints a line for each.
 * @returns the exit status: 0 the service can start, 78 it cannot before a person changes something, 1 it cannot now
 */
export async function checkStart(parts: readonly StartPart[], print: (line: string) => void): Promise<number> {
  const width = Math.max(...parts.map(({ name }) => name.length));
  let status = 0;
  for (const part of parts) {
    const found = await lookAt(part);
    if (found === undefined) continue;
    print(onOneLine(`${found.mark}${part.name.padEnd(width)}  ${found.words}`));
    status = Math.max(status, found.status);
  }
  return status;
}

interface Found {
  mark: string;
  words: string;
  status: number;
}

async function lookAt({ look, isOptional }: StartPart): Promise<Found | undefined> {
  try {
    const words = await Promise.race([look(), overdue()]);
    return words === undefined ? undefined : { mark: START_MARKS.well, words, status: 0 };
  } catch (error) {
    const words = messageOf(error);
    if (isOptional === true) return { mark: START_MARKS.noted, words, status: 0 };
    return { mark: START_MARKS.wrong, words, status: error instanceof StartError ? error.exitStatus : 1 };
  }
}

/** @throws Error after the deadline */
async function overdue(): Promise<never> {
  await delay(PART_DEADLINE_MS, undefined, { ref: false });
  throw new Error(`no result within ${PART_DEADLINE_MS / 1_000} s: mend what is slow there, then look again`);
}

/** Names the version of Node.js, which is checked before any code of a program runs. */
export const nodePart: StartPart = {
  name: 'Node.js',
  look: () => `${process.versions.node}, ${process.execPath}`,
};

/**
 * Checks koffi, by which a service notifies systemd that it listens; without it systemd would wait until the start
 * fails.
 * @param file a file of the program
 */
export function systemCallsPart(file: string): StartPart {
  return {
    name: 'koffi',
    look: () => {
      try {
        loadKoffiFor(file).load('libc.so.6');
      } catch (error) {
        throw new StartError(
          `the package koffi, by which systemd is informed, can’t be loaded for ${process.platform} on ${process.arch} (${messageOf(error).replace(/\n.*/s, '')}): install Homeport again, with its packages`,
          { cause: error },
        );
      }
      return 'loads';
    },
  };
}

/**
 * Checks that a port is free by listening on it for a moment.
 * @param option names the place in the configuration
 * @param held ports that the running service has, as `HELD_PORTS_VARIABLE` names them
 */
export function portPart(option: string, where: ListenOptions, held: string | undefined): StartPart {
  return {
    name: option,
    look: async () => {
      const place = `${where.address} port ${where.port}`;
      if (held?.split(',').includes(String(where.port)) === true) return `${place}, which the running service has`;
      const server = createServer();
      await listen(server, where, { option, log: createLog('check', 'error') });
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
      return `${place} is free`;
    },
  };
}
