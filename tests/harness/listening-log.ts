import { Writable } from 'node:stream';
import { createLog, type Logger } from '../../src/kernel/log.ts';

/**
 * A log that keeps its messages in order: warnings and errors, and with level `info` all that are at least that
 * important.
 */
export function listeningLog(level: 'warn' | 'info' = 'warn'): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      messages.push(JSON.parse(String(chunk)).msg);
      done();
    },
  });
  return { log: createLog('test', level, output), messages };
}
