import type { ModePort, OptionPort } from '../../ports/states.ts';
import type { TextInput, TypingTarget } from '../../ports/text-input.ts';
import type { Viewport } from '../frame/viewport.ts';

export interface TextInputParts {
  modes: ModePort;
  viewport: Pick<Viewport, 'toBottom'>;
  options: OptionPort;
  /** Sends typed text to the application. */
  send(text: string): void;
}

/** Routes text to the newest target, such as a search; without a target it is typed to the application. */
export function createTextInput({ modes, viewport, options, send }: TextInputParts): TextInput {
  const targets = new Set<TypingTarget>();
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
