import { readFileSync } from 'node:fs';
import x11, { type Display } from 'x11';
import { withinIdle } from './idle-deadline.ts';

/** Longest idle time of the X server and the other programs before an answer. */
const ANSWER_DEADLINE_MS = 30_000;

/** Address of an X server, such as the `environment` of `startXvfb`. */
export interface XServerAddress {
  DISPLAY: string;
  XAUTHORITY?: string;
}

/** A separate connection, not the one of the observed program. */
export function connectX({ DISPLAY, XAUTHORITY }: XServerAddress): Promise<Display> {
  const auth = XAUTHORITY === undefined ? undefined : firstCookie(readFileSync(XAUTHORITY));
  return new Promise((resolve, reject) => {
    const client = x11.createClient({ display: DISPLAY, shm: false, ...(auth && { auth }) }, (error, display) =>
      error === undefined ? resolve(display) : reject(error),
    );
    client.on('error', reject);
  });
}

/** Name and data of the first entry of an authority file; Xau(3). */
function firstCookie(file: Buffer): { name: string; data: string } {
  const fields: string[] = [];
  let offset = 2;
  while (fields.length < 4) {
    const length = file.readUInt16BE(offset);
    fields.push(file.toString('latin1', offset + 2, offset + 2 + length));
    offset += 2 + length;
  }
  return { name: fields[2] ?? '', data: fields[3] ?? '' };
}

/** One request with a reply, within the deadline. */
export function answer<T>(
  what: string,
  request: (reply: (error: Error | null | undefined, value: T) => true) => void,
): Promise<T> {
  const answered = new Promise<T>((resolve, reject) => {
    request((error, value) => {
      // Answers the library has in its cache come with undefined.
      if (error === null || error === undefined) resolve(value);
      else reject(new Error(`the X server refused to tell ${what}: ${error.message}`));
      return true;
    });
  });
  return withinIdle(answered, ANSWER_DEADLINE_MS, () => `the X server did not tell ${what}`);
}
