import type { ControlFunction } from '../control-function.ts';
import { NOTIFICATION_MAX_CHARACTERS } from '../limits.ts';

/** Other terminals give numbers before a semicolon another meaning, such as the progress of a command. */
const IS_OTHER_COMMAND = /^\d+(?:;|$)/;

/** The bell, and messages on the desktop. */
export const bellAndNotification: readonly ControlFunction[] = [
  {
    kind: 'character',
    name: 'BEL, bell',
    codes: [0x07],
    run: ({ host }) => host.bell(),
  },
  /** Shows a message: OSC 9 has a message, OSC 777 the word `notify`, a title and a message. ours: decision 93 */
  {
    kind: 'osc',
    name: 'show a message on the desktop',
    numbers: [9, 777],
    maxCharacters: NOTIFICATION_MAX_CHARACTERS,
    run: ({ host }, text, number) => {
      const message = number === 9 ? plainMessage(text) : titledMessage(text);
      if (message !== undefined && host.permits('Notify')) host.notify(message);
    },
  },
];

function plainMessage(text: string): { title: string; body: string } | undefined {
  return text === '' || IS_OTHER_COMMAND.test(text) ? undefined : { title: '', body: text };
}

function titledMessage(text: string): { title: string; body: string } | undefined {
  const [kind, title = '', ...rest] = text.split(';');
  const body = rest.join(';');
  return kind !== 'notify' || title + body === '' ? undefined : { title, body };
}
