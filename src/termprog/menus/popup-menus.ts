import type { WireEvent } from 'x11';
import type { Rgb } from '../color/parse-color.ts';
import type { ActionEvent } from '../ports/action-event.ts';
import type { MenuPort } from '../ports/appearance.ts';
import { usualVisual, type WindowVisual } from '../x11/window-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { grabBoth, releaseBoth } from './grabs.ts';
import type { Menu } from './menu-entry.ts';
import { layOut, placeMenu } from './menu-layout.ts';
import { menus } from './menu-list.ts';
import { MenuPainter } from './menu-painter.ts';
import { MenuPointer } from './menu-pointer.ts';
import type { MenuTargets } from './menu-targets.ts';
import { createCursor, createMenuWindow } from './menu-window.ts';
import { PostedMenu } from './posted-menu.ts';
import type { MenuLook } from './resources/menu-look.ts';

/** Maps keys to keysyms. */
export interface KeysymSource {
  keysym(keycode: number, state: number): number;
}

export interface PopupParts {
  connection: XConnection;
  /** The terminal's own window. */
  window: number;
  attach(window: number, handlers: Readonly<Record<string, (event: WireEvent) => void>>): void;
  detach(window: number): void;
  targets: MenuTargets;
  loadLook(menu: Menu): Promise<MenuLook>;
  loadKeys(): Promise<KeysymSource>;
  /** Returns the pixel value of a colour in a visual. */
  pixel(visual: WindowVisual, color: Rgb): number;
  ring(): void;
  /** A menu could not be shown because of an error. */
  failed(error: unknown): void;
}

/** Longest wait for the server's data for a menu: input is held back meanwhile. */
const POSTING_MAX_MS = 5_000;

/** Kinds of events that come from the pointer. */
const POINTER_KINDS: readonly ActionEvent['kind'][] = ['press', 'release', 'motion'];

/** The data that a menu needs before it is shown. */
interface Ready {
  look: MenuLook;
  keys: KeysymSource;
  pointer: { x: number; y: number };
  screen: { width: number; height: number };
}

/**
 * The menus, at most one of which is on the screen. It owns the grabs, cursors and looks; they are created with the
 * first menu.
 */
export class PopupMenus implements MenuPort {
  readonly #parts: PopupParts;
  readonly #looks = new Map<Menu, Promise<MenuLook>>();
  readonly #cursors = new Map<number, number>();
  #visual: WindowVisual | undefined;
  /** The requested menu; a new object for each request. */
  #posting: { isButtonHeld: boolean } | undefined;
  #endShown: (() => void) | undefined;
  /** Keycode of the key that ended a menu, while it is down: its repeats must not reach other parts. */
  #endingKey: number | undefined;
  #isStopped = false;

  constructor(parts: PopupParts) {
    this.#parts = parts;
  }

