import type { XConnection } from '../../x11/x-connection.ts';

/** Longest identifier that is passed on, in bytes; desktops build it from a host, a number and a time. */
const ID_MAX_BYTES = 1_024;

/** Bytes of data in a message; X11 protocol, ClientMessage. */
const PIECE_BYTES = 20;
const CLIENT_MESSAGE = 33;
const FORMAT_8 = 8;

/** Desktops select this on the root window; Startup Notification Protocol. */
const PROPERTY_CHANGE_MASK = 1 << 22;

interface LaunchAtoms {
  begin: number;
  info: number;
  id: number;
  utf8: number;
}

/**
 * Completes the launch for the desktop, which otherwise shows a busy pointer for seconds. The window carries the
 * launch's identifier, so that it appears on the workspace where it was started.
 */
export class StartupNotification {
  readonly #connection: XConnection;
  readonly #id: string;
  /** Resolves when the server has answered the requests that `mark` needs; never rejects. */
  readonly ready: Promise<void>;
  #atoms: LaunchAtoms | undefined;
  #isComplete = false;

  constructor(connection: XConnection, id: string) {
    this.#connection = connection;
    this.#id = id;
    this.ready = internAtoms(connection).then(
      (atoms) => {
        this.#atoms = atoms;
      },
      // The requests fail only when the connection is gone, which is reported elsewhere.
      () => {},
    );
  }

  /** Ties a window to the launch. Call it after `ready`, before the window is mapped. */
  mark(window: number): void {
    const atoms = this.#atoms;
    if (atoms === undefined) return;
    this.#connection.client.ChangeProperty(0, window, atoms.id, atoms.utf8, 8, Buffer.from(this.#id));
  }

  /**
   * Notifies the desktop once that the launch is over: with a window, or without one if the start failed. Resolves when
   * the server has processed the messages.
   */
  async complete(window: number): Promise<void> {
    if (this.#isComplete) return;
    this.#isComplete = true;
    await this.ready;
    const atoms = this.#atoms;
    const { client, screen, isOpen } = this.#connection;
    if (atoms === undefined || !isOpen) return;
    const text = Buffer.from(`remove: ID=${quoted(this.#id)}\0`);
    for (let at = 0; at < text.length; at += PIECE_BYTES) {
      const message = Buffer.alloc(32);
      message.writeUInt8(CLIENT_MESSAGE, 0);
      message.writeUInt8(FORMAT_8, 1);
      message.writeUInt32LE(window, 4);
      message.writeUInt32LE(at === 0 ? atoms.begin : atoms.info, 8);
      text.copy(message, 12, at, at + PIECE_BYTES);
      client.SendEvent(screen.root, 0, PROPERTY_CHANGE_MASK, message);
    }
    const sent = this.#connection.ask<unknown>('the launch to end', (asked, reply) => asked.GetInputFocus(reply));
    this.#connection.flush();
    // Without a connection there is no launch to complete.
    await sent.catch(() => {});
  }
}

/**
 * Returns the notification for the launcher's identifier, or undefined, without a request to the server, if the
 * environment has no valid one.
 */
export function startupNotification(
  connection: XConnection,
  environment: Readonly<Record<string, string | undefined>>,
): StartupNotification | undefined {
  const id = environment['DESKTOP_STARTUP_ID'] || environment['XDG_ACTIVATION_TOKEN'];
  if (id === undefined || id === '' || Buffer.byteLength(id) > ID_MAX_BYTES || /\p{Cc}/u.test(id)) return undefined;
  return new StartupNotification(connection, id);
}

async function internAtoms(connection: XConnection): Promise<LaunchAtoms> {
  const [begin, info, id, utf8] = await Promise.all([
    connection.internAtom('_NET_STARTUP_INFO_BEGIN'),
    connection.internAtom('_NET_STARTUP_INFO'),
    connection.internAtom('_NET_STARTUP_ID'),
    connection.internAtom('UTF8_STRING'),
  ]);
  return { begin, info, id, utf8 };
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
