import { encodeKey } from '../input/key-encoder.ts';
import type { Keymap } from '../input/keymap.ts';
import type { KeyPort } from '../ports/keys.ts';
import type { ModePort } from '../ports/modes.ts';
import type { OptionPort } from '../ports/options.ts';
import { keyModifiers } from './keyboard.ts';
import type { Viewport } from './viewport.ts';

export interface KeyParts {
  keymap(): Keymap;
  modes: ModePort;
  viewport: Viewport;
  options: OptionPort;
  send(text: string): void;
}

/** Keys as the application wants them encoded. */
export function createKeyPort({ keymap, modes, viewport, options, send }: KeyParts): KeyPort {
  return {
    sendKey: ({ kind, keysym, state }) => {
      if (kind !== 'key') return;
      const text = encodeKey(keysym, keyModifiers(keymap(), state), {
        applicationCursorKeys: modes.get('applicationCursorKeys'),
        applicationKeypad: modes.get('applicationKeypad'),
      });
      if (text === '') return;
      if (options.get('scrollKey')) viewport.toBottom();
      send(text);
    },
  };
}
