import type { AccountSeen, Disturbance, Observations, SeenSend, Violation } from '../observations.ts';
import { type Hearing, hearings } from './heard.ts';
import { violation } from './violation.ts';

/** A send is decided within 30 s while the link is up, so a disturbance that ended this long before has no part in it. */
const DECIDED_MS = 60_000;

/** Compares what agents were answered about their sends with what was heard on IRC. */
export function checkSends({ accounts, heard, disturbances }: Observations): Violation[] {
  const known = hearings(heard);
  // A listener may have been away; the bouncers of the other accounts were not.
  const keptByOthers = new Map<string, Set<string>>();
  for (const { name, kept } of accounts) {
    for (const { text } of kept) keptByOthers.set(text, (keptByOthers.get(text) ?? new Set()).add(name));
  }
  return accounts.flatMap((account) =>
    account.sends.flatMap((send) =>
      checkSend(account, send, {
        hearing: known.get(send.text),
        isKeptByOthers: [...(keptByOthers.get(send.text) ?? [])].some((name) => name !== account.name),
        disturbances,
      }),
    ),
  );
}

interface Evidence {
  hearing: Hearing | undefined;
  isKeptByOthers: boolean;
  disturbances: readonly Disturbance[];
}

function checkSend({ name, kept }: AccountSeen, send: SeenSend, evidence: Evidence): Violation[] {
  const isOwnKept = kept.some((line) => line.text === send.text && line.sender === name);
  const wrong = wrongAnswer(send, evidence, isOwnKept) ?? undecided(send, evidence, isOwnKept);
  if (wrong === undefined) return [];
  const what = `“${send.text}” (${send.messageId ?? 'not accepted'}, key ${send.key}) ${wrong.how}`;
  return [violation(wrong.kind, what, { account: name, channel: send.channel, at: send.askedAt })];
}

interface Wrong {
  kind: string;
  how: string;
}

function wrongAnswer(send: SeenSend, { hearing, isKeptByOthers }: Evidence, isOwnKept: boolean): Wrong | undefined {
  const { status, messageIds, failure } = send;
  const isSaid = hearing !== undefined || isKeptByOthers || isOwnKept;
  const ids = [...new Set(messageIds)];
  if (ids.length > 1) return { kind: 'send under two ids', how: `was accepted as ${ids.join(' and ')}` };
  if (hearing !== undefined && hearing.times > 1) {
    return { kind: 'send said twice', how: `was heard ${hearing.times} times` };
  }
  if (isSaid && status === undefined) return { kind: 'refused send said', how: 'was refused and heard' };
  if (isSaid && failure !== undefined) {
    return { kind: 'failed send said', how: `was reported failed (${failure}) and heard` };
  }
  if (isSaid || status !== 'echoed') return undefined;
  return { kind: 'send lost', how: 'was reported echoed, and neither heard nor kept' };
}

function undecided({ status, askedAt }: SeenSend, { disturbances }: Evidence, isOwnKept: boolean): Wrong | undefined {
  const kind = 'send undecided';
  if (status === 'pending') return { kind, how: 'is still pending' };
  if (status !== 'queued') return undefined;
  if (isOwnKept) return { kind, how: 'is still queued, and the bouncer has kept its echo' };
  const isExcused = disturbances.some(({ from, to }) => from < askedAt + DECIDED_MS && to > askedAt - DECIDED_MS);
  return isExcused ? undefined : { kind, how: 'is still queued, and nothing was disturbed at its time' };
}

/** Sends whose outcome a disturbance has left in doubt, as the connector reports them. */
export const doubtfulSends = ({ accounts }: Observations): number =>
  accounts.flatMap(({ sends }) => sends).filter(({ status }) => status === 'queued').length;
