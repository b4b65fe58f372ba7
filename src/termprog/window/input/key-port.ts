import type { ModifiedKeys } from '../../engine/modified-keys.ts';
import { controlKeysym } from '../../input/control-keysym.ts';
import { encodeKey } from '../../input/key-encoder.ts';
import { keyModifiers } from '../../input/key-modifiers.ts';
import type { Keymap } from '../../input/keymap.ts';
import { KEYSYM } from '../../input/keysyms.ts';
import { encodeKittyKey, type KeyAction } from '../../input/kitty.ts';
import type { KeyPort } from '../../ports/input.ts';
import type { ModePort, OptionPort } from '../../ports/states.ts';
import type { Viewport } from '../frame/viewport.ts';
import { PressedKeys } from './pressed-keys.ts';

/** Most cursor keys that one scroll sends: bindings may name any number of lines. */
const SCROLL_KEYS_MAX = 1000;

/** The keyboard modes that applications set; the engine implements it. */
export interface KeyboardState {
  readonly modes: ModePort;
  /** Flags of the kitty keyboard protocol. */
  readonly keyboardFlags: number;
  readonly modifiedKeys: Readonly<ModifiedKeys>;
}

export interface KeyParts {
  keymap(): Keymap;
  keyboard: KeyboardState;
  viewport: Pick<Viewport, 'toBottom'>;
  options: OptionPort;
  send(text: string): void;
}

/** A key with its modifiers and time. */
interface Key {
  keysym: number;
  keycode: number;
  state: number;
  /** Server time in milliseconds. */
  time: number;
}

/** Sends keys to the application, including their releases. */
export interface KeyReleasePort extends KeyPort {
  /** Sends a key's release to an application that requested releases, if its press was sent. */
  releaseKey(key: Omit<Key, 'keysym'>): void;
  /** Sends the releases of all pressed keys now, because their own will go to another window. */
  releaseAll(): void;
}

/** Creates the port that sends keys in the encoding that the application requested. */
export function createKeyPort({ keymap, keyboard, viewport, options, send }: KeyParts): KeyReleasePort {
  const pressed = new PressedKeys();
  const encode = ({ keysym, keycode, state }: Omit<Key, 'time'>, action: KeyAction): string => {
    const map = keymap();
    const modifiers = keyModifiers(map.modifiers, state);
    const { keyboardFlags } = keyboard;
    const sequence =
      keyboardFlags === 0
        ? undefined
        : encodeKittyKey(
            {
              keycode,
              keysym,
              plainKeysym: map.plainKeysym(keycode, state),
              shiftedKeysym: map.shiftedKeysym(keycode, state),
              modifiers,
              action,
            },
            keyboardFlags,
          );
    if (sequence !== undefined) return sequence;
    if (action === 'release') return '';
    const key = modifiers.control ? controlKeysym(map, keysym, { keycode, state }) : keysym;
    return encodeKey(key, modifiers, keyboardModes(keyboard));
  };
  const reportRelease = (keycode: number, state: number): void => {
    if (keyboard.keyboardFlags === 0 || keyboard.modes.get('keyboardLocked')) return;
    const text = encode({ keysym: keymap().keysym(keycode, state), keycode, state }, 'release');
    if (text !== '') send(text);
  };
  return {
    scrollByKeys: (lines) => {
      const { modes } = keyboard;
      if (!modes.get('alternateScroll') || !modes.get('alternateScreen')) return false;
      if (modes.get('keyboardLocked')) return true;
      const keysym = lines > 0 ? KEYSYM.up : KEYSYM.down;
      const key = encode({ keysym, keycode: 0, state: 0 }, 'press');
      if (lines !== 0) send(key.repeat(Math.min(Math.abs(lines), SCROLL_KEYS_MAX)));
      return true;
    },
    sendKey: ({ kind, keysym, keycode, state, time }) => {
      if (kind !== 'key' || keyboard.modes.get('keyboardLocked')) return;
      const text = encode({ keysym, keycode, state }, pressed.press(keycode, time) ? 'repeat' : 'press');
      if (text === '') return;
      if (options.get('scrollKey')) viewport.toBottom();
      send(text);
    },
    releaseKey: ({ keycode, state, time }) => {
      if (pressed.release(keycode, time)) reportRelease(keycode, state);
    },
    releaseAll: () => {
      for (const keycode of pressed.releaseAll()) reportRelease(keycode, 0);
    },
  };
}

function keyboardModes({ modes, modifiedKeys }: KeyboardState): Parameters<typeof encodeKey>[2] {
  return {
    applicationCursorKeys: modes.get('applicationCursorKeys'),
    applicationKeypad: modes.get('applicationKeypad'),
    backarrowIsBackspace: modes.get('backarrowIsBackspace'),
    altNumLockModifiers: modes.get('altNumLockModifiers'),
    altSendsEscape: modes.get('altSendsEscape'),
    metaSendsEscape: modes.get('metaSendsEscape'),
    metaSetsEighthBit: modes.get('metaSetsEighthBit'),
    modified: modifiedKeys,
  };
}
