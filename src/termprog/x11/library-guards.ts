/**
 * Guards around the X library's client, which trusts its server: they limit what an answer may allocate, catch what its
 * parsers throw, and spare a search for each event.
 */
import type { Client } from 'x11';

/** Calls `onLarge` instead of reading when an answer claims more than `max` bytes: the library would allocate and wait. */
export function limitAnswers(client: Client, max: number, onLarge: (length: number) => void): void {
  const stream = client.pack_stream;
  const get = stream.get.bind(stream);
  stream.get = (length, take) => {
    if (length <= max) get(length, take);
    else onLarge(length);
  };
}

/**
 * Reduces the library's work: with each answer and event it searches all pending entries for requests without an answer
 * whose completion is awaited. The search now runs only while there is such a request.
 */
export function sweepOnlyCallbacks(client: Client): void {
  const sweep = client._sweepVoid.bind(client);
  let swept = 0;
  client._sweepVoid = (until) => {
    if (client._last_void_seq > swept) sweep(until);
    swept = until;
  };
}

/** Calls `fail` when the library's parser of the newest request's answer throws, as it does on unusual answers. */
export function guardReading(client: Client, fail: () => void): void {
  const entry = client.replies[client.seq_num];
  const read = entry?.[0];
  if (entry === undefined || read === undefined) return;
  entry[0] = (body, detail) => {
    try {
      return read.call(client, body, detail);
    } catch {
      // `fail` names the request; the parser's own error would only say which byte it missed.
      return fail();
    }
  };
}
