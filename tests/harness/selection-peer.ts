import x11, { type Display, type Property, type WireEvent } from 'x11';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
export const ATOMS = { PRIMARY: 1, SECONDARY: 2, ATOM: 4, CUT_BUFFER0: 9, INTEGER: 19, STRING: 31 } as const;

const SELECTION_NOTIFY = 31;

/** Pieces that an owner writes and deletes before it lets other programs have their turn. */
const RETRACTIONS_AT_ONCE = 16;

export interface Converted {
  type: number;
  format: number;
  data: Buffer;
}

export interface ConversionOptions {
  /** Time of the request; the current time when absent. */
  time?: number;
  /** Whether the request names a property; older programs do not name one. */
  namesProperty?: boolean;
  /** Longest wait for the owner, in milliseconds. */
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
  /** Owns a selection; `give` answers requests, and `later` leaves a request open for `giveNow`. */
  own(selection: number, give: (target: number) => Converted | 'later' | undefined): Promise<void>;
  /** Answers the oldest request that is still open. */
  giveNow(value: Converted): void;
  /** Number of requests for its selections. */
  asked(): number;
  /** Number of answers that came piece by piece. */
  incremental(): number;
  /** Sets a pause before it takes the first of several pieces. */
  pauseBeforePieces(wait: () => Promise<void>): void;
  /** Asks for several targets at once; undefined stands for what was refused. */
  convertMany(selection: number, targets: readonly number[]): Promise<(Converted | undefined)[] | undefined>;
  /**
   * Owns a selection and gives it piece by piece, at once or after a pause; returns the number of pieces that were
   * requested.
   */
  ownPieces(
    selection: number,
    type: number,
    pieces: readonly Buffer[],
    options?: { everyMs: number },
  ): Promise<() => number>;
  /** Owns a selection, and writes and deletes a piece of it without end; returns how often. */
  ownRetracted(selection: number, type: number): Promise<() => number>;
  readBuffer(index: number): Promise<Converted>;
  writeBuffer(index: number, data: Buffer, type?: number): Promise<void>;
  /** Writes Latin-1 into a property of a window, whosever it is. */
  writeProperty(window: number, property: number, data: Buffer): Promise<void>;
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
  let give: (target: number, reader: number) => Converted | 'later' | undefined = () => undefined;
  let notified: WireEvent[] = [];
  const unanswered: WireEvent[] = [];
  let asked = 0;

  /** Properties of the window with a new value. */
  const changed = new Set<number>();
  let pauses = 0;
  let pause = async (): Promise<void> => {};
  /** Called when a reader took a piece. */
  let deleted: (window: number, property: number) => void = () => {};
  const takeChange = ({ wid, atom, state }: WireEvent): void => {
    if (state === 0 && wid === window) changed.add(atom);
    if (state === 1) deleted(wid, atom);
  };

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
    if (event.name === 'PropertyNotify') takeChange(event);
    if (event.name !== 'SelectionRequest') return;
    asked += 1;
    const value = give(event.target, event.requestor);
    if (value === 'later') unanswered.push(event);
    else respond(event, value);
  });
  const property = (of: number, name: number): Promise<Property> =>
    answer('a property', (reply) => client.GetProperty(0, of, name, 0, 0, 1 << 22, reply));
  /** Takes an answer, whole or piece by piece. */
  const take = async (name: number, withinMs: number | undefined): Promise<Converted> => {
    const first = await property(window, name);
    if (first.type !== (await intern('INCR'))) return { type: first.type, format: first.format, data: first.data };
    pauses += 1;
    await pause();
    const pieces: Buffer[] = [];
    for (;;) {
      changed.delete(name);
      client.DeleteProperty(window, name);
      client.flush();
      await waitFor('a piece comes', () => changed.has(name), withinMs === undefined ? {} : { timeoutMs: withinMs });
      const piece = await property(window, name);
      if (piece.data.length === 0) {
        client.DeleteProperty(window, name);
        return { type: piece.type, format: piece.format, data: Buffer.concat(pieces) };
      }
      pieces.push(piece.data);
    }
  };
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
      return take(wanted, withinMs);
    },
    convertMany: async (selection, targets) => {
      notified = [];
      const [multiple, pairType] = [await intern('MULTIPLE'), await intern('ATOM_PAIR')];
      const into = await Promise.all(targets.map((_, index) => intern(`PEER_${index}`)));
      const pairs = Uint32Array.from(targets.flatMap((target, index) => [target, into[index] ?? 0]));
      client.ChangeProperty(0, window, mine, pairType, 32, Buffer.from(pairs.buffer));
      client.ConvertSelection(window, selection, multiple, mine, 0);
      client.flush();
      const told = await waitFor('the owner answers', () => notified[0]);
      if (told.property === 0) return undefined;
      const { data } = await property(window, mine);
      return Promise.all(
        into.map((name, index) => (data.readUInt32LE(8 * index + 4) === 0 ? undefined : property(window, name))),
      );
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
    incremental: () => pauses,
    pauseBeforePieces: (wait) => {
      pause = wait;
    },
    ownPieces: async (selection, type, pieces, { everyMs } = { everyMs: 0 }) => {
      const incr = await intern('INCR');
      let left: Buffer[] = [];
      let taken = 0;
      deleted = (reader, name) => {
        taken += 1;
        const piece = left.shift() ?? Buffer.alloc(0);
        const write = (): void => {
          client.ChangeProperty(0, reader, name, type, 8, piece);
          client.flush();
        };
        if (everyMs === 0) write();
        else setTimeout(write, everyMs).unref();
      };
      give = (target, reader) => {
        if (target !== type) return undefined;
        left = [...pieces];
        client.ChangeWindowAttributes(reader, { eventMask: x11.eventMask['PropertyChange'] ?? 0 });
        return { type: incr, format: 32, data: Buffer.from(Uint32Array.of(1).buffer) };
      };
      client.SetSelectionOwner(window, selection, 0);
      if ((await ownerOf(selection)) !== window) throw new Error('the selection could not be owned');
      return () => taken;
    },
    ownRetracted: async (selection, type) => {
      const incr = await intern('INCR');
      let writes = 0;
      const write = (reader: number, name: number): void => {
        for (let time = 0; time < RETRACTIONS_AT_ONCE; time += 1) {
          client.ChangeProperty(0, reader, name, type, 8, Buffer.from('x'));
          client.DeleteProperty(reader, name);
        }
        writes += 1;
        client.GetInputFocus((error) => {
          if (error === null || error === undefined) write(reader, name);
          return true;
        });
      };
      let property: number | undefined;
      deleted = (reader, name) => {
        if (property === undefined) write(reader, name);
        property = name;
      };
      give = (target, reader) => {
        if (target !== type) return undefined;
        client.ChangeWindowAttributes(reader, { eventMask: x11.eventMask['PropertyChange'] ?? 0 });
        return { type: incr, format: 32, data: Buffer.from(Uint32Array.of(1).buffer) };
      };
      client.SetSelectionOwner(window, selection, 0);
      if ((await ownerOf(selection)) !== window) throw new Error('the selection could not be owned');
      return () => writes;
    },
    readBuffer: async (index) => {
      const { type, format, data } = await property(root, ATOMS.CUT_BUFFER0 + index);
      return { type, format, data };
    },
    writeBuffer: async (index, data, type = ATOMS.STRING) => {
      client.ChangeProperty(0, root, ATOMS.CUT_BUFFER0 + index, type, 8, data);
      await ownerOf(ATOMS.PRIMARY);
    },
    writeProperty: async (of, name, data) => {
      client.ChangeProperty(0, of, name, ATOMS.STRING, 8, data);
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
