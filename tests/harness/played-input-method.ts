import type { WireEvent } from 'x11';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';

/** Predefined atom; X11 protocol, Appendix B. */
const ATOM = 4;
const CLIENT_MESSAGE = 33;

/** An input method server that sends only what a test asks for. */
export interface PlayedInputMethod extends Disposable {
  /** Window of the server. */
  readonly window: number;
  /** Returns the terminal's end, when it has requested a connection. */
  asker(): number | undefined;
  /** Answers the last request for a connection: speak to this window. */
  accept(window: number): void;
  sync(): Promise<void>;
}

/** Registers a server; X Input Method Protocol, 2.1. @param name as in `@im=` */
export async function playInputMethod(address: XServerAddress, name: string): Promise<PlayedInputMethod> {
  const { client, screen } = await connectX(address);
  const root = screen[0]?.root ?? 0;
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, {});
  const intern = (atom: string): Promise<number> => answer(atom, (reply) => client.InternAtom(false, atom, reply));
  const [servers, selection, connect] = [
    await intern('XIM_SERVERS'),
    await intern(`@server=${name}`),
    await intern('_XIM_XCONNECT'),
  ];
  let asker: number | undefined;
  client.on('event', ({ name: event, rawData }: WireEvent) => {
    if (event === 'ClientMessage' && rawData.readUInt32LE(8) === connect) asker = rawData.readUInt32LE(12);
  });
  client.SetSelectionOwner(window, selection, 0);
  client.ChangeProperty(0, root, servers, ATOM, 32, Buffer.from(Uint32Array.of(selection).buffer));
  const sync = async (): Promise<void> =>
    void (await answer('the owner', (reply) => client.GetSelectionOwner(selection, reply)));
  await sync();
  return {
    window,
    asker: () => asker,
    accept: (told) => {
      const target = asker ?? 0;
      const event = Buffer.alloc(32);
      event.writeUInt8(CLIENT_MESSAGE, 0);
      event.writeUInt8(32, 1);
      event.writeUInt32LE(target, 4);
      event.writeUInt32LE(connect, 8);
      event.writeUInt32LE(told, 12);
      client.SendEvent(target, 0, 0, event);
      client.flush();
      asker = undefined;
    },
    sync,
    [Symbol.dispose]: () => client.terminate(),
  };
}
