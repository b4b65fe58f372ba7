import { Writable } from 'node:stream';
import { createLog, type Logger } from '../../src/kernel/log.ts';

/** A log, and what was written to it, in order. */
interface ListeningLog {
  log: Logger;
  messages: string[];
  /** Messages of the errors that some of them came with. */
  errors: string[];
}

/** A log that keeps warnings and errors, and with level `info` all that is at least that important. */
export function listeningLog(level: 'warn' | 'info' = 'warn'): ListeningLog {
  const messages: string[] = [];
  const errors: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      const { msg, err } = JSON.parse(String(chunk));
      messages.push(msg);
      if (err !== undefined) errors.push(err.message);
      done();
    },
  });
  return { log: createLog('test', level, output), messages, errors };
}
