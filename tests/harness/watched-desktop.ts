import { startCompositor } from './start-compositor.ts';
import { startXDesktop, type XDesktop } from './start-termprog.ts';
import { openTestConnection, type TestConnection } from './test-connection.ts';

/** A private X server, with a connection by which a test looks at its windows. */
export interface WatchedDesktop extends XDesktop {
  readonly connection: TestConnection;
}

/** @param isComposited a compositor blends the windows */
export async function startWatchedDesktop({ isComposited = false } = {}): Promise<WatchedDesktop> {
  await using parts = new AsyncDisposableStack();
  const desktop = parts.use(await startXDesktop());
  if (isComposited) parts.use(await startCompositor(desktop));
  const connection = parts.use(await openTestConnection(desktop));
  const kept = parts.move();
  return { ...desktop, connection, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
