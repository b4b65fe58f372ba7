import type { ReportPostfix } from '../../../schemas/report.ts';
import { FailedCommandError } from '../errors.ts';
import { type Family, gauge } from '../exposition/family.ts';
import type { Command } from '../host/run-command.ts';
import type { Collector } from './collector.ts';
import { type Remedies, runAskedFor } from './programs/complaint.ts';
import { QueueCount } from './programs/queue-count.ts';

/**
 * Output of some 150,000 messages. A longer queue takes longer than the report can wait; the listed part is reported.
 */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const REMEDIES: Remedies = [
  [/not allowed to view/, "add the agent's user to authorized_mailq_users of Postfix"],
  [/denied/i, 'the agent needs the group postdrop (setgid_group of Postfix) as a supplementary group'],
  [/unavailable|refused|no such file/i, 'start Postfix, or set agent.postfix to false'],
];

function familiesOf({ queues, oldestAgeSec }: ReportPostfix): Family[] {
  return [
    gauge(
      'monitor_postfix_queue_messages',
      'Messages in a queue of Postfix.',
      Object.entries(queues).map(([queue, value]) => ({ labels: { queue }, value })),
    ),
    gauge(
      'monitor_postfix_queue_oldest_seconds',
      'Age of the oldest message in any queue of Postfix; 0 without messages.',
      oldestAgeSec,
    ),
  ];
}

/** @spec agent#metrics postfix family */
export const postfix: Collector = {
  name: 'postfix',
  sections: ['postfix'],
  collect: async (host) => {
    const count = new QueueCount();
    const command: Command = {
      program: 'postqueue',
      args: ['-j'],
      onOutput: (piece) => count.take(piece),
      maxOutputBytes: OUTPUT_MAX_BYTES,
    };
    const problems: string[] = [];
    try {
      await runAskedFor(host, command, { option: 'agent.postfix', remedies: REMEDIES });
    } catch (error) {
      // A long queue matters most: an alert for many messages needs their number even if the list was cut.
      if (!(error instanceof FailedCommandError && error.wasCut) || count.messages === 0) throw error;
      problems.push(`${error.message}: the queue has more than the ${count.messages} messages counted by then`);
    }
    const found = count.finish(host.now() / 1000, problems.length > 0);
    if (count.badLines > 0) problems.push(`postqueue -j printed lines that are not messages: ${count.badLines}`);
    return { sections: { postfix: found }, families: familiesOf(found), problems };
  },
};
