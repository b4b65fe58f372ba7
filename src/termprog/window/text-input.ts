import type { ModePort } from '../ports/modes.ts';
import type { OptionPort } from '../ports/options.ts';
import type { TextInput, TextTarget } from '../ports/text-input.ts';
import type { Viewport } from './viewport.ts';

export interface TextInputParts {
  modes: ModePort;
  viewport: Pick<Viewport, 'toBottom'>;
  options: OptionPort;
  /** Takes what is typed to the application. */
  send(text: string): void;
}

/** Text for the newest target, such as a search; without one it is typed to the application. */
export function createTextInput({ modes, viewport, options, send }: TextInputParts): TextInput {
  const targets = new Set<TextTarget>();
  return {
    send: (text) => {
      if (text === '') return;
      const target = [...targets].at(-1);
      if (target !== undefined) {
        target.takeText(text);
        return;
      }
      if (modes.get('keyboardLocked')) return;
      if (options.get('scrollKey')) viewport.toBottom();
      send(text);
    },
    take: (target) => {
      targets.add(target);
      return () => targets.delete(target);
    },
    place: () => [...targets].at(-1)?.place(),
  };
}
