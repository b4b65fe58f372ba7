/** Units of every kind of fate, as a container is booted with them: file name -> text, or `->` and the target of a link. */

const unit = (section: string, ...lines: string[]): string =>
  ['[Unit]', 'DefaultDependencies=no', `[${section}]`, ...lines, ''].join('\n');

const service = (...lines: string[]): string => unit('Service', ...lines);
const timer = (...lines: string[]): string => unit('Timer', ...lines);

export const testUnits: Record<string, string> = {
  'ok.service': service('ExecStart=/bin/sleep 1000000'),
  'fail.service': service("ExecStart=/bin/sh -c 'exit 3'"),
  'sig.service': service("ExecStart=/bin/sh -c 'kill -TERM $$$$; sleep 9'", 'SuccessExitStatus=0', 'Type=oneshot'),
  'noexec.service': service('ExecStart=/nonexistent'),
  'slow.service': service('Type=oneshot', 'TimeoutStartSec=100ms', 'ExecStart=/bin/sleep 60'),
  'template@.service': service("ExecStart=/bin/sh -c 'exit 1'"),
  'done.service': service('Type=oneshot', 'ExecStart=/bin/true'),
  'seven.service': service('Type=oneshot', "ExecStart=/bin/sh -c 'exit 7'"),
  'long.service': service('Type=oneshot', 'ExecStart=/bin/sleep 1000'),
  'daily.timer': timer('OnCalendar=daily', 'Unit=done.service'),
  'mono.timer': timer('OnActiveSec=1h', 'Unit=done.service'),
  'both.timer': timer('OnActiveSec=100d', 'OnCalendar=hourly', 'Unit=done.service'),
  'runs.timer': timer('OnActiveSec=0', 'Unit=long.service', 'AccuracySec=1ms'),
  'seven.timer': timer('OnActiveSec=0', 'AccuracySec=1ms'),
  'past.timer': timer('OnCalendar=2020-01-01', 'Unit=done.service'),
  'bad.service': '[Service]\nFoo=\n',
  'mnt-nope.mount': unit('Mount', 'What=/dev/nope', 'Where=/mnt/nope', 'Type=ext4'),
  'masked.service': '->/dev/null',
  'alias.service': '->ok.service',
};

/** Units that are started, so that they have a state to report; those that fail make the command fail too. */
export const startedUnits = [
  ...['ok.service', 'fail.service', 'sig.service', 'noexec.service', 'slow.service', 'template@a\\x2db.service'],
  ...['daily.timer', 'mono.timer', 'both.timer', 'runs.timer', 'seven.timer', 'past.timer', 'mnt-nope.mount'],
];

/** All that end in failed state, sorted. */
export const unitsThatFail = [
  ...['fail.service', 'mnt-nope.mount', 'noexec.service', 'seven.service', 'sig.service', 'slow.service'],
  'template@a\\x2db.service',
];

/** One of each kind, known or not. */
export const askedUnits = [
  ...['ok.service', 'fail.service', 'nosuch.service', 'alias.service', 'masked.service', 'bad.service', 'sig.service'],
  ...['noexec.service', 'slow.service', 'template@a\\x2db.service', 'mnt-nope.mount', 'system.slice', 'init.scope'],
  ...['daily.timer', 'mono.timer', 'both.timer', 'runs.timer', 'seven.timer', 'past.timer', 'nosuch.timer'],
  ...['dbus.socket', 'test.target', '--help.service', '-.mount', 'x.device', 'x.swap', 'x.automount', 'x.path'],
  ...['1.service', '_under.service', `${'n'.repeat(247)}.service`],
];
