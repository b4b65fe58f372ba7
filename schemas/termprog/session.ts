import { resource, resources, toggle, value } from './resource-table.ts';
import { boolean, integer, text } from './resource-types.ts';

/** Resources of the child program and its environment. @spec termprog#application-resources-term-or-term */
export const sessionResources = [
  ...resources('vt100', {
    loginShell: resource(boolean, {
      class: 'LoginShell',
      default: 'false',
      options: [toggle('ls')],
      doc: 'Starts the shell as a login shell, its name with a leading dash as argument zero. A command given by `-e` is not affected. The shell is `$SHELL` if that is the absolute path of an executable file, else the shell of the password file if the shells file lists it, else `/bin/sh`.',
    }),
    answerbackString: resource(text, {
      class: 'AnswerbackString',
      default: '',
      live: true,
      doc: 'Text that is sent unchanged on ENQ (0x05). An empty text sends no answer.',
    }),
  }),
  ...resources('vt100', {
    bellIsUrgent: resource(boolean, {
      class: 'BellIsUrgent',
      default: 'false',
      live: true,
      doc: 'Asks window managers for attention when the bell rings in a window without the focus, by the hint of urgency and the state of newer desktops, until the window gets the focus. Applications change it by mode 1042.',
    }),
    notifyCommandTime: resource(integer({ min: 0, max: 86_400 }), {
      class: 'NotifyCommandTime',
      default: '0',
      live: true,
      doc: 'Seconds after which the end of a command is shown on the desktop by `notify-send`, when the window has not the focus then. The shell must mark its commands (OSC 133), as the shell integration does. 0 shows none. The reference terminal has no such resource.',
    }),
  }),
  ...resources('app', {
    termName: resource(text, {
      class: 'TermName',
      default: 'xterm-256color',
      options: [value('name', 'tn')],
      doc: 'Value of `TERM` for the child and of the XTGETTCAP reply to `TN`. A name over 128 bytes still sets `TERM` and leaves `TN` unanswered.',
    }),
    sameName: resource(boolean, {
      class: 'SameName',
      default: 'true',
      options: [toggle('samename')],
      live: true,
      doc: 'Skips a change of the title or the icon name that repeats the last one requested. The comparison is with the last request and not with the live property.',
    }),
    hold: resource(boolean, {
      class: 'Hold',
      default: 'false',
      options: [toggle('hold')],
      live: true,
      doc: 'Keeps the window after the child has ended until the user closes it. Later input is discarded and the exit status stays 0.',
    }),
    pipeCommandOutput: resource(text, {
      class: 'PipeCommandOutput',
      default: '',
      doc: 'Shell command that `pipe-command-output()` runs in the last reported directory, with the output of the last completed command on its standard input. The output is data and is never executed.',
    }),
  }),
] as const;
