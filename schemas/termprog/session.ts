import { toggle, value, type XResourceRow } from './resource-table.ts';

/** The child program and what it is told. @spec termprog#application-resources-term-or-term */
export const sessionResources: readonly XResourceRow[] = [
  {
    scope: 'vt100',
    name: 'loginShell',
    class: 'LoginShell',
    type: 'boolean',
    default: 'false',
    options: [toggle('ls')],
    doc: 'Starts the shell as a login shell, its name with a leading dash as argument zero. A command given by `-e` is not affected. The shell is `$SHELL` if that is the absolute path of an executable file, else the shell of the password file if the shells file lists it, else `/bin/sh`.',
  },
  {
    scope: 'vt100',
    name: 'answerbackString',
    class: 'AnswerbackString',
    type: 'string',
    default: '',
    doc: 'Text that is sent unchanged on ENQ (0x05). Empty sends nothing.',
  },
  {
    scope: 'app',
    name: 'termName',
    class: 'TermName',
    type: 'string',
    default: 'xterm-256color',
    options: [value('name', 'tn')],
    doc: 'Value of `TERM` for the child and of the XTGETTCAP reply to `TN`. A name over 128 bytes still sets `TERM` and leaves `TN` unanswered.',
  },
  {
    scope: 'app',
    name: 'sameName',
    class: 'SameName',
    type: 'boolean',
    default: 'true',
    options: [toggle('samename')],
    doc: 'Skips a change of the title or the icon name that repeats the last one requested. The comparison is with the last request and not with the live property.',
  },
  {
    scope: 'app',
    name: 'hold',
    class: 'Hold',
    type: 'boolean',
    default: 'false',
    options: [toggle('hold')],
    doc: 'Keeps the window after the child has ended until the user closes it. Later input is discarded and the exit status stays 0.',
  },
  {
    scope: 'app',
    name: 'pipeCommandOutput',
    class: 'PipeCommandOutput',
    type: 'string',
    default: '',
    doc: 'Shell command that `pipe-command-output()` runs in the last reported directory, with the output of the last completed command on its standard input. The output is data and is never executed.',
    pending: true,
  },
];
