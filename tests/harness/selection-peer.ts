import x11, { type Display, type Property, type WireEvent } from 'x11';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
export const ATOMS = { PRIMARY: 1, SECONDARY: 2, ATOM: 4, CUT_BUFFER0: 9, INTEGER: 19, STRING: 31 } as const;

const SELECTION_NOTIFY = 31;

export interface Converted {
  type: number;
  format: number;
  data: Buffer;
}

export interface ConversionOptions {
  /** The current time when absent. */
  time?: number;
  /** Older programs name no property. */
  namesProperty?: boolean;
  /** How long the owner may take. */
  withinMs?: number;
}

/** Another X program that owns and reads selections, by a client of its own. */
export interface SelectionPeer extends Disposable {
  readonly window: number;
  intern(name: string): Promise<number>;
  ownerOf(selection: number): Promise<number>;
  /** Asks the owner; undefined is a refusal. */
  convert(selection: number, target: number, options?: ConversionOptions): Promise<Converted | undefined>;
  /** Asks the owner and does not wait. */
  request(selection: number, target: number): void;
  /** Owns a selection; `give` answers requests, or says nothing where it gives `later`. */
  own(selection: number, give: (target: number) => Converted | 'later' | undefined): Promise<void>;
  /** Answers the oldest request that `later` was said to. */
  giveNow(value: Converted): void;
  /** How often it was asked. */
  asked(): number;
  readBuffer(index: number): Promise<Converted>;
  writeBuffer(index: number, data: Buffer, type?: number): Promise<void>;
  send(destination: number, event: Buffer): void;
  /** Destroys a window, whosever it is. */
  destroy(window: number): Promise<void>;
  sync(): Promise<void>;
}

export async function startSelectionPeer(address: XServerAddress): Promise<SelectionPeer> {
  const display: Display = await connectX(address);
  const { client } = display;
  const root = display.screen[0]?.root ?? 0;
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, { eventMask: x11.eventMask['PropertyChange'] ?? 0 });
  const intern = (name: string): Promise<number> => answer(name, (reply) => client.InternAtom(false, name, reply));
  const mine = await intern('PEER');
  let give: (target: number) => Converted | 'later' | undefined = () => undefined;
  let notified: WireEvent[] = [];
  const unanswered: WireEvent[] = [];
  let asked = 0;

  const respond = (request: WireEvent, value: Converted | undefined): void => {
    const { requestor, property } = request;
    if (value !== undefined) client.ChangeProperty(0, requestor, property, value.type, value.format, value.data);
    const event = Buffer.alloc(32);
    event[0] = SELECTION_NOTIFY;
    const fields = [request.time, requestor, request.selection, request.target, value === undefined ? 0 : property];
    for (const [index, field] of fields.entries()) event.writeUInt32LE(field, 4 + 4 * index);
    client.SendEvent(requestor, 0, 0, event);
    client.flush();
  };
  client.on('event', (event: WireEvent) => {
    if (event.name === 'SelectionNotify') notified.push(event);
    if (event.name !== 'SelectionRequest') return;
    asked += 1;
    const value = give(event.target);
    if (value === 'later') unanswered.push(event);
    else respond(event, value);
  });
  const property = (of: number, name: number): Promise<Property> =>
    answer('a property', (reply) => client.GetProperty(0, of, name, 0, 0, 1 << 22, reply));
  const ownerOf = (selection: number): Promise<number> =>
    answer('the owner', (reply) => client.GetSelectionOwner(selection, reply));
  return {
    window,
    intern,
    ownerOf,
    convert: async (selection, target, { time = 0, namesProperty = true, withinMs } = {}) => {
      notified = [];
      const wanted = namesProperty ? mine : target;
      client.DeleteProperty(window, wanted);
      client.ConvertSelection(window, selection, target, namesProperty ? mine : 0, time);
      client.flush();
      const told = await waitFor(
        'the owner answers',
        () => notified[0],
        withinMs === undefined ? {} : { timeoutMs: withinMs },
      );
      if (told.property === 0) return undefined;
      if (told.property !== wanted) throw new Error(`the answer is in property ${told.property}, not in ${wanted}`);
      const { type, format, data } = await property(window, wanted);
      return { type, format, data };
    },
    request: (selection, target) => {
      client.ConvertSelection(window, selection, target, mine, 0);
      client.flush();
    },
    own: async (selection, answerWith) => {
      give = answerWith;
      client.SetSelectionOwner(window, selection, 0);
      if ((await ownerOf(selection)) !== window) throw new Error('the selection could not be owned');
    },
    giveNow: (value) => {
      const request = unanswered.shift();
      if (request === undefined) throw new Error('nobody waits for an answer');
      respond(request, value);
    },
    asked: () => asked,
    readBuffer: async (index) => {
      const { type, format, data } = await property(root, ATOMS.CUT_BUFFER0 + index);
      return { type, format, data };
    },
    writeBuffer: async (index, data, type = ATOMS.STRING) => {
      client.ChangeProperty(0, root, ATOMS.CUT_BUFFER0 + index, type, 8, data);
      await ownerOf(ATOMS.PRIMARY);
    },
    send: (destination, event) => {
      client.SendEvent(destination, 0, 0, event);
      client.flush();
    },
    destroy: async (of) => {
      client.DestroyWindow(of);
      await ownerOf(ATOMS.PRIMARY);
    },
    sync: async () => void (await ownerOf(ATOMS.PRIMARY)),
    [Symbol.dispose]: () => client.terminate(),
  };
}
