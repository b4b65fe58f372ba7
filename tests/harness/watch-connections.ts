import { createHook } from 'node:async_hooks';

/** Counts attempts of this process to open a TCP connection, encrypted or not, wherever they go. */
export interface ConnectionWatch extends Disposable {
  count(): number;
}

export function watchConnections(): ConnectionWatch {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      // Each of these is a connection that the operating system is asked to open.
      if (type === 'TCPCONNECTWRAP') count += 1;
    },
  }).enable();
  return { count: () => count, [Symbol.dispose]: () => void hook.disable() };
}
