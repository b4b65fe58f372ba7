import type { WireEvent } from 'x11';
import { RequestRefusedError } from '../../errors.ts';
import { CoreKeymap } from '../../input/core-keymap.ts';
import type { Keymap } from '../../input/keymap.ts';
import { XkbKeymap } from '../../input/xkb-keymap.ts';
import { askKeysyms } from '../../x11/keyboard-mapping.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { askXkbMap, KEYBOARD_CHANGED } from '../../x11/xkb.ts';
import type { EventHandlers } from '../desktop/event-router.ts';
import type { InputPipeline } from './input-pipeline.ts';

/** MappingNotify of the pointer's buttons; X11 protocol. */
const MAPPING_POINTER = 2;

/** Loads the server's present keyboard mapping: by XKB, or by the core protocol if the server lacks XKB. */
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

/**
 * Owns the keyboard's mapping and reloads it when it changes. Keys that arrive during a reload wait for it, because
 * they belong to the new mapping.
 */
export class Keyboard {
  readonly #load: () => Promise<Keymap>;
  readonly #pipeline: InputPipeline;
  #keymap: Keymap = new CoreKeymap([], 0, []);
  /** The last requested load; undefined when it has finished. */
  #underWay: Promise<void> | undefined;
  /** One more load follows the present one; it covers all changes until it begins. */
  #isNextPlanned = false;

  constructor({ load, pipeline }: { load(): Promise<Keymap>; pipeline: InputPipeline }) {
    this.#load = () => load();
    this.#pipeline = pipeline;
  }

  get keymap(): Keymap {
    return this.#keymap;
  }

  /** Handles events without a window: for example, setxkbmap(1) changes the mapping. */
  readonly handlers: EventHandlers = {
    MappingNotify: ({ request }: WireEvent) => {
      if (request !== MAPPING_POINTER) this.reload();
    },
    [KEYBOARD_CHANGED]: () => this.reload(),
  };

  /**
   * Loads the mapping. At most one load runs and one is queued. A key waits for the first load that started after the
   * last change before it.
   */
  reload(): void {
    if (this.#isNextPlanned) return;
    this.#pipeline.beforeNextInput(undefined);
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

  /**
   * Uses a mapping as soon as it arrives, even if late. Resolves when it has arrived or failed; the next input retries a
   * failed load.
   */
  #await(keymap: Promise<Keymap>): Promise<void> {
    this.#pipeline.holdFor(keymap, (found) => {
      this.#keymap = found ?? this.#keymap;
    });
    return keymap.then(
      () => this.#pipeline.beforeNextInput(undefined),
      // Each input retries until the server answers, or the program ends with the connection.
      () => this.#pipeline.beforeNextInput(() => this.reload()),
    );
  }

  /** Waits for the first mapping, which was requested before the window existed. */
  start(first: Promise<Keymap>): void {
    void this.#await(first);
  }
}