  popup(name: string, event: ActionEvent): void {
    const menu = menus.find((candidate) => candidate.name === name);
    if (menu === undefined) this.#parts.ring();
    if (menu === undefined || this.#posting !== undefined || this.#endShown !== undefined || this.#isStopped) return;
    const posting = { isButtonHeld: event.kind === 'press' };
    this.#posting = posting;
    const late = setTimeout(() => this.#giveUp(posting), POSTING_MAX_MS);
    this.#post(menu, event, posting)
      .catch((error: unknown) => {
        if (this.#posting === posting) this.#parts.ring();
        if (this.#parts.connection.isOpen) this.#parts.failed(error);
      })
      .finally(() => {
        clearTimeout(late);
        if (this.#posting === posting) this.#posting = undefined;
      });
  }

  /** Whether input may skip the menus: no menu is shown or requested, and the key that ended one is up. */
  get isIdle(): boolean {
    return this.#posting === undefined && this.#endShown === undefined && this.#endingKey === undefined;
  }

  /** Consumes input while a menu is requested: the release of the button ends the request. */
  filter({ name, keycode }: WireEvent): boolean {
    if (name === 'ButtonRelease' && this.#posting?.isButtonHeld === true) {
      this.#posting = undefined;
      // The menu may already be on the screen without the pointer grab: it would never get this event.
      this.#endShown?.();
    } else if (this.#posting === undefined) return this.#endShown !== undefined || this.#isOfEndingKey(name, keycode);
    return true;
  }

  /** The window lost the focus: key releases go to another window. */
  forgetKeys(): void {
    this.#endingKey = undefined;
  }

  #isOfEndingKey(name: string | undefined, keycode: number): boolean {
    if (keycode !== this.#endingKey || (name !== 'KeyPress' && name !== 'KeyRelease')) return false;
    if (name === 'KeyRelease') this.#endingKey = undefined;
    return true;
  }

  /** Refreshes the values of the menu on the screen. */
  refresh(): void {
    this.#refresh?.();
  }

  #refresh: (() => void) | undefined;

  stop(): void {
    this.#isStopped = true;
    this.#posting = undefined;
    this.#endShown?.();
  }

  #giveUp(posting: object): void {
    if (this.#posting !== posting) return;
    this.#posting = undefined;
    this.#parts.ring();
  }

  async #post(menu: Menu, event: ActionEvent, posting: { isButtonHeld: boolean }): Promise<void> {
    const { connection, window } = this.#parts;
    const isWanted = (): boolean => this.#posting === posting;
    // Both at once: a menu that was shown before appears after one round trip.
    const grabbed = grabBoth(connection, { window, cursor: 0, time: event.time });
    const prepared = this.#prepare(menu, event);
    // If one fails first, the result of the other must still be released.
    const [hasGrabs, ready] = await Promise.allSettled([grabbed, prepared]);
    if (hasGrabs.status === 'rejected') throw hasGrabs.reason;
    if (ready.status === 'rejected' || !isWanted()) {
      if (hasGrabs.value) releaseBoth(connection);
      if (ready.status === 'rejected') throw ready.reason;
    } else if (hasGrabs.value) {
      try {
        await this.#show(ready.value, event, posting);
      } catch (error) {
        // Without a menu the grabs would stay.
        releaseBoth(connection);
        throw error;
      }
    } else this.#parts.ring();
  }

  async #prepare(menu: Menu, event: ActionEvent): Promise<Ready> {
    const { connection, loadKeys } = this.#parts;
    const [look, keys, pointer, screen] = await Promise.all([
      this.#lookOf(menu),
      loadKeys(),
      this.#placeOf(event),
      connection.ask<{ width: number; height: number }>('the size of the screen', (client, reply) =>
        client.GetGeometry(connection.screen.root, reply),
      ),
    ]);
    return { look, keys, pointer, screen };
  }

  /** Returns the cached look of a menu; a failed one is loaded again next time. */
  #lookOf(menu: Menu): Promise<MenuLook> {
    const look = this.#looks.get(menu) ?? this.#parts.loadLook(menu);
    this.#looks.set(menu, look);
    // The caller receives the failure with the promise.
    look.catch(() => this.#looks.delete(menu));
    return look;
  }

  /** Returns the place of an event on the screen. */
  async #placeOf({ kind, x, y }: ActionEvent): Promise<{ x: number; y: number }> {
    const { connection, window } = this.#parts;
    const { root } = connection.screen;
    if (POINTER_KINDS.includes(kind)) {
      const { destX, destY } = await connection.ask<{ destX: number; destY: number }>(
        'the place of the pointer',
        (client, reply) => client.TranslateCoordinates(window, root, x, y, reply),
      );
      return { x: destX, y: destY };
    }
    const { rootX, rootY } = await connection.ask<{ rootX: number; rootY: number }>(
      'the place of the pointer',
      (client, reply) => client.QueryPointer(root, reply),
    );
    return { x: rootX, y: rootY };
  }

  async #show(ready: Ready, { time }: ActionEvent, posting: { isButtonHeld: boolean }): Promise<void> {
    const { connection, targets, attach, detach } = this.#parts;
    const { client } = connection;
    const { look, keys, pointer, screen } = ready;
    this.#visual ??= usualVisual(connection);
    const visual = this.#visual;
    if (visual === undefined) throw new Error('the screen has no visual with colours of its own');
    const pixel = (color: Rgb): number => this.#parts.pixel(visual, color);
    const layout = layOut(look, screen.height);
    const place = placeMenu(layout, look.borderWidth, pointer, screen);
    const cursor = this.#cursorOf(look.cursor);
    const window = createMenuWindow(connection, { visual, look, layout, place, cursor, pixel });
    const painter = new MenuPainter({ connection, window, depth: visual.depth, look, layout, targets, pixel });
    const end = (): void => {
      if (this.#endShown !== end) return;
      this.#endShown = undefined;
      this.#refresh = undefined;
      detach(window);
      releaseBoth(connection);
      if (!connection.isOpen) return;
      const freed = [window, ...painter.close()];
      client.DestroyWindow(window);
      // The ids are released later, because the server may still send events of this window.
      connection.fence(() => {
        for (const id of freed) client.ReleaseID(id);
      });
    };
    const posted = new PostedMenu({
      moveTo: (left) => client.ConfigureWindow(window, { x: left }),
      left: place.x,
      screen,
      layout,
      painter,
      pointer: new MenuPointer(layout, targets, pointer, posting.isButtonHeld),
      targets,
      keysym: (keycode, state) => keys.keysym(keycode, state),
      onEnd: (chosen, key) => {
        this.#endingKey = key;
        end();
        chosen?.run(targets);
      },
    });
    this.#endShown = end;
    this.#refresh = () => posted.refresh();
    attach(window, posted.handlers);
    client.MapWindow(window);
    // From now on all events belong to the menu. This renews the grabs, which it already has.
    const hasBoth = await grabBoth(connection, { window, cursor, time }).catch((error: unknown) => {
      end();
      throw error;
    });
    if (!hasBoth) end();
  }

  #cursorOf(picture: number): number {
    const cursor = this.#cursors.get(picture) ?? createCursor(this.#parts.connection, picture);
    this.#cursors.set(picture, cursor);
    return cursor;
  }
}
