import type { WireEvent } from 'x11';
import { RequestRefusedError } from '../errors.ts';
import { CoreKeymap } from '../input/core-keymap.ts';
import type { Keymap } from '../input/keymap.ts';
import { XkbKeymap } from '../input/xkb-keymap.ts';
import type { XConnection } from '../x11/connection.ts';
import { askKeysyms } from '../x11/keysyms.ts';
import { askXkbMap, KEYBOARD_CHANGED } from '../x11/xkb.ts';
import type { EventHandlers } from './event-router.ts';
import type { InputPipeline } from './input-pipeline.ts';

/** MappingNotify of the pointer's buttons; X11 protocol. */
const MAPPING_POINTER = 2;

/** The keyboard as the server has it now: of the core protocol, where the server does not have XKB. */
export async function loadKeymap(connection: XConnection): Promise<Keymap> {
  const map = await askXkbMap(connection).catch((error: unknown) => {
    if (error instanceof RequestRefusedError) return undefined;
    throw error;
  });
  if (map !== undefined) return new XkbKeymap(map);
  const { first, last } = connection.keycodes;
  const [rows, modifierRows] = await Promise.all([
    askKeysyms(connection, { first, last }),
    connection.ask<number[][]>('the modifier mapping', (client, reply) => client.GetModifierMapping(reply)),
  ]);
  return new CoreKeymap(rows, first, modifierRows);
}

/** The keyboard's mapping. Keys that come while a new mapping is fetched wait for it, because they belong to it. */
export class Keyboard {
  readonly #load: () => Promise<Keymap>;
  readonly #pipeline: InputPipeline;
  #keymap: Keymap = new CoreKeymap([], 0, []);
  /** The last load that was asked for; undefined when it has come. */
  #underWay: Promise<void> | undefined;
  /** Another load follows the present one; it covers every change until it begins. */
  #isNextPlanned = false;
  /** The last load failed. */
  #isStale = false;

  constructor({ load, pipeline }: { load(): Promise<Keymap>; pipeline: InputPipeline }) {
    this.#load = () => load();
    this.#pipeline = pipeline;
  }

  get keymap(): Keymap {
    return this.#keymap;
  }

  /** Handles an event without a window: for example, setxkbmap(1) changes the mapping. */
  readonly handlers: EventHandlers = {
    MappingNotify: ({ request }: WireEvent) => {
      if (request !== MAPPING_POINTER) this.reload();
    },
    [KEYBOARD_CHANGED]: () => this.reload(),
  };

  /** Something came from the keyboard: a mapping that could not be fetched is asked for again. */
  noticeInput(): void {
    if (this.#isStale) this.reload();
  }

  /**
   * Fetches the mapping. However many changes come in a row, one load is under way and at most one follows it; keys wait
   * for the first load that began after the last change before them, and for no later one.
   */
  reload(): void {
    if (this.#isNextPlanned) return;
    this.#isStale = false;
    const before = this.#underWay;
    this.#isNextPlanned = before !== undefined;
    const keymap = before === undefined ? this.#load() : before.then(() => this.#loadNext());
    const ended = this.#await(keymap).then(() => {
      if (this.#underWay === ended) this.#underWay = undefined;
    });
    this.#underWay = ended;
  }

  #loadNext(): Promise<Keymap> {
    this.#isNextPlanned = false;
    return this.#load();
  }

  /** Uses a mapping as soon as it comes, even if late. Resolves when it has come or failed. */
  #await(keymap: Promise<Keymap>): Promise<void> {
    this.#pipeline.holdFor(keymap, (found) => {
      this.#keymap = found ?? this.#keymap;
    });
    return keymap.then(
      () => {
        this.#isStale = false;
      },
      () => {
        this.#isStale = true;
      },
    );
  }

  /** The first mapping, which was asked for before there was a window. */
  start(first: Promise<Keymap>): void {
    void this.#await(first);
  }
}
