import type { Client } from 'x11';

/** Opcode; X11 protocol. */
const GET_INPUT_FOCUS = 43;

/**
 * Sends each request alone, and the next one only after the server has handled it; XSynchronize(3). A GetInputFocus
 * follows each request for this.
 * @returns a function that sends all queued requests at once
 */
export function makeSynchronous(client: Client): () => void {
  const { pack_stream: requests } = client;
  const put = requests.put.bind(requests);
  const ask = client.GetInputFocus.bind(client);
  const queue: Buffer[] = [];
  let pieces: Buffer[] = [];
  let isWaiting = false;
  let isAsking = false;
  const sendNext = (): void => {
    while (!isWaiting) {
      const request = queue.shift();
      if (request === undefined) return;
      isWaiting = request[0] === GET_INPUT_FOCUS;
      put(request);
      requests.flush();
    }
  };
  client.GetInputFocus = (reply) =>
    ask((error, focus) => {
      isWaiting = false;
      sendNext();
      return reply(error, focus);
    });
  requests.put = (piece) => {
    pieces.push(Buffer.from(piece));
    return requests;
  };
  requests.submit = (expectsReply) => {
    queue.push(Buffer.concat(pieces));
    pieces = [];
    // The library keeps its sequence numbers by this call.
    requests.onSubmit?.(expectsReply);
    if (!isAsking) {
      isAsking = true;
      client.GetInputFocus(() => true);
      isAsking = false;
    }
    sendNext();
    return true;
  };
  return () => {
    for (const request of queue.splice(0)) put(request);
  };
}
