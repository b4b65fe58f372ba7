/** Severities of the `logLevel` resource, least first. @spec termprog#application-resources-term-or-term */
const SEVERITIES = ['debug', 'info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Messages to the person who started the program; one line each. @spec termprog#errors */
export interface Diagnostics {
  debug(message: string): void;
  info(message: string): void;
  warning(message: string): void;
  error(message: string): void;
}

/** Longest message: it may quote a configured value of any length. */
const MESSAGE_MAX_CHARACTERS = 1_000;

/** Writes messages of `least` severity and above, each as `termprog: SEVERITY: MESSAGE`. */
export function createDiagnostics(least: Severity, write: (line: string) => void): Diagnostics {
  const writer = (severity: Severity) =>
    SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(least)
      ? () => {}
      : (message: string) => write(`termprog: ${severity}: ${oneLine(message)}\n`);
  return { debug: writer('debug'), info: writer('info'), warning: writer('warning'), error: writer('error') };
}

/** Most distinct warnings that are remembered; those of a configuration are far fewer. */
const REMEMBERED_MAX = 256;

/** Writes each warning once, even if its cause recurs. */
export function warnOnce({ debug, info, warning, error }: Diagnostics): Diagnostics {
  const shown = new Set<string>();
  return {
    debug,
    info,
    warning: (message) => {
      if (shown.has(message)) return;
      if (shown.size < REMEMBERED_MAX) shown.add(message);
      warning(message);
    },
    error,
  };
}

/**
 * Formats a message as one line without effect on the terminal that shows it: it may quote a value of any characters.
 */
export function oneLine(message: string): string {
  return printable(shorten(message));
}

/**
 * Returns text for one line of output, without characters that change how a line is shown: control characters, line
 * separators, and those that change the direction of text or are invisible become question marks. Joiners stay, because
 * letters and emoji need them.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu, '?');
}

function shorten(message: string): string {
  if (message.length <= MESSAGE_MAX_CHARACTERS) return message;
  const half = MESSAGE_MAX_CHARACTERS / 2;
  return `${message.slice(0, half)} … ${message.slice(-half)}`;
}

/** Receives messages: a stream, or an object whose `write` throws when it has no reader any more. */
export type MessageTaker = NodeJS.WritableStream | { write(text: string): void };

/**
 * Writes to a stream while it has a reader. The pipe or terminal may go away at any time, which must not end the
 * program.
 * @param stream is called for the first line, because Node creates its standard streams on first use
 */
export function createTolerantWriter(stream: () => MessageTaker): (text: string) => void {
  let opened: MessageTaker | undefined;
  let isLost = false;
  return (text) => {
    if (isLost) return;
    try {
      if (opened === undefined) {
        opened = stream();
        if ('on' in opened) {
          opened.on('error', () => {
            isLost = true;
          });
        }
      }
      opened.write(text);
    } catch {
      // There is no place left to report this: the stream of messages itself is broken.
      isLost = true;
    }
  };
}
